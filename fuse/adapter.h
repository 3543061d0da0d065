/* SPDX-License-Identifier: MIT */
/*
 * Inside libmemvfs-fuse.
 *
 *   mount.c     the life of a mount: making, waiting, ending
 *   options.c   what stands behind -o
 *   faults.c    the rules of a file
 *   told.c      what the kernel is told of a restore
 *   revived.c   directories that are there again after one
 *   ctl.c ctl_snapshots.c ctl_crash.c  what another process asks for: memvfs/ctl.h
 *   host.c      the kernel's side: directories, mount(2), umount2(2)
 *   mountinfo.c what is mounted where
 *   serve.c     the threads
 *   registry.c  the mounts of the process, at fork(2) and exit(3)
 *   ops.c       the table of operations and what is agreed at the beginning
 *   actor.c     who acts
 *   names.c attrs.c xattrs.c files.c data.c dirs.c locks.c   operations
 *   owners.c    who locked
 *   fusermount.c  the helper of ordinary users
 *
 * Node id 1 is the root of the mount's view. The root's own inode number is
 * mapped to 1, and inode number 1, should it ever come into sight, to the
 * root's number: a swap, so that no two inodes share a node id whatever the
 * view's root is. All other numbers pass through. What stat(2) shows as st_ino
 * is the library's own number always.
 *
 * The kernel's lookup counts are pins of the mount's view.
 */
#ifndef MVFS_FUSE_ADAPTER_H
#define MVFS_FUSE_ADAPTER_H

#include <config.h>

#define FUSE_USE_VERSION 312
#include <fuse_lowlevel.h>

#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include <memvfs/crash.h>
#include <memvfs/fuse.h>
#include <memvfs/sys.h>

/* What -o and the option struct come to. */
struct mvfs__options {
	unsigned long ms_flags; /* MS_*, for mount(2) */
	int allow_other;
	int uncached;           /* cache=none */
	char *faults;           /* a file of rules; owned; or NULL */
	unsigned max_read;      /* 0: not said */
	unsigned max_threads;
	char *fsname;           /* owned */
	int janitor;            /* temp.c's; -1: none */
};

/* Rules that a file had, as numbers of the instance's. */
struct mvfs__faults {
	uint64_t *ids;
	size_t count;
};

struct mvfs__worker;
struct mvfs__pending;
struct mvfs__lock_owner;
struct mvfs__session;
struct mvfs__named;
struct mvfs__revived;

/* An open file or directory, as the kernel's fh. */
struct mvfs__handle {
	struct mvfs_file *file;
	uint64_t written;                 /* the node, if it may be; or 0 */
	struct mvfs__session *session;    /* in place of a file; or NULL */
	struct mvfs__handle *prev, *next; /* of the mount's, under `lock` */
	struct mvfs__held *held;          /* locks.c, under locks.lock */
};

struct mvfs__locks {
	pthread_mutex_t lock;
	pthread_cond_t wanted;            /* something is pending, or the end */
	struct mvfs__pending *pending;    /* in order of arrival */
	struct mvfs__lock_owner *owners;  /* a uthash table */
	pthread_t waiter;
	int waiting;                      /* the waiter was started */
	int ending;
};

struct mvfs_mount {
	mvfs *fs;                    /* attached; the kernel's pins */
	uint64_t root;               /* its root's inode number */
	struct fuse_session *session;
	char *dir;                   /* where; it may have moved since */
	uint64_t dev;                /* st_dev of what is mounted */
	unsigned max_threads;
	int uncached;                /* every call is to be a message */
	uid_t owner;                 /* who mounted */
	struct mvfs__faults faults;  /* that came with it */

	struct mvfs_mount *next;     /* registry.c; all five of its lock */
	int fd;                      /* of /dev/fuse; -1: not mounted yet */
	int janitor;                 /* temp.c's end of the pipe; or -1 */
	int claimed;                 /* somebody is ending it */
	int inherited;               /* by fork(2): it is the parent's */
	int session_has_fd;          /* it closes it */

	sem_t over;                  /* posted by whatever ends the waiting */
	atomic_int stopped;          /* mvfs_mount_stop() was called */
	atomic_int gone;             /* the kernel closed the connection */
	atomic_int failed;           /* why serving ended, if not for that */
	atomic_int answer_killpriv;  /* see device.c */
	atomic_int any_revived;      /* see revived.c */

	pthread_mutex_t lock;        /* of all that follows */
	struct mvfs__worker *workers;
	unsigned worker_count, idle;
	int ending;                  /* no new workers */
	struct mvfs__handle *handles;
	struct mvfs__named *snapshots;
	struct mvfs_crash_options crash; /* as the tracking began */
	struct mvfs__revived *revived; /* a uthash table */
	uint64_t all_revived;
	pthread_cond_t errand_done;
	unsigned errands;            /* threads that serve an ioctl */
	int no_errands;              /* any more */

	struct mvfs__locks locks;
};

/* Stores the message and returns the code (< 0). */
int mvfs__fuse_error(struct mvfs_error *error, int code, const char *format,
		     ...) MVFS_PRINTF(3, 4);

/* mount.c: mvfs_mount(), with a janitor, or -1. */
int mvfs__mount_with(mvfs *fs, const char *dir,
		     const struct mvfs_mount_options *options, int janitor,
		     struct mvfs_mount **mount, struct mvfs_error *error);

/* temp.c: removes the directory of a mount that is off it, and its janitor. */
void mvfs__temp_end(struct mvfs_mount *mount);

/* device.c: libfuse serves that descriptor of /dev/fuse, which is its own if
 * that succeeds. */
int mvfs__device_give(struct mvfs_mount *mount, int fd);

/* options.c */
int mvfs__options_read(const struct mvfs_mount_options *from,
		       struct mvfs__options *to, struct mvfs_error *error);
void mvfs__options_free(struct mvfs__options *options);
/* For mount(2) with a descriptor, or (fd -1) for fusermount3; malloc'd. */
char *mvfs__options_text(const struct mvfs__options *options, int fd);

/* faults.c: adds the rules of a file, or none of them. */
int mvfs__faults_add(mvfs *fs, const char *path, struct mvfs__faults *faults,
		     struct mvfs_error *error);
/* Removes them. */
void mvfs__faults_remove(mvfs *fs, struct mvfs__faults *faults);

/* ctl.c */
/* Whether opening a directory is meant so; then, by mvfs__ctl_open(). */
int mvfs__ctl_wanted(fuse_ino_t node, int flags);
void mvfs__ctl_open(fuse_req_t req, struct fuse_file_info *fi);
void mvfs__ctl_close(struct mvfs__session *session);
void mvfs__op_ioctl(fuse_req_t req, fuse_ino_t node, unsigned number,
		    void *arg, struct fuse_file_info *fi, unsigned flags,
		    const void *in, size_t in_size, size_t out_size);
/* Waits for those that have a thread. Workers have to run. */
void mvfs__ctl_stop(struct mvfs_mount *mount);

/* ctl_snapshots.c */
void mvfs__snapshots_free(struct mvfs_mount *mount);

/* revived.c */
void mvfs__revive(struct mvfs_mount *mount, uint64_t ino);
uint64_t mvfs__generation(struct mvfs_mount *mount,
			  const struct mvfs_stat *st);
void mvfs__revived_free(struct mvfs_mount *mount);

/* told.c */
int mvfs__told_start(struct mvfs_mount *mount);
/* Nothing is told any more when it returns. Workers have to run. */
void mvfs__told_stop(struct mvfs_mount *mount);

/* mountinfo.c */
#define MVFS__FUSE_TYPE "fuse.memvfs"
struct mvfs__mounted {
	uint64_t dev;
	char dir[PATH_MAX];
};
/*
 * The last mount (which is the uppermost at its place) of that device, or,
 * dev 0, at that directory. 1, 0, or why that could not be found out.
 */
int mvfs__mounted_find(uint64_t dev, const char *dir,
		       struct mvfs__mounted *to);
/* The device number of the uppermost memvfs mount at `dir`; 0: none. */
uint64_t mvfs__mounted_at(const char *dir);

/* host.c */
int mvfs__host_check(const char *dir, char **absolute,
		     struct mvfs_error *error);
/* The descriptor of /dev/fuse of the new mount. */
int mvfs__host_mount(const char *dir, const struct mvfs__options *options,
		     struct mvfs_error *error);
/* Takes a device off all its places; 0 also if there is none. `dir`: where
 * it was mounted, for hosts without /proc. */
int mvfs__host_unmount(uint64_t dev, const char *dir);
/* Of what stands at a path; asks the file system only if told to. */
int mvfs__host_device(const char *path, int ask, uint64_t *dev);

/* fusermount.c: 0 or an errno, and what it printed */
int mvfs__fusermount_mount(const char *dir, const char *options,
			   struct mvfs_error *error);
int mvfs__fusermount_unmount(const char *dir, int lazy);

/* mount.c: takes it off its directory and frees it */
int mvfs__end(struct mvfs_mount *mount);

/* registry.c */
/* Mounts on mount->dir. */
int mvfs__registry_mount(struct mvfs_mount *mount,
			 const struct mvfs__options *options,
			 struct mvfs_error *error);
/* 1: the caller, and nobody else, may end the mount. */
int mvfs__registry_claim(struct mvfs_mount *mount);
void mvfs__registry_unclaim(struct mvfs_mount *mount);
/* Closes the connection. */
void mvfs__registry_close(struct mvfs_mount *mount);

/* serve.c */
int mvfs__serve_start(struct mvfs_mount *mount);
void mvfs__serve_stop(struct mvfs_mount *mount);

/* ops.c */
extern const struct fuse_lowlevel_ops mvfs__fuse_ops;

/* Inode number to node id and back: the same swap. */
static inline uint64_t mvfs__node(const struct mvfs_mount *mount, uint64_t ino)
{
	if (ino == FUSE_ROOT_ID)
		return mount->root;
	return ino == mount->root ? FUSE_ROOT_ID : ino;
}

static inline struct mvfs_mount *mvfs__mount(fuse_req_t req)
{
	return fuse_req_userdata(req);
}

static inline struct mvfs__handle *mvfs__handle(const struct fuse_file_info *fi)
{
	return (struct mvfs__handle *)(uintptr_t)fi->fh;
}

static inline struct mvfs_file *mvfs__file(const struct fuse_file_info *fi)
{
	return mvfs__handle(fi)->file;
}

/* actor.c */
struct mvfs__acting {
	fuse_req_t req;
	struct mvfs_actor actor;
	int have_groups;
	uint32_t *heap;   /* the groups, if they are many */
	uint32_t few[32];
};
/* For what is permitted or not by one or two inodes (0: none). */
void mvfs__acting(struct mvfs__acting *acting, fuse_req_t req, uint64_t ino,
		  uint64_t other);
/* And by what is moved: writing to a directory is needed to move it. */
void mvfs__acting_moves(struct mvfs__acting *acting, uint64_t parent,
			const char *name);
/* For writing by an open file: groups decide only what becomes of setgid. */
void mvfs__acting_writes(struct mvfs__acting *acting, fuse_req_t req,
			 uint64_t ino);
/* The same with groups in any case. */
void mvfs__acting_groups(struct mvfs__acting *acting, fuse_req_t req);
/* Whether `result` may have come of groups that were left out, and they are
 * in now: then the call is to be made again. */
int mvfs__acting_again(struct mvfs__acting *acting, int64_t result);
void mvfs__acting_end(struct mvfs__acting *acting);

/* attrs.c */
void mvfs__fuse_stat(const struct mvfs_stat *from, struct stat *to);
void mvfs__fuse_entry(struct mvfs_mount *mount, const struct mvfs_stat *st,
		      struct fuse_entry_param *e);
void mvfs__op_getattr(fuse_req_t req, fuse_ino_t node,
		      struct fuse_file_info *fi);
void mvfs__op_setattr(fuse_req_t req, fuse_ino_t node, struct stat *attr,
		      int to_set, struct fuse_file_info *fi);
void mvfs__op_access(fuse_req_t req, fuse_ino_t node, int mask);
void mvfs__op_statfs(fuse_req_t req, fuse_ino_t node);
void mvfs__op_statx(fuse_req_t req, fuse_ino_t node, int flags, int mask,
		    struct fuse_file_info *fi);

/* xattrs.c */
void mvfs__op_setxattr(fuse_req_t req, fuse_ino_t node, const char *name,
		       const char *value, size_t size, int flags);
void mvfs__op_getxattr(fuse_req_t req, fuse_ino_t node, const char *name,
		       size_t size);
void mvfs__op_listxattr(fuse_req_t req, fuse_ino_t node, size_t size);
void mvfs__op_removexattr(fuse_req_t req, fuse_ino_t node, const char *name);

/* names.c */
void mvfs__op_lookup(fuse_req_t req, fuse_ino_t parent, const char *name);
void mvfs__op_forget(fuse_req_t req, fuse_ino_t node, uint64_t count);
void mvfs__op_forget_multi(fuse_req_t req, size_t count,
			   struct fuse_forget_data *forgets);
void mvfs__op_readlink(fuse_req_t req, fuse_ino_t node);
void mvfs__op_mknod(fuse_req_t req, fuse_ino_t parent, const char *name,
		    mode_t mode, dev_t rdev);
void mvfs__op_mkdir(fuse_req_t req, fuse_ino_t parent, const char *name,
		    mode_t mode);
void mvfs__op_unlink(fuse_req_t req, fuse_ino_t parent, const char *name);
void mvfs__op_rmdir(fuse_req_t req, fuse_ino_t parent, const char *name);
void mvfs__op_symlink(fuse_req_t req, const char *target, fuse_ino_t parent,
		      const char *name);
void mvfs__op_rename(fuse_req_t req, fuse_ino_t parent, const char *name,
		     fuse_ino_t new_parent, const char *new_name,
		     unsigned flags);
void mvfs__op_link(fuse_req_t req, fuse_ino_t node, fuse_ino_t new_parent,
		   const char *new_name);

/* files.c */
/* NULL: no memory. The handle takes nothing over when it fails. */
struct mvfs__handle *mvfs__handle_new(struct mvfs_mount *mount,
				      struct mvfs_file *file,
				      uint64_t written);
void mvfs__handle_close(struct mvfs_mount *mount,
			struct mvfs__handle *handle);
void mvfs__op_open(fuse_req_t req, fuse_ino_t node, struct fuse_file_info *fi);
void mvfs__op_create(fuse_req_t req, fuse_ino_t parent, const char *name,
		     mode_t mode, struct fuse_file_info *fi);
void mvfs__op_tmpfile(fuse_req_t req, fuse_ino_t parent, mode_t mode,
		      struct fuse_file_info *fi);
void mvfs__op_flush(fuse_req_t req, fuse_ino_t node,
		    struct fuse_file_info *fi);
void mvfs__op_release(fuse_req_t req, fuse_ino_t node,
		      struct fuse_file_info *fi);
void mvfs__op_fsync(fuse_req_t req, fuse_ino_t node, int datasync,
		    struct fuse_file_info *fi);

/* data.c */
void mvfs__op_read(fuse_req_t req, fuse_ino_t node, size_t size, off_t offset,
		   struct fuse_file_info *fi);
void mvfs__op_write(fuse_req_t req, fuse_ino_t node, const char *bytes,
		    size_t size, off_t offset, struct fuse_file_info *fi);
void mvfs__op_fallocate(fuse_req_t req, fuse_ino_t node, int mode,
			off_t offset, off_t length, struct fuse_file_info *fi);
void mvfs__op_lseek(fuse_req_t req, fuse_ino_t node, off_t offset, int whence,
		    struct fuse_file_info *fi);
void mvfs__op_copy_file_range(fuse_req_t req, fuse_ino_t in, off_t in_offset,
			      struct fuse_file_info *in_fi, fuse_ino_t out,
			      off_t out_offset, struct fuse_file_info *out_fi,
			      size_t len, int flags);

/* dirs.c */
void mvfs__op_opendir(fuse_req_t req, fuse_ino_t node,
		      struct fuse_file_info *fi);
void mvfs__op_readdir(fuse_req_t req, fuse_ino_t node, size_t size,
		      off_t offset, struct fuse_file_info *fi);
void mvfs__op_readdirplus(fuse_req_t req, fuse_ino_t node, size_t size,
			  off_t offset, struct fuse_file_info *fi);

/* owners.c */
/* The handle remembers who locks by it. */
int mvfs__owner_remember(struct mvfs__locks *locks,
			 struct mvfs__handle *handle, uint64_t number,
			 pid_t pid);
pid_t mvfs__owner_pid(struct mvfs__locks *locks, uint64_t number);
/* One owner, or all who locked by the handle, close it. */
void mvfs__locks_flush(struct mvfs_mount *mount, struct mvfs__handle *handle,
		       uint64_t owner);
void mvfs__locks_release(struct mvfs_mount *mount,
			 struct mvfs__handle *handle);

/* locks.c */
int mvfs__locks_init(struct mvfs__locks *locks);
/* Ends the waiting: no worker runs any more. */
void mvfs__locks_stop(struct mvfs_mount *mount);
void mvfs__locks_destroy(struct mvfs__locks *locks);
void mvfs__op_getlk(fuse_req_t req, fuse_ino_t node, struct fuse_file_info *fi,
		    struct flock *lock);
void mvfs__op_setlk(fuse_req_t req, fuse_ino_t node, struct fuse_file_info *fi,
		    struct flock *lock, int sleep);
void mvfs__op_flock(fuse_req_t req, fuse_ino_t node, struct fuse_file_info *fi,
		    int operation);

#endif
