/* SPDX-License-Identifier: MIT */
/*
 * The second tier, for adapters (FUSE and the like): the same calls by inode
 * number and name, with explicit credentials, open files as pointers, and
 * pins. May grow between minor versions where the first tier does not.
 *
 * A name is one component: no '/', not "." or ".." (-EINVAL), at most 255
 * bytes. Calls that return a `struct mvfs_stat` for a name add `pin` pins
 * (references that keep an inode's number usable after its last name went)
 * to the inode, atomically with the call; mvfs_sys_unpin() takes them back.
 */
#ifndef MEMVFS_SYS_H
#define MEMVFS_SYS_H

#include <memvfs/instance.h>
#include <memvfs/listing.h>
#include <memvfs/locks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Who acts, instead of the view's own user. */
struct mvfs_actor {
	uint32_t uid, gid;
	uint32_t umask;
	const uint32_t *groups;
	size_t group_count;
};

/* An open file; from mvfs_sys_open() until mvfs_sys_close(). */
struct mvfs_file;

/*
 * A view for an adapter, just like `fs`, to be dropped by mvfs_destroy(). It
 * does not keep the instance from ending: as long as there is one, dropping
 * the last view of the ordinary kind is -EBUSY. The pins that are taken
 * through it belong to it and end with it (a kernel that unmounts forgets
 * without a message). -EINVAL: MVFS_CONFINED.
 */
MVFS_API MVFS_NODISCARD int mvfs_sys_attach(mvfs *fs, mvfs **view);

/* The inode of the view's root. */
MVFS_API uint64_t mvfs_sys_root(mvfs *fs);
/* Takes `count` pins back; the inode may end by it. */
MVFS_API void mvfs_sys_unpin(mvfs *fs, uint64_t ino, uint64_t count);

/* ".." is allowed here. */
MVFS_API int mvfs_sys_lookup(mvfs *fs, const struct mvfs_actor *actor,
			     uint64_t parent, const char *name, unsigned pin,
			     struct mvfs_stat *st);
/* `file` may be NULL; with it, permissions were settled by its opening. */
MVFS_API int mvfs_sys_stat(mvfs *fs, uint64_t ino, struct mvfs_stat *st);
MVFS_API int mvfs_sys_access(mvfs *fs, const struct mvfs_actor *actor,
			     uint64_t ino, int mode);

#define MVFS_SET_MODE 1u
#define MVFS_SET_UID 2u
#define MVFS_SET_GID 4u
#define MVFS_SET_SIZE 8u
#define MVFS_SET_ATIME 16u /* nsec may be MVFS_TIME_NOW */
#define MVFS_SET_MTIME 32u
/* Applies all of `set`, or nothing; *st is the result (and may be in). */
MVFS_API int mvfs_sys_setattr(mvfs *fs, const struct mvfs_actor *actor,
			      uint64_t ino, struct mvfs_file *file,
			      unsigned set, const struct mvfs_stat *values,
			      struct mvfs_stat *st);
MVFS_API int64_t mvfs_sys_readlink(mvfs *fs, uint64_t ino, char *to,
				   size_t len);

/* Regular files, fifos, sockets and devices. */
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

/* O_CREAT, O_EXCL and O_NOFOLLOW mean nothing here; O_TRUNC does. */
MVFS_API int mvfs_sys_open(mvfs *fs, const struct mvfs_actor *actor,
			   uint64_t ino, int flags, struct mvfs_file **file);
/* open(2) with O_CREAT of one name: *created tells which of the two it was.
 * A symlink of that name is -ELOOP. */
MVFS_API int mvfs_sys_create(mvfs *fs, const struct mvfs_actor *actor,
			     uint64_t parent, const char *name, uint32_t mode,
			     int flags, unsigned pin, struct mvfs_stat *st,
			     int *created, struct mvfs_file **file);
MVFS_API int mvfs_sys_tmpfile(mvfs *fs, const struct mvfs_actor *actor,
			      uint64_t parent, uint32_t mode, int flags,
			      unsigned pin, struct mvfs_stat *st,
			      struct mvfs_file **file);
MVFS_API int mvfs_sys_close(mvfs *fs, struct mvfs_file *file);

MVFS_API int64_t mvfs_sys_read(mvfs *fs, struct mvfs_file *file, void *to,
			       size_t len, int64_t offset);
/* `append`: at the end of the file, whatever the offset. */
MVFS_API int64_t mvfs_sys_write(mvfs *fs, const struct mvfs_actor *actor,
				struct mvfs_file *file, const void *from,
				size_t len, int64_t offset, int append);

/* Bytes of a file handed out without a copy; base NULL: zeros. */
struct mvfs_extent {
	const void *base;
	size_t len;
	void *owner;
};
/*
 * References to what is in the range, up to the end of the file: returns how
 * many extents (at most `capacity`), which stay valid and unchanged until
 * they are released.
 */
MVFS_API int64_t mvfs_sys_extents(mvfs *fs, struct mvfs_file *file,
				  int64_t offset, size_t len,
				  struct mvfs_extent *extents,
				  size_t capacity);
MVFS_API void mvfs_sys_extents_release(struct mvfs_extent *extents,
				       size_t count);

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
 * Up to `capacity` entries of the live directory behind the cookie (0: from
 * "." and ".." on), in the order of keys; returns how many, 0 at the end.
 */
MVFS_API int64_t mvfs_sys_list(mvfs *fs, struct mvfs_file *dir,
			       uint64_t cookie, struct mvfs_dirent *entries,
			       size_t capacity);

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
 * Locks. POSIX owners are the adapter's numbers. None of these waits: what
 * cannot be had is -EAGAIN, and mvfs_sys_locks_wait() tells when to try
 * again: it returns a counter that differs from `seen` once any lock of the
 * instance has been released since, or after `timeout_ms` (-1: none).
 */
MVFS_API int mvfs_sys_flock(mvfs *fs, struct mvfs_file *file, int operation);
MVFS_API int mvfs_sys_setlk(mvfs *fs, struct mvfs_file *file, uint64_t owner,
			    const struct mvfs_lock *lock);
MVFS_API int mvfs_sys_getlk(mvfs *fs, struct mvfs_file *file, uint64_t owner,
			    struct mvfs_lock *lock);
/* close(2) of one descriptor by that owner: its POSIX locks end. */
MVFS_API int mvfs_sys_flush(mvfs *fs, struct mvfs_file *file, uint64_t owner);
MVFS_API uint64_t mvfs_sys_locks_wait(mvfs *fs, uint64_t seen,
				      int timeout_ms);
/* Counts and wakes as the release of a lock does: for an adapter that ends. */
MVFS_API void mvfs_sys_locks_wake(mvfs *fs);

#ifdef __cplusplus
}
#endif

#endif
