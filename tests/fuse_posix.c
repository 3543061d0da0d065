/* SPDX-License-Identifier: MIT */
/*
 * The POSIX cases through a mount. Each test has a server, a process of its
 * own that holds the instance and mounts it: a test that dies while it waits
 * for the mount could otherwise never end, since the threads that owe it the
 * answer would be its own. The server ends, and unmounts, when the other end
 * of its socket closes, whyever it does.
 */
#include "config.h"

#include "tests/posix/cases.h"
#include "tests/posix/place.h"
#include "tests/posix/served.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <memvfs/fuse.h>

static struct posix_fs mount_fs = { .name = "mount", .frees_later = true };
static atomic_long *seconds;	/* shared with the server */
static const char *folder;
static pid_t server;
static int server_socket = -1;

/* What a test asks of its server besides the mount. */
struct request {
	enum { KEEP, KEPT_IS } what;
	char path[100];
	char text[100];
};

static int serve_requests(struct served *served, int socket)
{
	struct request request;
	int answer;

	while (recv(socket, &request, sizeof(request), 0) > 0) {
		answer = request.what == KEEP ?
			served_keep(served, request.path) :
			served_kept_is(served, request.path, request.text);
		if (send(socket, &answer, sizeof(answer), MSG_NOSIGNAL) < 0)
			break;
	}
	return 0;
}

/* The life of a server; sends an error (code 0: none) when it is ready. */
static int serve(const char *dir, const struct posix_limits *limits,
		 int socket)
{
	struct mvfs_mount_options options = { .size = sizeof(options) };
	struct mvfs_error error = { .code = 0 };
	struct mvfs_mount *mount = NULL;
	struct served served;

	error.code = served_open(&served, limits, seconds);
	if (!error.code)
		error.code = mvfs_chown(served.fs, "/", geteuid(), getegid());
	if (!error.code)
		error.code = mvfs_mount(served.fs, dir, &options, &mount,
					&error);
	if (send(socket, &error, sizeof(error), MSG_NOSIGNAL) < 0)
		return EXIT_FAILURE;
	if (!error.code)
		serve_requests(&served, socket);
	if (mount && mvfs_unmount(mount))
		return EXIT_FAILURE;
	if (served.fs)
		served_close(&served);
	return EXIT_SUCCESS;
}

/* Not in the test's process group, which Check kills with the test. */
static int start_server(const char *dir, const struct posix_limits *limits,
			struct mvfs_error *error)
{
	int sockets[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return -errno;
	server = fork();
	if (server == 0) {
		setpgid(0, 0);
		alarm(300);
		close(sockets[0]);
		_exit(serve(dir, limits, sockets[1]));
	}
	close(sockets[1]);
	server_socket = sockets[0];
	if (server < 0)
		return -errno;
	if (recv(server_socket, error, sizeof(*error), 0) !=
	    (ssize_t)sizeof(*error))
		return -EPIPE;
	return error->code;
}

static int end_server(void)
{
	int status = 0;

	close(server_socket);
	server_socket = -1;
	if (waitpid(server, &status, 0) != server)
		return -errno;
	return status ? -EIO : 0;
}

static void begin(const struct posix_limits *limits)
{
	struct mvfs_error error = { .message = "" };
	int r;

	atomic_store(seconds, 1000000000);
	folder = place_new();
	r = start_server(folder, limits, &error);
	if (r)
		ck_abort_msg("mount: %s: %s", strerror(-r), error.message);
	posix_kernel_enter(folder);
}

static void end(void)
{
	posix_kernel_leave();
	ck_assert_msg(end_server() == 0, "the server failed");
	ck_assert_msg(rmdir(folder) == 0, "%s: %s", folder, strerror(errno));
}

static void tick(void)
{
	atomic_fetch_add(seconds, 1);
}

static int ask(struct request *request, const char *path, const char *text)
{
	int answer;

	snprintf(request->path, sizeof(request->path), "%s", path);
	snprintf(request->text, sizeof(request->text), "%s", text);
	if (send(server_socket, request, sizeof(*request), MSG_NOSIGNAL) < 0 ||
	    recv(server_socket, &answer, sizeof(answer), 0) < 0)
		return -errno;
	return answer;
}

static int keep(const char *path)
{
	struct request request = { .what = KEEP };

	return ask(&request, path, "");
}

static bool kept_is(const char *path, const char *text)
{
	struct request request = { .what = KEPT_IS };

	return ask(&request, path, text) == 1;
}

/* Whether mounts can be had at all: by trying. */
static int probe(struct mvfs_error *error)
{
	const char *dir = place_new();
	int r = start_server(dir, NULL, error);
	int fd;

	if (r == 0) {
		fd = open(dir, O_TMPFILE | O_RDWR, 0600);
		if (fd < 0 && errno == EOPNOTSUPP)
			mount_fs.no_tmpfile =
				"the installed libfuse has no such operation";
		if (fd >= 0)
			close(fd);
	}
	end_server();
	rmdir(dir);
	return r;
}

static bool is_refusal(int error)
{
	return error == -ENODEV || error == -EACCES || error == -EPERM ||
	       error == -ENOEXEC;
}

int main(void)
{
	struct mvfs_error error = { .message = "" };
	int status;

	posix_kernel_calls(&mount_fs);
	mount_fs.begin = begin;
	mount_fs.end = end;
	mount_fs.tick = tick;
	mount_fs.keep = keep;
	mount_fs.kept_is = kept_is;
	seconds = mmap(NULL, sizeof(*seconds), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seconds == MAP_FAILED || place_open(NULL)) {
		perror("fuse_posix");
		return EXIT_FAILURE;
	}
	status = probe(&error);
	if (is_refusal(status)) {
		printf("SKIP: no mounts here: %s\n", error.message);
		status = 77;
	} else if (status) {
		fprintf(stderr, "mount: %s: %s\n", strerror(-status),
			error.message);
		status = EXIT_FAILURE;
	} else {
		status = posix_run(&mount_fs);
	}
	place_close();
	return status;
}
