// SPDX-License-Identifier: MIT
/*
 * The life of a mount. mvfs_mount() goes: check what can be checked, take a
 * view, mount, start to serve, and ask the kernel for the root's attributes,
 * which answers when all of it works. The end goes backwards: off the
 * directory first, so that nobody new comes in, then the threads, then the
 * connection (whoever still holds a file gets ENOTCONN from then on), then
 * what the kernel held of the tree.
 */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void free_mount(struct mvfs_mount *mount)
{
	while (mount->handles)
		mvfs__handle_close(mount, mount->handles);
	mvfs__snapshots_free(mount);
	mvfs__revived_free(mount);
	if (mount->fs)
		mvfs__faults_remove(mount->fs, &mount->faults);
	mvfs_destroy(mount->fs);
	mvfs__locks_destroy(&mount->locks);
	pthread_cond_destroy(&mount->errand_done);
	pthread_mutex_destroy(&mount->lock);
	sem_destroy(&mount->over);
	free(mount->dir);
	free(mount);
}

/* What is off its directory, or never got there. */
static void end(struct mvfs_mount *mount)
{
	mvfs__ctl_stop(mount);
	mvfs__told_stop(mount);
	mvfs__serve_stop(mount);
	mvfs__locks_stop(mount);
	if (mount->fd >= 0)
		mvfs__registry_close(mount);
	if (mount->session && !mount->session_has_fd)
		fuse_session_destroy(mount->session);
	free_mount(mount);
}

static int make(mvfs *fs, const struct mvfs__options *options,
		struct mvfs_mount **made)
{
	struct mvfs_mount *mount = calloc(1, sizeof *mount);
	int r;

	if (!mount)
		return -ENOMEM;
	r = -pthread_mutex_init(&mount->lock, NULL);
	if (r)
		goto out;
	r = mvfs__locks_init(&mount->locks);
	if (r) {
		pthread_mutex_destroy(&mount->lock);
		goto out;
	}
	sem_init(&mount->over, 0, 0);
	pthread_cond_init(&mount->errand_done, NULL);
	mount->owner = getuid();
	mount->fd = -1;
	mount->janitor = options->janitor;
	mount->max_threads = options->max_threads;
	mount->uncached = options->uncached;
	r = mvfs_sys_attach(fs, options->uncached ? 0 : MVFS_SYS_CACHES,
			    &mount->fs);
	if (r) {
		free_mount(mount);
		return r;
	}
	mount->root = mvfs_sys_root(mount->fs);
	*made = mount;
	return 0;
out:
	free(mount);
	return r;
}

static int attach_error(int code, struct mvfs_error *error)
{
	const char *why = strerror(-code);

	if (code == -EINVAL)
		why = "an instance made with MVFS_CONFINED is for one thread "
		      "and cannot be mounted";
	else if (code == -EBUSY)
		why = "the instance has fault rules or a log, which calls "
		      "that the kernel answers from its caches would not "
		      "meet: mount with -o cache=none";
	return mvfs__fuse_error(error, code, "%s", why);
}

/* Nothing is mounted by libfuse: it is told the descriptor. */
static int make_session(struct mvfs_mount *mount)
{
	char name[] = "memvfs";
	char *argv[] = { name, NULL };
	struct fuse_args args = FUSE_ARGS_INIT(1, argv);

	mount->session = fuse_session_new(&args, &mvfs__fuse_ops,
					  sizeof mvfs__fuse_ops, mount);
	fuse_opt_free_args(&args);
	return mount->session ? 0 : -ENOMEM;
}

static int serve(struct mvfs_mount *mount, struct mvfs_error *error)
{
	int r;

	if (mvfs__device_give(mount, mount->fd))
		return mvfs__fuse_error(error, -EIO,
					"libfuse does not take /dev/fuse");
	mount->session_has_fd = 1;
	r = mvfs__serve_start(mount);
	if (r)
		return mvfs__fuse_error(error, r, "no thread: %s",
					strerror(-r));
	r = mvfs__host_device(mount->dir, 1, &mount->dev);
	/* Not for us, then (a process whose real and effective ids differ),
	 * but the kernel knows whom to keep out. */
	if (r == -EACCES) {
		mount->dev = mvfs__mounted_at(mount->dir);
		r = mount->dev ? 0 : r;
	}
	if (r)
		return mvfs__fuse_error(error, -EIO,
					"%.150s: mounted, but does not "
					"answer: %s", mount->dir,
					strerror(-r));
	return mvfs__told_start(mount);
}

static int mount_at(mvfs *fs, const char *dir,
		    const struct mvfs__options *options,
		    struct mvfs_mount **mount, struct mvfs_error *error)
{
	struct mvfs_mount *made = NULL;
	char *absolute = NULL;
	int r;

	r = mvfs__host_check(dir, &absolute, error);
	if (r)
		return r;
	r = make(fs, options, &made);
	if (r) {
		free(absolute);
		return attach_error(r, error);
	}
	made->dir = absolute;
	r = make_session(made);
	if (r)
		mvfs__fuse_error(error, r, "no session with libfuse");
	else if (options->faults)
		r = mvfs__faults_add(made->fs, options->faults, &made->faults,
				     error);
	if (!r)
		r = mvfs__registry_mount(made, options, error);
	if (!r) {
		r = serve(made, error);
		if (r)
			mvfs__host_unmount(mvfs__mounted_at(absolute),
					   absolute);
	}
	if (r)
		end(made);
	else
		*mount = made;
	return r;
}

int mvfs__mount_with(mvfs *fs, const char *dir,
		     const struct mvfs_mount_options *options, int janitor,
		     struct mvfs_mount **mount, struct mvfs_error *error)
{
	struct mvfs__options read;
	int r;

	if (!fs || !dir || !mount)
		return mvfs__fuse_error(error, -EINVAL, "an argument of "
					"mvfs_mount() is NULL");
	r = mvfs__options_read(options, &read, error);
	if (r)
		return r;
	read.janitor = janitor;
	r = mount_at(fs, dir, &read, mount, error);
	mvfs__options_free(&read);
	return r;
}

int mvfs_mount(mvfs *fs, const char *dir,
	       const struct mvfs_mount_options *options,
	       struct mvfs_mount **mount, struct mvfs_error *error)
{
	return mvfs__mount_with(fs, dir, options, -1, mount, error);
}

const char *mvfs_mount_dir(const struct mvfs_mount *mount)
{
	return mount ? mount->dir : NULL;
}

/* By an instance that is there for that alone. */
static int check_faults(const char *path, struct mvfs_error *error)
{
	struct mvfs__faults faults = { 0 };
	mvfs *fs;
	int r;

	r = mvfs_create(NULL, &fs);
	if (r)
		return mvfs__fuse_error(error, r, "%s", strerror(-r));
	r = mvfs__faults_add(fs, path, &faults, error);
	mvfs__faults_remove(fs, &faults);
	mvfs_destroy(fs);
	return r;
}

int mvfs_mount_check(const char *dir, const struct mvfs_mount_options *options,
		     struct mvfs_error *error)
{
	struct mvfs__options read;
	char *absolute = NULL;
	int r;

	if (!dir)
		return mvfs__fuse_error(error, -EINVAL, "an argument of "
					"mvfs_mount_check() is NULL");
	r = mvfs__options_read(options, &read, error);
	if (r)
		return r;
	r = mvfs__host_check(dir, &absolute, error);
	free(absolute);
	if (!r && read.faults)
		r = check_faults(read.faults, error);
	mvfs__options_free(&read);
	return r;
}

int mvfs_mount_wait(struct mvfs_mount *mount)
{
	if (!mount)
		return -EINVAL;
	if (mount->inherited)
		return -ESTALE;
	while (sem_wait(&mount->over))
		;
	/* For the next one who waits. */
	sem_post(&mount->over);
	if (!atomic_load(&mount->gone))
		return -EINTR;
	return atomic_load(&mount->failed) ? -EIO : 0;
}

void mvfs_mount_stop(struct mvfs_mount *mount)
{
	int before = errno;

	if (mount && !atomic_exchange(&mount->stopped, 1))
		sem_post(&mount->over);
	errno = before;
}

/*
 * When the connection was closed, there is either nothing mounted any more,
 * and its device number may be somebody else's by now, or a dead mount, whose
 * connection was aborted: that is to be cleared away.
 */
static int unmount(struct mvfs_mount *mount)
{
	uint64_t dev;

	if (atomic_load(&mount->gone) &&
	    mvfs__host_device(mount->dir, 1, &dev) != -ENOTCONN)
		return 0;
	return mvfs__host_unmount(mount->dev, mount->dir);
}

int mvfs__end(struct mvfs_mount *mount)
{
	int r;

	r = unmount(mount);
	if (r)
		return r;
	mvfs__temp_end(mount);
	end(mount);
	return 0;
}

int mvfs_unmount(struct mvfs_mount *mount)
{
	int r;

	if (!mount)
		return 0;
	if (!mvfs__registry_claim(mount))
		return -ESTALE;
	r = mvfs__end(mount);
	if (r)
		mvfs__registry_unclaim(mount);
	return r;
}
