/* SPDX-License-Identifier: MIT */
/*
 * The core's calls: what api/ maps the public ones to, one to one. Arguments
 * have been checked for what can be seen without looking at the instance.
 *
 * Both tiers come here. They differ in who acts and in how they name things:
 * a path from a descriptor, or a name below an inode; a descriptor, or an
 * open file. Nothing below this header knows which it was.
 */
#ifndef MVFS__FS_H
#define MVFS__FS_H

#include <stdbool.h>

#include <memvfs/memvfs.h>
#include <memvfs/sys.h>

#include "vfs/tree/set.h"

struct mvfs__buffer;
struct mvfs__hooks;

/* The view that the call comes through, and who acts (NULL: the view's). */
struct mvfs__from {
	mvfs *view;
	const struct mvfs_actor *actor;
};

/* A place in the tree. */
struct mvfs__at {
	uint64_t ino;     /* where the path starts; 0: at dirfd */
	int dirfd;
	const char *path;
	bool open;        /* dirfd must not be one of O_PATH */
};

/* An open file: by pointer, or by descriptor where that is NULL. */
struct mvfs__on {
	struct mvfs_file *file;
	int fd;
};

/* Flags of calls that take a place. */
enum {
	MVFS__AT_FOLLOW = 1,
	MVFS__AT_EMPTY = 2
};

/* instance.c */
int mvfs__fs_create(const struct mvfs_options *options, mvfs **view);
int mvfs__fs_clone(mvfs *view, mvfs **clone);
int mvfs__fs_view(mvfs *view, const struct mvfs_view_options *options,
		  mvfs **out);
int mvfs__fs_attach(mvfs *view, unsigned flags, mvfs **out);
int mvfs__fs_destroy(mvfs *view);
int mvfs__fs_chdir(mvfs *view, const struct mvfs__at *at, unsigned flags);
uint32_t mvfs__fs_umask(mvfs *view, uint32_t mask);
int mvfs__fs_set_limits(mvfs *view, uint64_t max_bytes, uint64_t max_inodes);
int mvfs__fs_set_clock(mvfs *view, mvfs_clock_fn *fn, void *ctx);
uint64_t mvfs__fs_root(mvfs *view);
void mvfs__fs_unpin(mvfs *view, uint64_t ino, uint64_t count);
int mvfs__fs_statfs(const struct mvfs__from *from, struct mvfs_statfs *st);

/* clock.c: in nanoseconds since 1970 */
int mvfs__fs_clock_manual(mvfs *view, int64_t start, int64_t tick);
int mvfs__fs_clock_set(mvfs *view, int64_t time);
int mvfs__fs_clock_advance(mvfs *view, int64_t by);

/* faults.c */
void mvfs__fs_set_hooks(mvfs *view, const struct mvfs__hooks *hooks);
int mvfs__fs_fault_add(mvfs *view, const char *text, uint64_t *id,
		       struct mvfs_error *error);
int mvfs__fs_fault_remove(mvfs *view, uint64_t id);
int mvfs__fs_fault_clear(mvfs *view);
int mvfs__fs_fault_count(mvfs *view, uint64_t id, uint64_t *matched,
			 uint64_t *fired);
int mvfs__fs_fault_list(mvfs *view, mvfs_fault_fn *fn, void *ctx);
int mvfs__fs_log_start(mvfs *view, size_t capacity);
int mvfs__fs_log_stop(mvfs *view);
int mvfs__fs_log_each(mvfs *view, mvfs_log_fn *fn, void *ctx);
int mvfs__fs_log_text(mvfs *view, struct mvfs_string *string);
int mvfs__fs_expect_log(mvfs *view, const char *text,
			struct mvfs_error *error);

/* report.c */
int mvfs__fs_set_report(mvfs *view, unsigned flags, mvfs_report_fn *fn,
			void *ctx);
int mvfs__fs_each_open(mvfs *view, mvfs_report_fn *fn, void *ctx);
/* Tells that a descriptor that is not open is closed, if it once was. */
void mvfs__fs_report_again(const struct mvfs__from *from, int fd);

/* snapshot.c */
struct mvfs_snapshot;
int mvfs__fs_snapshot(mvfs *view, struct mvfs_snapshot **out);
int mvfs__fs_restore(mvfs *view, const struct mvfs_snapshot *snapshot);
int mvfs__fs_snapshot_clone(const struct mvfs_snapshot *snapshot, mvfs **out);
void mvfs__fs_snapshot_free(struct mvfs_snapshot *snapshot);
/* NULL: none any more; when it returns, none of the view's is running. */
void mvfs__fs_listen(mvfs *view, const struct mvfs_sys_listener *listener);

/* crash.c, crash_text.c */
int mvfs__fs_crash_start(mvfs *view, const struct mvfs_crash_options *given);
int mvfs__fs_crash_stop(mvfs *view);
int64_t mvfs__fs_crash_point(mvfs *view);
int mvfs__fs_crash(mvfs *view, const struct mvfs_crash_options *options,
		   const struct mvfs_crash_state *state, mvfs **after);
int mvfs__fs_crash_snapshot(mvfs *view,
			    const struct mvfs_crash_options *options,
			    const struct mvfs_crash_state *state,
			    struct mvfs_snapshot **snapshot);
int mvfs__fs_crash_explain(mvfs *view,
			   const struct mvfs_crash_options *options,
			   const struct mvfs_crash_state *state,
			   struct mvfs_string *text);
int mvfs__fs_crash_each(mvfs *view, const struct mvfs_crash_options *options,
			mvfs_crash_fn *fn, void *ctx);

/* diff.c */
int mvfs__fs_diff(mvfs *a, mvfs *b, unsigned what, mvfs_diff_fn *fn,
		  void *ctx);
int mvfs__fs_diff_text(mvfs *a, mvfs *b, unsigned what,
		       struct mvfs_string *text);

/* build.c, expect.c, dump.c: `len` bytes of text */
int mvfs__fs_build(mvfs *view, const char *text, size_t len,
		   struct mvfs_error *error);
int mvfs__fs_expect(mvfs *view, const char *text, size_t len,
		    struct mvfs_error *error);
int mvfs__fs_dump(mvfs *view, unsigned flags, struct mvfs_string *text);

/* names.c */
struct mvfs__making {
	uint32_t mode;
	uint64_t rdev;
	const char *target;
	unsigned pin;
};
int mvfs__fs_make(const struct mvfs__from *from, const struct mvfs__at *at,
		  const struct mvfs__making *making, struct mvfs_stat *st);
/* As unlink, rmdir. */
int mvfs__fs_unlink(const struct mvfs__from *from, const struct mvfs__at *at);
int mvfs__fs_rmdir(const struct mvfs__from *from, const struct mvfs__at *at);
int mvfs__fs_rename(const struct mvfs__from *from, const struct mvfs__at *old,
		    const struct mvfs__at *new, unsigned flags);
int mvfs__fs_link(const struct mvfs__from *from, const struct mvfs__at *old,
		  unsigned flags, const struct mvfs__at *new, unsigned pin,
		  struct mvfs_stat *st);
int64_t mvfs__fs_readlink(const struct mvfs__from *from,
			  const struct mvfs__at *at, char *to, size_t len);
int64_t mvfs__fs_realpath(const struct mvfs__from *from,
			  const struct mvfs__at *at, char *to, size_t len);

/* attr.c */
int mvfs__fs_stat(const struct mvfs__from *from, const struct mvfs__at *at,
		  unsigned flags, unsigned pin, struct mvfs_stat *st);
int mvfs__fs_access(const struct mvfs__from *from, const struct mvfs__at *at,
		    unsigned flags, unsigned mask);
/* file: whose opening has settled that it may be truncated; or NULL. `kind`
 * is an enum mvfs__op_kind. st may be NULL. */
int mvfs__fs_setattr(const struct mvfs__from *from, const struct mvfs__at *at,
		     unsigned flags, const struct mvfs__on *on, unsigned set,
		     const struct mvfs_stat *values, struct mvfs_stat *st);

/* xattrs.c */
int mvfs__fs_setxattr(const struct mvfs__from *from,
		      const struct mvfs__at *at, unsigned flags,
		      const char *name, const void *value, size_t size,
		      int how);
int mvfs__fs_removexattr(const struct mvfs__from *from,
			 const struct mvfs__at *at, unsigned flags,
			 const char *name);
int64_t mvfs__fs_getxattr(const struct mvfs__from *from,
			  const struct mvfs__at *at, unsigned flags,
			  const char *name, void *value, size_t size);
int64_t mvfs__fs_listxattr(const struct mvfs__from *from,
			   const struct mvfs__at *at, unsigned flags,
			   char *names, size_t size);

/* open.c */
struct mvfs__opening {
	int flags;
	uint32_t mode;
	unsigned pin;
	bool by_file; /* a file for an adapter, no descriptor */
};
struct mvfs__opened {
	int fd;
	bool created;
	struct mvfs_file *file;
	struct mvfs_stat st;
};
int mvfs__fs_open(const struct mvfs__from *from, const struct mvfs__at *at,
		  const struct mvfs__opening *how, struct mvfs__opened *out);
int mvfs__fs_close(const struct mvfs__from *from, const struct mvfs__on *on);
int mvfs__fs_dup(const struct mvfs__from *from, int fd, int to);
int mvfs__fs_getfl(const struct mvfs__from *from, int fd);
int mvfs__fs_setfl(const struct mvfs__from *from, int fd, int flags);

/*
 * `rc`, why a call is refused; but Linux sees first whether there is such a
 * descriptor, and one opened for that access (R_OK, W_OK).
 */
int mvfs__fs_refuse(const struct mvfs__from *from, int fd, unsigned access,
		    int rc);

/* data.c: offset -1 is the file's own, which then moves */
enum { MVFS__OWN_OFFSET = -1 };
int64_t mvfs__fs_read(const struct mvfs__from *from, const struct mvfs__on *on,
		      const struct mvfs_iovec *iov, size_t count,
		      int64_t offset);
enum mvfs__append {
	MVFS__APPEND_BY_FLAG, /* as the file was opened */
	MVFS__APPEND_NO,
	MVFS__APPEND_YES
};
int64_t mvfs__fs_write(const struct mvfs__from *from,
		       const struct mvfs__on *on,
		       const struct mvfs_iovec *iov, size_t count,
		       int64_t offset, enum mvfs__append append);
int64_t mvfs__fs_extents(const struct mvfs__from *from,
			 const struct mvfs__on *on, int64_t offset,
			 size_t len, struct mvfs_extent *extents,
			 size_t capacity);
void mvfs__fs_extents_release(struct mvfs_extent *extents, size_t count);
int mvfs__fs_fsync(const struct mvfs__from *from, const struct mvfs__on *on,
		   bool data);
int mvfs__fs_sync(const struct mvfs__from *from);

/* range.c */
int64_t mvfs__fs_lseek(const struct mvfs__from *from,
		       const struct mvfs__on *on, int64_t offset, int whence,
		       bool moves);
int mvfs__fs_fallocate(const struct mvfs__from *from,
		       const struct mvfs__on *on, int mode, int64_t offset,
		       int64_t len);
int64_t mvfs__fs_copy_range(const struct mvfs__from *from,
			    const struct mvfs__on *in, int64_t in_offset,
			    const struct mvfs__on *out, int64_t out_offset,
			    uint64_t len);
int mvfs__fs_clone_file(const struct mvfs__from *from,
			const struct mvfs__on *in, const struct mvfs__on *out);

/* list.c */
int mvfs__fs_opendir(const struct mvfs__from *from, const struct mvfs__at *at,
		     unsigned flags, struct mvfs_dir **dir);
int mvfs__fs_readdir(struct mvfs_dir *dir, struct mvfs_dirent *entry);
int mvfs__fs_seekdir(struct mvfs_dir *dir, uint64_t cookie);
int mvfs__fs_rewinddir(struct mvfs_dir *dir);
int mvfs__fs_closedir(struct mvfs_dir *dir);
int64_t mvfs__fs_list(const struct mvfs__from *from, const struct mvfs__on *on,
		      uint64_t cookie, struct mvfs_dirent *entries,
		      size_t capacity);
int mvfs__fs_walk(const struct mvfs__from *from, const char *path,
		  unsigned flags, mvfs_walk_fn *fn, void *ctx);

/* string.c */
int mvfs__fs_read_string(const struct mvfs__from *from,
			 const struct mvfs__at *at, const struct mvfs__on *on,
			 const struct mvfs_charset *charset, unsigned flags,
			 struct mvfs_string *string,
			 struct mvfs_error *error);
int mvfs__fs_read_file(const struct mvfs__from *from,
		       const struct mvfs__at *at, struct mvfs_string *bytes);
int mvfs__fs_read_lines(const struct mvfs__from *from,
			const struct mvfs__at *at, const struct mvfs__on *on,
			const struct mvfs_charset *charset, unsigned flags,
			uint64_t first, uint64_t count,
			struct mvfs_lines *lines, struct mvfs_error *error);

/* write_whole.c */
/* The buffer's bytes become the file's; takes the reference over. */
int mvfs__fs_write_buffer(const struct mvfs__from *from,
			  const struct mvfs__at *at,
			  struct mvfs__buffer *buffer, uint64_t start,
			  uint64_t length);
int mvfs__fs_write_string(const struct mvfs__from *from,
			  const struct mvfs__at *at,
			  const struct mvfs_string *string,
			  const struct mvfs_charset *charset,
			  struct mvfs_error *error);
int mvfs__fs_write_file(const struct mvfs__from *from,
			const struct mvfs__at *at, const void *bytes,
			size_t len);
int mvfs__fs_write_adopt(const struct mvfs__from *from,
			 const struct mvfs__at *at, void *bytes, size_t len,
			 mvfs_free_fn *free_fn, void *ctx);
int mvfs__fs_append_string(const struct mvfs__from *from,
			   const struct mvfs__at *at,
			   const struct mvfs_string *string,
			   const struct mvfs_charset *charset,
			   struct mvfs_error *error);

/* stream.c */
int mvfs__fs_data_out(const struct mvfs__from *from, int fd,
		      struct mvfs_data_out *out);
int mvfs__fs_data_out_file(const struct mvfs__from *from,
			   const struct mvfs__at *at,
			   struct mvfs_data_out *out);
int mvfs__fs_data_in(const struct mvfs__from *from, const struct mvfs__at *at,
		     struct mvfs_data_in *in);

/* locks.c */
int mvfs__fs_flock(const struct mvfs__from *from, const struct mvfs__on *on,
		   int operation, bool may_wait);
/* owner 0: the view's */
int mvfs__fs_setlk(const struct mvfs__from *from, const struct mvfs__on *on,
		   uint64_t owner, const struct mvfs_lock *lock,
		   unsigned flags);
int mvfs__fs_getlk(const struct mvfs__from *from, const struct mvfs__on *on,
		   uint64_t owner, struct mvfs_lock *lock, unsigned flags);
int mvfs__fs_flush(const struct mvfs__from *from, const struct mvfs__on *on,
		   uint64_t owner);
uint64_t mvfs__fs_locks_wait(mvfs *view, uint64_t seen, int timeout_ms);
void mvfs__fs_locks_wake(mvfs *view);

#endif
