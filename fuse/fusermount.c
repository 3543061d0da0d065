// SPDX-License-Identifier: MIT
/*
 * fusermount3(1), the setuid helper by which ordinary users mount: it opens
 * /dev/fuse, mounts, and sends the descriptor back over a socket whose number
 * stands in _FUSE_COMMFD. libfuse would start it too, but would let it print
 * to our stderr; here what it prints becomes the message of the error. By
 * posix_spawn(3): fork(2) would run the caller's pthread_atfork handlers, and
 * the library's own, which lock every instance.
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
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMMFD "_FUSE_COMMFD="

extern char **environ;

/* The environment with COMMFD replaced by `comm`; the strings are shared. */
static char **environment(char *comm)
{
	char **copy;
	size_t n, i, kept = 0;

	for (n = 0; environ && environ[n]; n++)
		;
	copy = calloc(n + 2, sizeof *copy);
	if (!copy)
		return NULL;
	for (i = 0; i < n; i++)
		if (strncmp(environ[i], COMMFD, sizeof COMMFD - 1))
			copy[kept++] = environ[i];
	copy[kept] = comm;
	return copy;
}

static int spawn(const char *const argv[], char **env, int comm, int err,
		 pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none;
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
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	r = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null",
					     O_RDWR, 0);
	if (!r)
		r = posix_spawn_file_actions_adddup2(&actions, 0, 1);
	if (!r)
		r = posix_spawn_file_actions_adddup2(&actions, err, 2);
	/* Onto itself: that clears FD_CLOEXEC. */
	if (!r && comm >= 0)
		r = posix_spawn_file_actions_adddup2(&actions, comm, comm);
	if (!r)
		r = posix_spawnp(pid, argv[0], &actions, &attr,
				 (char *const *)argv, env);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return -r;
}

/* Reads to the end, keeps what fits, and takes line ends off. */
static void read_text(int fd, char *to, size_t size)
{
	char more[256];
	size_t used = 0;
	ssize_t n;

	while ((n = read(fd, more, sizeof more)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		if ((size_t)n > size - 1 - used)
			n = size - 1 - used;
		memcpy(to + used, more, n);
		used += n;
	}
	while (used && (to[used - 1] == '\n' || to[used - 1] == ' '))
		used--;
	to[used] = '\0';
}

/* 0, 1 if it failed, or why it could not be run. */
static int run(const char *const argv[], char **env, int comm, char *text,
	       size_t size)
{
	int pipes[2], status = 0, r;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC))
		return -errno;
	r = spawn(argv, env, comm, pipes[1], &pid);
	close(pipes[1]);
	if (!r) {
		read_text(pipes[0], text, size);
		while (waitpid(pid, &status, 0) < 0) {
			/* SIGCHLD is ignored here: the status is lost. */
			if (errno != EINTR)
				break;
		}
		r = status != 0;
	}
	close(pipes[0]);
	return r;
}

static int receive(int from)
{
	char byte, control[CMSG_SPACE(sizeof(int))];
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control,
			      .msg_controllen = sizeof control };
	struct cmsghdr *cmsg;
	ssize_t n;
	int fd;

	do {
		n = recvmsg(from, &msg, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	} while (n < 0 && errno == EINTR);
	cmsg = n > 0 ? CMSG_FIRSTHDR(&msg) : NULL;
	if (!cmsg || cmsg->cmsg_type != SCM_RIGHTS)
		return -EIO;
	memcpy(&fd, CMSG_DATA(cmsg), sizeof fd);
	return fd;
}

int mvfs__fusermount_mount(const char *dir, const char *options,
			   struct mvfs_error *error)
{
	const char *argv[] = { "fusermount3", "-o", options, "--", dir, NULL };
	char comm[sizeof COMMFD + 12], text[200] = "";
	int sockets[2], fd = -EIO, r;
	char **env;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
		return mvfs__fuse_error(error, -errno, "no socket: %s",
					strerror(errno));
	snprintf(comm, sizeof comm, COMMFD "%d", sockets[0]);
	env = environment(comm);
	r = env ? run(argv, env, sockets[0], text, sizeof text) : -ENOMEM;
	free(env);
	close(sockets[0]);
	if (r == -ENOENT)
		r = mvfs__fuse_error(error, -ENOPKG,
				     "ordinary users mount by fusermount3, "
				     "which is not there (Debian: apt install "
				     "fuse3)");
	else if (r < 0)
		mvfs__fuse_error(error, r, "fusermount3 cannot be run: %s",
				 strerror(-r));
	else
		fd = receive(sockets[1]);
	close(sockets[1]);
	if (r >= 0 && fd < 0)
		r = mvfs__fuse_error(error, -EPERM, "%s",
				     *text ? text : "fusermount3 failed");
	return r < 0 ? r : fd;
}

int mvfs__fusermount_unmount(const char *dir, int lazy)
{
	const char *argv[] = { "fusermount3", lazy ? "-uz" : "-u", "--", dir,
			       NULL };
	char text[200];
	int r;

	r = run(argv, environ, -1, text, sizeof text);
	if (r == -ENOENT)
		return -EPERM;
	if (r > 0)
		return lazy ? -EPERM : -EBUSY;
	return r;
}
