// SPDX-License-Identifier: MIT
/*
 * Walks the source, one level of open directories for each level of the
 * tree, on both sides, so that no path is ever too long and nobody who moves
 * directories meanwhile leads the copier elsewhere. A directory's attributes
 * come after what is in it, which would change its times.
 */
#include <config.h>

#include "tool/import_work.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct level {
	DIR *from;
	int to;              /* in the tree */
	struct stat st;
	size_t path_len;     /* up to and with this directory */
	struct level *above; /* NULL: the source itself */
};

int import_error(struct import *import, int code, const char *message)
{
	struct mvfs_error *error = import->error;
	const char *path = import->path ? import->path : "";
	size_t len = strlen(path);

	if (!error)
		return code;
	memset(error, 0, sizeof *error);
	error->code = code;
	/* Of a long path the end says more. */
	snprintf(error->message, sizeof error->message, "%s%s: %s%s%s",
		 len > 150 ? "..." : "", len > 150 ? path + len - 147 : path,
		 message ? message : "", message ? ": " : "",
		 strerror(-code));
	return code;
}

static int path_push(struct import *import, const char *name)
{
	size_t len = strlen(name), need = import->path_len + len + 2;
	char *larger;

	if (need > import->path_room) {
		larger = realloc(import->path, need * 2);
		if (!larger)
			return import_error(import, -ENOMEM, NULL);
		import->path = larger;
		import->path_room = need * 2;
	}
	if (import->path_len && import->path[import->path_len - 1] != '/')
		import->path[import->path_len++] = '/';
	memcpy(import->path + import->path_len, name, len + 1);
	import->path_len += len;
	return 0;
}

static void path_cut(struct import *import, size_t len)
{
	import->path_len = len;
	import->path[len] = '\0';
}

/* Leaves the times of access alone where that is permitted. */
static int open_host(int dir, const char *name, int flags)
{
	int fd;

	flags |= O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	fd = openat(dir, name, flags | O_NOATIME);
	if (fd < 0 && errno == EPERM)
		fd = openat(dir, name, flags);
	return fd < 0 ? -errno : fd;
}

static void level_free(struct import *import, struct level *level)
{
	mvfs_close(import->fs, level->to);
	closedir(level->from);
	free(level);
}

/* Takes the descriptor of the host over. */
static int level_push(struct import *import, struct level **top, int from,
		      int to_dir, const char *to)
{
	struct level *level = calloc(1, sizeof *level);
	int r = -ENOMEM;

	if (!level)
		goto out;
	r = mvfs_openat(import->fs, to_dir, to, O_RDONLY | O_DIRECTORY, 0);
	if (r < 0)
		goto out;
	level->to = r;
	if (fstat(from, &level->st) || !(level->from = fdopendir(from))) {
		r = -errno;
		mvfs_close(import->fs, level->to);
		goto out;
	}
	level->path_len = import->path_len;
	level->above = *top;
	*top = level;
	return 0;
out:
	free(level);
	close(from);
	return import_error(import, r, NULL);
}

/* The directory is complete: its attributes, and up. */
static int level_pop(struct import *import, struct level **top)
{
	struct level *level = *top;
	int r;

	path_cut(import, level->path_len);
	r = import_attrs(import, dirfd(level->from), ".", level->to, ".",
			 &level->st);
	*top = level->above;
	level_free(import, level);
	return r;
}

static int import_dir(struct import *import, struct level **top,
		      const char *name, const struct stat *st)
{
	int to = (*top)->to, fd, r;

	r = mvfs_mkdirat(import->fs, to, name, 0700);
	if (r)
		return import_error(import, r, "cannot be made");
	if (st->st_dev != import->dev) {
		if (!import->left->mounted++)
			snprintf(import->left->mounted_path,
				 sizeof import->left->mounted_path, "%s",
				 import->path);
		return import_attrs(import, dirfd((*top)->from), name, to,
				    name, st);
	}
	fd = open_host(dirfd((*top)->from), name, O_DIRECTORY);
	if (fd < 0)
		return import_error(import, fd, NULL);
	return level_push(import, top, fd, to, name);
}

static int import_file(struct import *import, int from_dir, const char *name,
		       int to_dir)
{
	int from, to, r;

	from = open_host(from_dir, name, 0);
	if (from < 0)
		return import_error(import, from, NULL);
	to = mvfs_openat(import->fs, to_dir, name,
			 O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (to < 0) {
		r = import_error(import, to, "cannot be made");
	} else {
		r = import_data(import, from, to);
		mvfs_close(import->fs, to);
	}
	close(from);
	return r;
}

static int import_symlink(struct import *import, int from_dir,
			  const char *name, int to_dir)
{
	ssize_t n;
	int r;

	n = readlinkat(from_dir, name, import->buffer, IMPORT_BUFFER - 1);
	if (n < 0)
		return import_error(import, -errno, NULL);
	import->buffer[n] = '\0';
	r = mvfs_symlinkat(import->fs, import->buffer, to_dir, name);
	return r ? import_error(import, r, "cannot be made") : 0;
}

static int import_other(struct import *import, const char *name, int to_dir,
			const struct stat *st)
{
	int r;

	r = mvfs_mknodat(import->fs, to_dir, name,
			 (st->st_mode & S_IFMT) | 0600, st->st_rdev);
	return r ? import_error(import, r, "cannot be made") : 0;
}

/* Anything but a directory. */
static int import_leaf(struct import *import, int from_dir, const char *name,
		       int to_dir, const struct stat *st)
{
	int r;

	r = import_link_again(import, st, to_dir, name);
	if (r)
		return r < 0 ? r : 0;
	if (S_ISREG(st->st_mode))
		r = import_file(import, from_dir, name, to_dir);
	else if (S_ISLNK(st->st_mode))
		r = import_symlink(import, from_dir, name, to_dir);
	else
		r = import_other(import, name, to_dir, st);
	if (!r)
		r = import_attrs(import, from_dir, name, to_dir, name, st);
	if (!r)
		r = import_link_first(import, st, to_dir, name);
	return r;
}

static int import_name(struct import *import, struct level **top,
		       const char *name)
{
	struct level *level = *top;
	int from_dir = dirfd(level->from), r;
	struct stat st;

	path_cut(import, level->path_len);
	r = path_push(import, name);
	if (r)
		return r;
	if (fstatat(from_dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return import_error(import, -errno, NULL);
	if (S_ISDIR(st.st_mode))
		return import_dir(import, top, name, &st);
	return import_leaf(import, from_dir, name, level->to, &st);
}

static int walk(struct import *import, struct level **top)
{
	struct dirent *entry;
	int r = 0;

	while (!r && *top) {
		errno = 0;
		entry = readdir((*top)->from);
		if (!entry && errno)
			r = import_error(import, -errno, "cannot be listed");
		else if (!entry)
			r = level_pop(import, top);
		else if (strcmp(entry->d_name, ".") &&
			 strcmp(entry->d_name, ".."))
			r = import_name(import, top, entry->d_name);
	}
	return r;
}

/* The source itself may be a symlink: it was named by the caller. */
static int start(struct import *import, const char *source,
		 struct level **top)
{
	struct stat st;
	int fd, r;

	r = path_push(import, source);
	if (r)
		return r;
	fd = open(source, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return import_error(import, -errno, NULL);
	if (fstat(fd, &st)) {
		r = import_error(import, -errno, NULL);
		close(fd);
		return r;
	}
	import->dev = st.st_dev;
	return level_push(import, top, fd, MVFS_AT_FDCWD, "/");
}

int import_tree(mvfs *fs, const char *source, struct import_left *left,
		struct mvfs_error *error)
{
	struct import import = { .fs = fs, .left = left, .error = error };
	struct level *top = NULL, *above;
	int r;

	memset(left, 0, sizeof *left);
	import.buffer = malloc(IMPORT_BUFFER);
	r = import.buffer ? start(&import, source, &top)
			  : import_error(&import, -ENOMEM, NULL);
	if (!r)
		r = walk(&import, &top);
	for (; top; top = above) {
		above = top->above;
		level_free(&import, top);
	}
	import_links_free(&import);
	free(import.buffer);
	free(import.path);
	return r;
}
