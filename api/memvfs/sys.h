/* SPDX-License-Identifier: MIT */
/*
 * The second tier, for adapters (FUSE and the like): the calls of the first
 * by inode number and name instead of path, with explicit users, open files
 * as pointers instead of descriptors, and pins. It may grow and change between
 * minor versions where the first tier does not; its symbols have nodes of
 * their own.
 *
 * Each call has the effect, the rules and the errors of its namesake of the
 * first tier, except as said here:
 *
 * - A *name* is one component: at most 255 bytes (-ENAMETOOLONG), not empty,
 *   without '/', neither "." nor ".." (all -EINVAL). Symlinks are never
 *   followed: the adapter's own walk does that, one look-up a component.
 * - `parent` is a directory's inode, else -ENOTDIR; with the permission to
 *   search it, else -EACCES. An inode that is not there is -ENOENT, 0 is
 *   -EINVAL.
 * - `actor` is who acts; NULL: the view's user. Calls without one act on what
 *   an earlier call was allowed to have.
 * - A file is good in the instance that it was opened in. NULL is -EINVAL.
 * - *st, where it may be NULL, is what the inode is after the call.
 * - -EINVAL: the view is NULL; -EFAULT: another pointer is, and must not be.
 *
 * Pins. Calls that store attributes for a name take `pin`: so many references
 * are added to the inode, in the same step, which keep its number good after
 * its last name went; mvfs_sys_unpin() takes them back. That is how a kernel
 * counts what it looked up. They belong to the view.
 */
#ifndef MEMVFS_SYS_H
#define MEMVFS_SYS_H

#include <memvfs/instance.h>
#include <memvfs/listing.h>
#include <memvfs/locks.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Who acts, instead of the view's own user. All of it is the caller's, and is
 * not used after the call.
 *
 * @since 0.1.0
 */
struct mvfs_actor {
	uint32_t uid, gid;
	uint32_t umask;         /* for what is created; 0: it was taken away */
	const uint32_t *groups; /* supplementary; NULL if there are none */
	size_t group_count;
};

/*
 * An open file; from mvfs_sys_open(), mvfs_sys_create() or mvfs_sys_tmpfile()
 * until mvfs_sys_close(), or until mvfs_destroy() of the view that it was
 * opened through. Calls on one may be made by several threads at once, but
 * for its closing.
 *
 * @since 0.1.0
 */
struct mvfs_file;

/*
 * Makes a view for an adapter, just like `fs`, and stores it in *view; to be
 * dropped by mvfs_destroy(). It does not keep the instance from ending: as
 * long as there is one, dropping the last view of the ordinary kind is
 * -EBUSY. The pins that are taken through it, and the files that are opened
 * through it, belong to it and end with it (a kernel that unmounts forgets
 * without a message).
 *
 * With MVFS_SYS_CACHES the adapter says that some of its users' calls are
 * answered elsewhere, from what was read before, and never come here. Such
 * calls no rule can fail and no log can have: as long as there is such a
 * view, mvfs_fault_add() and mvfs_log_start() are -EBUSY.
 *
 * Returns 0, or
 * -EINVAL  the instance is MVFS_CONFINED, or a flag is not known;
 * -EBUSY   MVFS_SYS_CACHES, and the instance has rules, or a log that runs;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
#define MVFS_SYS_CACHES 1u
MVFS_API MVFS_NODISCARD int mvfs_sys_attach(mvfs *fs, unsigned flags,
					    mvfs **view);

/*
 * What became of an inode: it is another than it was (CHANGED), it is there
 * again (BACK), or it is not there any more (GONE), though what is open or
 * pinned keeps it.
 *
 * @since 0.1.0
 */
#define MVFS_SYS_CHANGED 0u
#define MVFS_SYS_BACK 1u
#define MVFS_SYS_GONE 2u

struct mvfs_sys_change {
	uint64_t ino;
	uint32_t mode; /* as it is now; if it is gone, as it was */
	uint32_t what; /* MVFS_SYS_* */
};

/*
 * What an adapter is told of mvfs_restore(), whoever calls it; by the thread
 * that does, with no lock held. It may make calls, but for mvfs_restore(),
 * mvfs_sys_listen() and mvfs_destroy().
 *
 * @since 0.1.0
 */
struct mvfs_sys_listener {
	/* Before anything changes: bytes that were written but have not come
	 * here yet are to be written now. A result that is not 0 is that of
	 * mvfs_restore(), which then does nothing. May be NULL. */
	int (*before)(void *ctx);
	/* Afterwards, for each inode that is not what it was. Not NULL. */
	void (*after)(void *ctx, const struct mvfs_sys_change *change);
	void *ctx; /* passed on to both */
};

/*
 * Lets the listener of the view be that one, of which a copy is made, or none
 * (NULL). When it returns, no call to the one before is running.
 *
 * Returns 0; -EINVAL: `fs` is NULL; -EFAULT: `after` is.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_sys_listen(mvfs *fs,
			     const struct mvfs_sys_listener *listener);

/*
 * The inode of the view's root; never fails. Of a view with the root of the
 * instance it is 1.
 *
 * @since 0.1.0
 */
MVFS_API uint64_t mvfs_sys_root(mvfs *fs);

/*
 * Takes `count` pins of this view back, or as many as there are. An inode
 * without names that nothing has open or pinned ends by it.
 *
 * @since 0.1.0
 */
MVFS_API void mvfs_sys_unpin(mvfs *fs, uint64_t ino, uint64_t count);

/*
 * Finds a name and stores the attributes of what it leads to. ".." is allowed
 * here, and gives the directory above (of the root: itself).
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_sys_lookup(mvfs *fs, const struct mvfs_actor *actor,
			     uint64_t parent, const char *name, unsigned pin,
			     struct mvfs_stat *st);

/*
 * Stores the attributes of an inode; mvfs_sys_access() tells whether the actor
 * may do to it what `mode` says (R_OK, W_OK, X_OK of <unistd.h>).
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_sys_stat(mvfs *fs, uint64_t ino, struct mvfs_stat *st);
MVFS_API int mvfs_sys_access(mvfs *fs, const struct mvfs_actor *actor,
			     uint64_t ino, int mode);

/*
 * Which attributes mvfs_sys_setattr() sets. The nsec of a time may be
 * MVFS_TIME_NOW.
 *
 * @since 0.1.0
 */
#define MVFS_SET_MODE 1u
#define MVFS_SET_UID 2u
#define MVFS_SET_GID 4u
#define MVFS_SET_SIZE 8u
#define MVFS_SET_ATIME 16u
#define MVFS_SET_MTIME 32u

/*
 * Sets all attributes of `set` to those of *values, or, when any of them is
 * refused, none; ctime moves. With a `file`, which must be one of the inode,
 * its size is set by the right to write that the opening gave (-EINVAL: it
 * gave none). `st` may be NULL, and may be `values`.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_sys_setattr(mvfs *fs, const struct mvfs_actor *actor,
			      uint64_t ino, struct mvfs_file *file,
			      unsigned set, const struct mvfs_stat *values,
			      struct mvfs_stat *st);

/*
 * mvfs_readlink(): stores where the symlink leads to, cut to `len` bytes and
 * not terminated, and returns how many bytes were stored.
 *
 * @since 0.1.0
 */
MVFS_API int64_t mvfs_sys_readlink(mvfs *fs, uint64_t ino, char *to,
				   size_t len);

/*
 * Make what the name is to lead to: regular files, fifos, sockets and devices
 * (`mode` has their type, -EINVAL without), directories, symlinks. `st` may be
 * NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_sys_mknod(mvfs *fs, const struct mvfs_actor *actor,
			    uint64_t parent, const char *name, uint32_t mode,
			    uint64_t rdev, unsigned pin,
			    struct mvfs_stat *st);
MVFS_API int mvfs_sys_mkdir(mvfs *fs, const struct mvfs_actor *actor,
			    uint64_t parent, const char *name, uint32_t mode,
			    unsigned pin, struct mvfs_stat *st);
MVFS_API int mvfs_sys_symlink(mvfs *fs, const struct mvfs_actor *actor,
			      const char *target, uint64_t parent,
			      const char *name, unsigned pin,
			      struct mvfs_stat *st);

/*
 * Take names away, move them (`flags`: MVFS_RENAME_* of memvfs/path.h), and
 * give an inode a further one, or a file of mvfs_sys_tmpfile() its first.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_sys_unlink(mvfs *fs, const struct mvfs_actor *actor,
			     uint64_t parent, const char *name);
MVFS_API int mvfs_sys_rmdir(mvfs *fs, const struct mvfs_actor *actor,
			    uint64_t parent, const char *name);
MVFS_API int mvfs_sys_rename(mvfs *fs, const struct mvfs_actor *actor,
			     uint64_t from_parent, const char *from,
			     uint64_t to_parent, const char *to,
			     unsigned flags);
MVFS_API int mvfs_sys_link(mvfs *fs, const struct mvfs_actor *actor,
			   uint64_t ino, uint64_t parent, const char *name,
			   unsigned pin, struct mvfs_stat *st);

/*
 * Opens an inode and stores the open file in *file. O_CREAT, O_EXCL and
 * O_NOFOLLOW mean nothing here; O_TRUNC does. A symlink is -ELOOP.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_sys_open(mvfs *fs, const struct mvfs_actor *actor,
			   uint64_t ino, int flags, struct mvfs_file **file);

/*
 * open(2) with O_CREAT of one name, in one step: opens what is there, or makes
 * a regular file; *created tells which of the two it was (1: made). A symlink
 * of that name is -ELOOP. `st` and `created` may be NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_sys_create(mvfs *fs, const struct mvfs_actor *actor,
			     uint64_t parent, const char *name, uint32_t mode,
			     int flags, unsigned pin, struct mvfs_stat *st,
			     int *created, struct mvfs_file **file);

/*
 * open(2) with O_TMPFILE in a directory: a file without a name, which
 * mvfs_sys_link() gives one, unless `flags` has O_EXCL. `st` may be NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_sys_tmpfile(mvfs *fs, const struct mvfs_actor *actor,
			      uint64_t parent, uint32_t mode, int flags,
			      unsigned pin, struct mvfs_stat *st,
			      struct mvfs_file **file);

/*
 * Closes and frees an open file. Its flock lock ends, and so do all record
 * locks that were set through it, whoever owns them. Returns 0.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_sys_close(mvfs *fs, struct mvfs_file *file);

/*
 * Read at an offset, and write at one or, with `append`, at the end of the
 * file, whatever the offset and whether or not it was opened with O_APPEND.
 * The actor decides whether setuid and setgid bits fall.
 *
 * @since 0.1.0
 */
MVFS_API int64_t mvfs_sys_read(mvfs *fs, struct mvfs_file *file, void *to,
			       size_t len, int64_t offset);
MVFS_API int64_t mvfs_sys_write(mvfs *fs, const struct mvfs_actor *actor,
				struct mvfs_file *file, const void *from,
				size_t len, int64_t offset, int append);

/*
 * Bytes of a file, handed out without a copy. They must not be written to,
 * and may have anything behind them.
 *
 * @since 0.1.0
 */
struct mvfs_extent {
	const void *base; /* NULL: a hole or reserved space, so zeros */
	size_t len;       /* in bytes */
	void *owner;      /* what keeps them; the library's */
};

/*
 * Stores references to what is in the range, up to the end of the file, one
 * extent behind the other, at most `capacity` and at most 8 in one call: go
 * on behind the last where the range was not covered. They stay valid and
 * unchanged, whatever happens to the file or the instance, until
 * mvfs_sys_extents_release(). This is what to use where one would map a file.
 *
 * Returns how many were stored, 0 at the end of the file; or -EBADF, -EISDIR,
 * -EINVAL as for mvfs_pread().
 *
 * @since 0.1.0
 */
MVFS_API int64_t mvfs_sys_extents(mvfs *fs, struct mvfs_file *file,
				  int64_t offset, size_t len,
				  struct mvfs_extent *extents,
				  size_t capacity);

/*
 * Drops the references of `count` extents, which are {0} afterwards. On any
 * thread; the instance may have ended.
 *
 * @since 0.1.0
 */
MVFS_API void mvfs_sys_extents_release(struct mvfs_extent *extents,
				       size_t count);

/*
 * mvfs_lseek(), mvfs_fallocate(), mvfs_copy_file_range() and mvfs_fsync() of
 * an open file. Seeking tells the offset and moves nothing, so SEEK_CUR counts
 * from 0.
 *
 * @since 0.1.0
 */
MVFS_API int64_t mvfs_sys_seek(mvfs *fs, struct mvfs_file *file,
			       int64_t offset, int whence);
MVFS_API int mvfs_sys_fallocate(mvfs *fs, const struct mvfs_actor *actor,
				struct mvfs_file *file, int mode,
				int64_t offset, int64_t len);
MVFS_API int64_t mvfs_sys_copy_range(mvfs *fs, const struct mvfs_actor *actor,
				     struct mvfs_file *in, int64_t in_offset,
				     struct mvfs_file *out,
				     int64_t out_offset, size_t len);
MVFS_API int mvfs_sys_fsync(mvfs *fs, struct mvfs_file *file, int datasync);

/*
 * Stores up to `capacity` entries of the directory as it is now, behind the
 * cookie, in the order of cookies; 0 is the start, from "." and ".." on. A
 * cookie is good after any change, and in any open file of the directory; so
 * every name that stays comes exactly once.
 *
 * Returns how many were stored, 0 at the end; -ENOTDIR: it is no directory.
 *
 * @since 0.1.0
 */
MVFS_API int64_t mvfs_sys_list(mvfs *fs, struct mvfs_file *dir,
			       uint64_t cookie, struct mvfs_dirent *entries,
			       size_t capacity);

/*
 * Extended attributes of an inode: see memvfs/xattrs.h.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_sys_setxattr(mvfs *fs, const struct mvfs_actor *actor,
			       uint64_t ino, const char *name,
			       const void *value, size_t size, int flags);
MVFS_API int64_t mvfs_sys_getxattr(mvfs *fs, const struct mvfs_actor *actor,
				   uint64_t ino, const char *name,
				   void *value, size_t size);
MVFS_API int64_t mvfs_sys_listxattr(mvfs *fs, const struct mvfs_actor *actor,
				    uint64_t ino, char *names, size_t size);
MVFS_API int mvfs_sys_removexattr(mvfs *fs, const struct mvfs_actor *actor,
				  uint64_t ino, const char *name);

/*
 * Locks: see memvfs/locks.h. `owner` is a number of the adapter's, not 0: who
 * a record lock belongs to, POSIX or OFD. None of these waits, with LOCK_NB
 * or without: what cannot be had is -EAGAIN, and mvfs_sys_locks_wait() tells
 * when to try again.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_sys_flock(mvfs *fs, struct mvfs_file *file, int operation);
MVFS_API int mvfs_sys_setlk(mvfs *fs, struct mvfs_file *file, uint64_t owner,
			    const struct mvfs_lock *lock);
MVFS_API int mvfs_sys_getlk(mvfs *fs, struct mvfs_file *file, uint64_t owner,
			    struct mvfs_lock *lock);

/*
 * close(2) of one descriptor by that owner: all record locks that the owner
 * has on the file end. Nobody called for that, so no fault rule meets it and
 * no log has it.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_sys_flush(mvfs *fs, struct mvfs_file *file, uint64_t owner);

/*
 * Waits until any lock of the instance has been released, and at most
 * `timeout_ms` milliseconds (-1: without limit). Returns a counter of
 * releases: read it with a timeout of 0 before trying for a lock, and pass it
 * as `seen` to wait for what was released since.
 *
 * @since 0.1.0
 */
MVFS_API uint64_t mvfs_sys_locks_wait(mvfs *fs, uint64_t seen,
				      int timeout_ms);

/*
 * Counts and wakes as the release of a lock does: for an adapter that ends.
 *
 * @since 0.1.0
 */
MVFS_API void mvfs_sys_locks_wake(mvfs *fs);

#ifdef __cplusplus
}
#endif

#endif
