// SPDX-License-Identifier: MIT
/*
 * Mounts in private directories, that end with the process however it ends.
 *
 * Somebody must be there when the process is not: a janitor, a shell that
 * reads from a pipe whose other end the process holds. A line means that all
 * is done; the end of the pipe, which the kernel makes of every death, that
 * the janitor is to do it. It is a grandchild, so that no wait(2) of the
 * program finds it, in a session of its own, so that no signal to the group
 * does, and holds no descriptor but the pipe. By posix_spawn(3) and not by
 * fork(2), for the reasons that fusermount.c gives.
 *
 * A process that dies with a file of its own mount open waits for an answer
 * before it lets go of the pipe [seen with Linux 6]. So the janitor also looks
 * each second whether all threads of the process are on their way out (the
 * flag PF_EXITING in /proc) or were killed while they wait for an answer
 * (SIGKILL is pending), and unmounts by force, which ends the waiting.
 */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* $1: the directory; $2: the process. */
static const char script[] =
	"cd /; exec 3<&0; (\n"
	"trap '' HUP INT TERM QUIT\n"
	"clean() {\n"
	"	umount -f \"$dir\"; umount -l \"$dir\"\n"
	"	fusermount3 -u -z \"$dir\"; rmdir \"$dir\"\n"
	"}\n"
	"lives() {\n"
	"	for thread in /proc/$pid/task/*/stat; do\n"
	"		read -r stat <$thread || continue\n"
	"		set -- ${stat##*) }\n"
	"		[ $(($7 & 4)) = 4 ] || [ $((${29} & 256)) = 256 ] ||\n"
	"			return 0\n"
	"	done\n"
	"	return 1\n"
	"}\n"
	"dir=$1 pid=$2\n"
	"[ ! -r /proc/$pid/stat ] || {\n"
	"	exec 3<&-\n"
	"	while lives; do sleep 1; done\n"
	"	clean\n"
	"} & watch=$!\n"
	"read -r line <&3 && { kill -9 $watch; exit; }\n"
	"clean; kill -9 $watch\n"
	") &\n";

#if defined HAVE_POSIX_SPAWN_FILE_ACTIONS_ADDCLOSEFROM_NP
static int close_others(posix_spawn_file_actions_t *actions)
{
	return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}
#else
/* Those without FD_CLOEXEC stay open in the janitor. */
static int close_others(posix_spawn_file_actions_t *actions)
{
	(void)actions;
	return 0;
}
#endif

static int spawn(const char *const argv[], int in, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int r;

	r = posix_spawn_file_actions_init(&actions);
	if (r)
		return -r;
	r = posix_spawnattr_init(&attr);
	if (r) {
		posix_spawn_file_actions_destroy(&actions);
		return -r;
	}
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK |
				 POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
	r = posix_spawn_file_actions_adddup2(&actions, in, 0);
	if (!r)
		r = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null",
						     O_RDWR, 0);
	if (!r)
		r = posix_spawn_file_actions_adddup2(&actions, 1, 2);
	if (!r)
		r = close_others(&actions);
	if (!r)
		r = posix_spawn(pid, "/bin/sh", &actions, &attr,
				(char *const *)argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return -r;
}

/* The end of the pipe to hold. */
static int hire(const char *dir)
{
	char self[24];
	const char *const argv[] = {
		"sh", "-c", script, "memvfs", dir, self, NULL
	};
	int ends[2], status, r;
	pid_t pid;

	snprintf(self, sizeof self, "%ld", (long)getpid());
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	r = spawn(argv, ends[0], &pid);
	close(ends[0]);
	if (!r) {
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		return ends[1];
	}
	close(ends[1]);
	return r;
}

/* A janitor that has died cannot be told, and SIGPIPE is the program's. */
static void dismiss(int janitor)
{
	sigset_t pipe, before, pending;
	const struct timespec now = { 0, 0 };

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	if (write(janitor, "\n", 1) < 0 && errno == EPIPE &&
	    !sigismember(&pending, SIGPIPE))
		sigtimedwait(&pipe, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(janitor);
}

void mvfs__temp_end(struct mvfs_mount *mount)
{
	if (mount->janitor < 0)
		return;
	rmdir(mount->dir);
	dismiss(mount->janitor);
	mount->janitor = -1;
}

static int make_dir(char **dir, struct mvfs_error *error)
{
	const char *tmp = getenv("TMPDIR");
	char *path;
	int r;

	if (!tmp || tmp[0] != '/')
		tmp = "/tmp";
	if (asprintf(&path, "%s/memvfs-XXXXXX", tmp) < 0)
		return mvfs__fuse_error(error, -ENOMEM, "out of memory");
	if (!mkdtemp(path)) {
		r = mvfs__fuse_error(error, -errno, "no directory can be made "
				     "in %.150s: %s", tmp, strerror(errno));
		free(path);
		return r;
	}
	*dir = path;
	return 0;
}

int mvfs_mount_temp(mvfs *fs, const struct mvfs_mount_options *options,
		    struct mvfs_mount **mount, struct mvfs_error *error)
{
	char *dir = NULL;
	int janitor, r;

	if (!fs || !mount)
		return mvfs__fuse_error(error, -EINVAL, "an argument of "
					"mvfs_mount_temp() is NULL");
	r = make_dir(&dir, error);
	if (r)
		return r;
	janitor = hire(dir);
	if (janitor < 0)
		r = mvfs__fuse_error(error, janitor, "no janitor: /bin/sh: %s",
				     strerror(-janitor));
	else
		r = mvfs__mount_with(fs, dir, options, janitor, mount, error);
	if (r) {
		rmdir(dir);
		if (janitor >= 0)
			dismiss(janitor);
	}
	free(dir);
	return r;
}
