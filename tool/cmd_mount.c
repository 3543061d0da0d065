// SPDX-License-Identifier: MIT
/*
 * memvfs mount: fills a tree, mounts it, and stays until it is unmounted.
 *
 * In the background, the child does all of it and the parent waits for a
 * byte that says it is up: threads do not survive fork(2), so the fork comes
 * first; what goes wrong is said on the caller's own standard error, and the
 * exit status tells.
 */
#include <config.h>

#include "tool/tool.h"

#include "tool/import.h"

#include <memvfs/fuse.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME "memvfs mount"

struct request {
	const char *source; /* NULL: an empty tree */
	const char *dir;
	int foreground;
	struct mvfs_options limits;
	char *options;      /* for the library; malloc'd */
};

/* Set before the handlers may run. */
static struct mvfs_mount *mounted;

static void on_signal(int number)
{
	(void)number;
	mvfs_mount_stop(mounted);
}

static void print_help(void)
{
	printf("Usage: " NAME " [SOURCE] DIR [-f] [-o OPTION,...]\n"
	       "Mounts a tree in memory on DIR: empty, or a copy of the "
	       "directory SOURCE.\n"
	       "'umount DIR' or 'fusermount3 -u DIR' ends it, and its content "
	       "with it.\n\n"
	       "  -f, --foreground  stay in the foreground; SIGINT and "
	       "SIGTERM unmount\n"
	       "  -o max_bytes=SIZE   at most so much data (K, M, G)\n"
	       "  -o max_inodes=N     at most N files, directories and so on\n"
	       "  -o allow_other      other users may come in\n"
	       "  -o fsname=NAME      what mount(8) shows\n"
	       "  -o cache=none       every call comes to memvfs\n"
	       "  -o fault=FILE       fault rules, one a line; and "
	       "cache=none\n"
	       "  -o ro,suid,dev,noexec,...  as for mount(8)\n"
	       "  -h, --help          this text\n\n"
	       "memvfs(1) says what is copied.\n");
}

static int add_option(struct request *request, const char *option)
{
	char *all = NULL;

	if (asprintf(&all, "%s%s%s", request->options ? request->options : "",
		     request->options ? "," : "", option) < 0)
		return tool_failed(NAME, "%s", strerror(ENOMEM));
	free(request->options);
	request->options = all;
	return TOOL_OK;
}

static int parse_limit(const char *value, const char *name, uint64_t *limit)
{
	if (tool_parse_size(value, limit) == 0 && *limit > 0)
		return TOOL_OK;
	return tool_usage(NAME, "%s=%s: not a number above 0 (K, M, G can "
				"follow it)", name, value);
}

static int parse_options(struct request *request, const char *value)
{
	char *copy = strdup(value), *list = copy, *word;
	int status = TOOL_OK;

	if (copy == NULL)
		return tool_failed(NAME, "%s", strerror(ENOMEM));
	while (status == TOOL_OK && (word = tool_next_word(&list)) != NULL) {
		if (strncmp(word, "max_bytes=", 10) == 0)
			status = parse_limit(word + 10, "max_bytes",
					     &request->limits.max_bytes);
		else if (strncmp(word, "max_inodes=", 11) == 0)
			status = parse_limit(word + 11, "max_inodes",
					     &request->limits.max_inodes);
		else
			status = add_option(request, word);
	}
	free(copy);
	return status;
}

/* TOOL_OK, or the status to exit with; -1: help was asked for. */
static int parse(struct request *request, int argc, char **argv)
{
	static const struct option options[] = {
		{ "foreground", no_argument, NULL, 'f' },
		{ "options", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	int option, status = TOOL_OK;

	while (status == TOOL_OK &&
	       (option = getopt_long(argc, argv, ":fo:h", options, NULL)) !=
		       -1) {
		if (option == 'h')
			return -1;
		if (option == 'f')
			request->foreground = 1;
		else if (option == 'o')
			status = parse_options(request, optarg);
		else
			status = tool_bad_option(NAME, option, argv);
	}
	if (status != TOOL_OK)
		return status;
	if (optind == argc)
		return tool_usage(NAME, "no directory to mount on");
	if (argc - optind > 2)
		return tool_usage(NAME, "'%s': one SOURCE and one DIR, please",
				  argv[optind + 2]);
	request->dir = argv[argc - 1];
	if (argc - optind == 2)
		request->source = argv[optind];
	return TOOL_OK;
}

static void tell_left(const struct import_left *left)
{
	if (left->mounted)
		tool_failed(NAME, "%s: another file system is mounted there: "
				  "copied as an empty directory (%llu such)",
			    left->mounted_path,
			    (unsigned long long)left->mounted);
	if (left->xattrs)
		tool_failed(NAME, "%s: ACLs or attributes that memvfs does "
				  "not have were left out (%llu such)",
			    left->xattrs_path,
			    (unsigned long long)left->xattrs);
}

static int fill(const struct request *request, mvfs *fs)
{
	struct mvfs_error error = { .code = 0 };
	struct import_left left;
	struct rlimit files;
	int r;

	if (request->source == NULL) {
		/* Or an ordinary user could do nothing in it. */
		r = mvfs_chown(fs, "/", geteuid(), getegid());
		return r ? tool_failed(NAME, "%s", strerror(-r)) : TOOL_OK;
	}
	/* The copier keeps one directory open for each level. */
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	r = import_tree(fs, request->source, &left, &error);
	if (r)
		return tool_failed(NAME, "%s", error.message);
	tell_left(&left);
	return TOOL_OK;
}

static struct mvfs_mount_options options_of(const struct request *request)
{
	return (struct mvfs_mount_options){
		.size = sizeof(struct mvfs_mount_options),
		.options = request->options,
	};
}

/* What is wrong with -o was asked wrongly. */
static int mount_failed(const struct mvfs_error *error)
{
	if (error->code == -EINVAL)
		return tool_usage(NAME, "%s", error->message);
	return tool_failed(NAME, "%s", error->message);
}

static void catch_signals(const sigset_t *caught)
{
	struct sigaction action, before;

	memset(&action, 0, sizeof action);
	action.sa_handler = on_signal;
	action.sa_mask = *caught;
	/* SIGINT also where a shell ignores it for what it started with '&':
	 * staying mounted would help nobody. */
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/* nohup(1) means what it says. */
	sigaction(SIGHUP, NULL, &before);
	if (before.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);
}

/* Leaves the terminal and lets the parent go; -1 if it is not there. */
static int detach(int up)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	char byte = TOOL_OK;

	setsid();
	if (chdir("/") < 0 || null < 0 || write(up, &byte, 1) != 1)
		return -1;
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close(null);
	close(up);
	return 0;
}

/* up: where to tell that it is up; -1: in the foreground. */
static int stay(mvfs *fs, const struct request *request, int up)
{
	struct mvfs_mount_options options = options_of(request);
	struct mvfs_error error = { .code = 0 };
	sigset_t caught, before;
	int r, status = TOOL_OK;

	sigemptyset(&caught);
	sigaddset(&caught, SIGINT);
	sigaddset(&caught, SIGTERM);
	sigaddset(&caught, SIGHUP);
	/* What comes while it is mounted is told to the mount then. */
	sigprocmask(SIG_BLOCK, &caught, &before);
	r = mvfs_mount(fs, request->dir, &options, &mounted, &error);
	if (r)
		return mount_failed(&error);
	catch_signals(&caught);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (up >= 0 && detach(up) < 0)
		status = TOOL_FAILED;
	else if (mvfs_mount_wait(mounted) == -EIO)
		status = tool_failed(NAME, "%s: serving it failed",
				     request->dir);
	r = mvfs_unmount(mounted);
	if (r)
		status = tool_failed(NAME, "%s: cannot be unmounted: %s",
				     request->dir, strerror(-r));
	return status;
}

static int run(const struct request *request, int up)
{
	mvfs *fs = NULL;
	int r, status;

	r = mvfs_create(&request->limits, &fs);
	if (r)
		return tool_failed(NAME, "%s", strerror(-r));
	status = fill(request, fs);
	if (status == TOOL_OK)
		status = stay(fs, request, up);
	/* Frees what the process is about to lose anyway, but says by that
	 * whether something of it was forgotten. */
	mvfs_destroy(fs);
	return status;
}

static int background(const struct request *request)
{
	int pipes[2], status = TOOL_FAILED;
	char byte;
	pid_t child;
	ssize_t n;

	if (pipe2(pipes, O_CLOEXEC) < 0 || (child = fork()) < 0)
		return tool_failed(NAME, "%s", strerror(errno));
	if (child == 0) {
		close(pipes[0]);
		/* If the parent is gone, write(2) says so. */
		signal(SIGPIPE, SIG_IGN);
		return run(request, pipes[1]);
	}
	close(pipes[1]);
	do {
		n = read(pipes[0], &byte, 1);
	} while (n < 0 && errno == EINTR);
	if (n == 1)
		return byte;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		return tool_failed(NAME, "ended by signal %d",
				   WTERMSIG(status));
	return WEXITSTATUS(status);
}

int cmd_mount(int argc, char **argv)
{
	struct request request = {
		.limits = { .size = sizeof request.limits },
	};
	struct mvfs_error error = { .code = 0 };
	struct mvfs_mount_options options;
	int status;

	opterr = 0;
	status = parse(&request, argc, argv);
	if (status == -1) {
		print_help();
		status = tool_finish(NAME);
	} else if (status == TOOL_OK) {
		/* Before a large source is copied for nothing. */
		options = options_of(&request);
		if (mvfs_mount_check(request.dir, &options, &error))
			status = mount_failed(&error);
		else if (request.foreground)
			status = run(&request, -1);
		else
			status = background(&request);
	}
	free(request.options);
	return status;
}
