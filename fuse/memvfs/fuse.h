/* SPDX-License-Identifier: MIT */
/*
 * Mounts: a tree of this process as a file system of the kernel (Linux, by
 * FUSE). In libmemvfs-fuse; pkg-config memvfs-fuse.
 *
 * A mount serves the kernel with threads of its own, inside the process that
 * made it, so library and mount are two doors to one tree: what one of them
 * did, the other sees at its next call. (Stores through a shared mapping
 * count as made at msync, munmap or close, and when the tree is restored.)
 * There may be several mounts in a
 * process, of one instance or of many.
 *
 * What mvfs_restore() changes is seen through mounts at once, in files that
 * are open or mapped, too. A directory that was removed and is there again is
 * another one for the kernel: whoever has it open, or as the current
 * directory, gets EIO. memvfs/ctl.h says how another process restores.
 *
 * All signals are blocked in the threads of a mount, and neither handlers
 * nor dispositions of the process are touched: see mvfs_mount_stop() for
 * what a front end does at SIGTERM. What exit(3) finds mounted it unmounts.
 * If the process is killed, the mount answers ENOTCONN until somebody
 * unmounts it; that of mvfs_mount_temp() is unmounted at once.
 *
 * Two things a process should not do with a mount of its own, because the
 * kernel waits in them for an answer that the process cannot give: to be
 * killed, or to call _exit(2), with files of the mount open (it never ends;
 * umount -f helps), and to unmap a shared mapping that it has stored to
 * without msync(2) before. Other processes may. After fork(2) the child is
 * such an other process: it does not serve the mount, and all calls with it
 * are -ESTALE there.
 *
 * Calls on one mount may be made from any thread, except that nothing may
 * be called with a mount that another thread is giving to mvfs_unmount(). A
 * thread that itself waits for the mounted directory (it has a file there
 * open, say) may unmount it; a callback that the library makes while it
 * serves the mount (the instance's clock) may not.
 */
#ifndef MEMVFS_FUSE_H
#define MEMVFS_FUSE_H

#include <memvfs/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A mount; from mvfs_mount() until mvfs_unmount(). */
struct mvfs_mount;

/*
 * Users other than the one that mounts may come in, too, each with his own
 * permissions. Without it the kernel keeps everybody else out with EACCES,
 * even root. Ordinary users need "user_allow_other" in /etc/fuse.conf for it.
 */
#define MVFS_MOUNT_ALLOW_OTHER 1u
/* The kernel refuses every change that comes by the mount with EROFS. The
 * library may still change the tree. */
#define MVFS_MOUNT_READ_ONLY 2u

/*
 * How to mount. {0} with `size` set is valid, as is NULL in its place. All of
 * it is the caller's, and is not used after the call.
 */
struct mvfs_mount_options {
	/* sizeof(struct mvfs_mount_options), so that the struct can grow: that
	 * of a program compiled with an earlier version is accepted. */
	size_t size;
	/* MVFS_MOUNT_*; any other bit is -EINVAL. */
	unsigned flags;
	/* The most threads that serve at the same time; 0: 10. They are made
	 * as they are needed. At most 10000. */
	unsigned max_threads;
	/* What /proc/mounts shows as the source; NULL: "memvfs". */
	const char *fsname;
	/*
	 * Further options, separated by commas, as they stand behind mount's
	 * -o: ro, rw, suid, nosuid, dev, nodev, exec, noexec, sync, async,
	 * dirsync, atime, noatime, allow_other, fsname=NAME, max_read=BYTES,
	 * cache=none, fault=FILE. As everywhere with FUSE, nosuid and nodev
	 * are the default, and only root may say suid or dev. Any other is
	 * -EINVAL. They win over `flags` and `fsname`. NULL: none.
	 *
	 * With cache=none every call that a program makes on the mount comes
	 * to the library, so that fault rules meet all and a log has all of
	 * them. Shared mappings are then ENODEV. Otherwise the kernel answers
	 * some of them from pages that it keeps of open files, and the
	 * instance can have neither rules nor a log.
	 *
	 * fault=FILE adds the fault rules of a file of the host to the
	 * instance, for as long as there is this mount, and means cache=none,
	 * too. There is one on a line, as memvfs-fault(7) says it; empty
	 * lines, and lines that begin with '#', mean nothing.
	 */
	const char *options;
};

/*
 * Mounts the tree of `fs`, from the view's root down, on the directory `dir`
 * of the host, and stores the mount in *mount; mvfs_unmount() ends it. When
 * the call returns, the mount answers.
 *
 * The mount is a view of its own: it does not follow later changes of `fs`,
 * and `fs` may be destroyed while another view remains; destroying the last
 * one is -EBUSY as long as there is a mount. Whoever comes in by the mount
 * acts with his own uid, gid, groups and umask, which the library checks, not
 * the kernel. (The one thing that the kernel opens without asking is a fifo
 * or a device: only the way to it is checked.)
 *
 * When it fails, nothing has changed, and *error (may be NULL) says what to
 * do about it:
 * -EINVAL   an argument is NULL, a flag or option is not known, or the
 *           instance is MVFS_CONFINED: it cannot be mounted; or a line of
 *           fault=FILE is no rule: the message has file, line and column;
 * -ENOENT   `dir` is not there;
 * -ENODEV   the kernel offers no FUSE: there is no /dev/fuse, or no driver
 *           behind it;
 * -ENOTDIR  `dir` is not a directory;
 * -ENOTEMPTY  `dir` is not empty: what it holds would be hidden;
 * -EBUSY    another memvfs is mounted there already; or the instance has
 *           fault rules, or a log that runs, and the mount has no cache=none;
 *           or it has fault=FILE, and another mount of the instance none;
 * -ENOTCONN a dead FUSE mount is in the way (fusermount3 -u removes it);
 * -EACCES, -EPERM  /dev/fuse, `dir` or mounting as such is not permitted;
 * -ENOENT, -EACCES...  the file of fault=FILE cannot be read;
 * -ENOPKG   an ordinary user mounts by fusermount3, and there is none;
 * -ENOMEM, -EMFILE, -ENFILE, -EAGAIN  out of memory, descriptors, threads;
 * -EIO      the kernel and libfuse did not come to terms.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int
mvfs_mount(mvfs *fs, const char *dir, const struct mvfs_mount_options *options,
	   struct mvfs_mount **mount, struct mvfs_error *error);

/*
 * Mounts the tree of `fs` on a directory of its own, which is made in TMPDIR
 * (or /tmp), private to the user, and stores the mount in *mount: a fixture
 * for programs that are given a path. mvfs_mount_dir() tells where it is;
 * mvfs_unmount() ends it and removes the directory.
 *
 * However the process ends, both go: at exit(3) as by mvfs_unmount(), and at
 * abort(3), a failed assertion, _exit(2) and SIGKILL within a moment, by a
 * small process (/bin/sh) that waits for that and for nothing else. It is no
 * child of the caller's. A process that is killed with files of this mount
 * open takes up to two seconds to end, but does.
 *
 * Returns 0, or what mvfs_mount() does, or why the directory or the process
 * could not be made (-EACCES, -ENOENT, -ENOSPC, -EMFILE, -EAGAIN...). When it
 * fails, nothing has changed, and *error (may be NULL) says more.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int
mvfs_mount_temp(mvfs *fs, const struct mvfs_mount_options *options,
		struct mvfs_mount **mount, struct mvfs_error *error);

/*
 * The directory that was mounted on, absolute; the mount's, until
 * mvfs_unmount(). NULL if `mount` is. Never fails.
 *
 * @since 0.1.0
 */
MVFS_API const char *mvfs_mount_dir(const struct mvfs_mount *mount);

/*
 * What mvfs_mount() would refuse of these, found out without mounting: for
 * front ends that first fill a tree, which may take long. Returns 0, or what
 * mvfs_mount() would return. 0 is no promise: the host may change, and some
 * things only the kernel knows.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_mount_check(const char *dir,
			      const struct mvfs_mount_options *options,
			      struct mvfs_error *error);

/*
 * Waits until the mount is no longer there because somebody unmounted it
 * (umount, fusermount3 -u), or until mvfs_mount_stop(). Any number of threads
 * may wait. The mount must then still be given to mvfs_unmount().
 *
 * Returns 0 when the mount is gone; -EINTR when mvfs_mount_stop() was called
 * (the mount is still there); -EIO when serving it failed; -ESTALE in a child
 * by fork(2).
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_mount_wait(struct mvfs_mount *mount);

/*
 * Makes mvfs_mount_wait() return -EINTR, now and from now on; unmounts
 * nothing. Async-signal-safe: a front end calls it in its handler of SIGINT,
 * SIGTERM and SIGHUP, and the thread that waits goes on to mvfs_unmount().
 * Never fails.
 *
 * @since 0.1.0
 */
MVFS_API void mvfs_mount_stop(struct mvfs_mount *mount);

/*
 * Ends the mount: takes it off its directory, ends and joins all of its
 * threads, drops what the kernel held of the tree, and frees `mount`. If the
 * mount was unmounted by somebody else before, only the rest is done. NULL is
 * fine.
 *
 * A mount that is in use (open files, current directories) ends as well:
 * what was stored through shared mappings is written to the tree, the mount
 * is taken off its directory at once, and whoever still holds a file of it
 * gets ENOTCONN from then on.
 *
 * Returns 0; or why the directory could not be freed (-EPERM: an ordinary
 * user without fusermount3, say; -EBUSY: something else is mounted over it),
 * in which case the mount is as before and `mount` remains the caller's. In a
 * child by fork(2) -ESTALE, and nothing happens.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_unmount(struct mvfs_mount *mount);

#ifdef __cplusplus
}
#endif

#endif
