/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_TMPFILE */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memvfs_vfs_work.h"

#define PATH_SIZE 4096 /* PATH_MAX, the terminating 0 counted */

static struct memvfs_vfs *own(sqlite3_vfs *base)
{
	return (struct memvfs_vfs *)base;
}

int memvfs_sync_directory(struct memvfs_vfs *vfs, const char *path)
{
	char directory[PATH_SIZE];
	const char *slash = strrchr(path, '/');
	size_t len = slash > path ? (size_t)(slash - path) : 1;
	int fd, r, r2;

	if (vfs->flags & MEMVFS_VFS_NO_DIRECTORY_SYNC)
		return 0;
	memcpy(directory, path, len); /* absolute: of full_path() */
	directory[len] = '\0';
	fd = mvfs_open(vfs->fs, directory, O_RDONLY | O_DIRECTORY, 0);
	if (fd < 0)
		return fd;
	r = mvfs_fsync(vfs->fs, fd);
	r2 = mvfs_close(vfs->fs, fd);
	return r < 0 ? r : r2;
}

/* Makes a file without a name where SQLite has none for it. */
static int open_file(mvfs *fs, const char *path, int flags)
{
	int how = flags & SQLITE_OPEN_READWRITE ? O_RDWR : O_RDONLY;

	if (path == NULL)
		return mvfs_open(fs, "/", O_RDWR | O_TMPFILE | O_EXCL, 0600);
	if (flags & SQLITE_OPEN_CREATE)
		how |= O_CREAT;
	if (flags & SQLITE_OPEN_EXCLUSIVE)
		how |= O_EXCL;
	if (flags & SQLITE_OPEN_NOFOLLOW)
		how |= O_NOFOLLOW;
	return mvfs_open(fs, path, how, 0644);
}

/* A journal is as private as its database: who may read one may read the
 * other. */
static int inherit_mode(struct memvfs_file *file)
{
	mvfs *fs = file->vfs->fs;
	const char *dash = strrchr(file->path, '-');
	char database[PATH_SIZE];
	struct mvfs_stat st, is;
	int r;

	if (dash == NULL)
		return 0;
	memcpy(database, file->path, (size_t)(dash - file->path));
	database[dash - file->path] = '\0';
	r = mvfs_stat(fs, database, &st);
	if (r < 0)
		return r == -ENOENT ? 0 : r;
	r = mvfs_fstat(fs, file->fd, &is);
	if (r < 0 || is.mode == st.mode)
		return r;
	return mvfs_fchmod(fs, file->fd, st.mode & 0777);
}

static int finish_open(struct memvfs_file *file, int is_new)
{
	const int journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL;
	int r = 0;

	if (is_new && file->flags & journals)
		r = inherit_mode(file);
	if (r == 0 && file->path && file->flags & SQLITE_OPEN_DELETEONCLOSE)
		r = mvfs_unlink(file->vfs->fs, file->path);
	if (r < 0) {
		mvfs_close(file->vfs->fs, file->fd);
		return SQLITE_CANTOPEN;
	}
	file->sync_name = is_new && file->flags & (journals |
						    SQLITE_OPEN_SUPER_JOURNAL);
	file->base.pMethods = &memvfs_file_methods;
	return SQLITE_OK;
}

static int vfs_open(sqlite3_vfs *base, const char *path, sqlite3_file *to,
		    int flags, int *out_flags)
{
	struct memvfs_file *file = (struct memvfs_file *)to;
	mvfs *fs = own(base)->fs;
	int is_new;

	memset(file, 0, sizeof(*file));
	is_new = path != NULL && flags & SQLITE_OPEN_CREATE &&
		 mvfs_access(fs, path, F_OK) == -ENOENT;
	file->fd = open_file(fs, path, flags);
	if (file->fd < 0 && file->fd != -EISDIR &&
	    flags & SQLITE_OPEN_READWRITE && path != NULL && !is_new) {
		flags &= ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
		flags |= SQLITE_OPEN_READONLY;
		file->fd = open_file(fs, path, flags);
	}
	if (file->fd < 0)
		return SQLITE_CANTOPEN;
	file->vfs = own(base);
	file->path = path;
	file->flags = flags;
	if (out_flags != NULL)
		*out_flags = flags;
	return finish_open(file, is_new);
}

static int vfs_delete(sqlite3_vfs *base, const char *path, int sync_directory)
{
	int r = mvfs_unlink(own(base)->fs, path);

	if (r == -ENOENT)
		return SQLITE_IOERR_DELETE_NOENT;
	if (r < 0)
		return SQLITE_IOERR_DELETE;
	if (sync_directory && memvfs_sync_directory(own(base), path) < 0)
		return SQLITE_IOERR_DIR_FSYNC;
	return SQLITE_OK;
}

/* As SQLite's own VFS: a file without bytes is none, for an empty journal is
 * not hot. */
static int vfs_access(sqlite3_vfs *base, const char *path, int what,
		      int *result)
{
	mvfs *fs = own(base)->fs;
	struct mvfs_stat st;

	if (what == SQLITE_ACCESS_EXISTS)
		*result = mvfs_stat(fs, path, &st) == 0 &&
			  (!S_ISREG(st.mode) || st.size > 0);
	else
		*result = mvfs_access(fs, path, R_OK | W_OK) == 0;
	return SQLITE_OK;
}

/* Whether a prefix of the path, or all of it, is a symlink. */
static int has_symlink(mvfs *fs, const char *path)
{
	char prefix[PATH_SIZE];
	struct mvfs_stat st;

	for (size_t i = 1; i == 1 || path[i - 1] != '\0'; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		memcpy(prefix, path, i);
		prefix[i] = '\0';
		if (mvfs_lstat(fs, prefix, &st) == 0 && S_ISLNK(st.mode))
			return 1;
	}
	return 0;
}

/* Of a file that is not there yet: the path of its directory, and its name. */
static int64_t new_path(mvfs *fs, const char *path, char *to, size_t size)
{
	char directory[PATH_SIZE];
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	size_t len = (size_t)(name - path), name_len = strlen(name);
	int64_t n;

	memcpy(directory, len > 0 ? path : ".", len > 0 ? len : 1);
	directory[len > 0 ? len : 1] = '\0';
	n = mvfs_realpath(fs, directory, to, size);
	if (n < 0)
		return n;
	if ((size_t)n + 1 + name_len + 1 > size)
		return -ENAMETOOLONG;
	if (n > 1)
		to[n++] = '/';
	memcpy(to + n, name, name_len + 1);
	return n + (int64_t)name_len;
}

/* All names of a database must lead to the same journal, so symlinks are
 * resolved; one that leads nowhere yet cannot be. */
static int vfs_full_path(sqlite3_vfs *base, const char *path, int size,
			 char *to)
{
	mvfs *fs = own(base)->fs;
	int has_link;
	int64_t n;

	if (path[0] == '\0' || strlen(path) >= PATH_SIZE)
		return SQLITE_CANTOPEN;
	has_link = has_symlink(fs, path);
	n = mvfs_realpath(fs, path, to, (size_t)size);
	if (n == -ENOENT && has_link) {
		struct mvfs_stat st;

		if (mvfs_lstat(fs, path, &st) == 0)
			return SQLITE_CANTOPEN;
	}
	if (n == -ENOENT)
		n = new_path(fs, path, to, (size_t)size);
	if (n < 0)
		return SQLITE_CANTOPEN;
	return has_link ? SQLITE_OK_SYMLINK : SQLITE_OK;
}

static void *vfs_dl_open(sqlite3_vfs *base, const char *path)
{
	sqlite3_vfs *host = own(base)->host;

	return host->xDlOpen(host, path);
}

static void vfs_dl_error(sqlite3_vfs *base, int size, char *message)
{
	sqlite3_vfs *host = own(base)->host;

	host->xDlError(host, size, message);
}

static void (*vfs_dl_sym(sqlite3_vfs *base, void *handle,
			 const char *name))(void)
{
	sqlite3_vfs *host = own(base)->host;

	return host->xDlSym(host, handle, name);
}

static void vfs_dl_close(sqlite3_vfs *base, void *handle)
{
	sqlite3_vfs *host = own(base)->host;

	host->xDlClose(host, handle);
}

static int vfs_randomness(sqlite3_vfs *base, int size, char *to)
{
	sqlite3_vfs *host = own(base)->host;

	return host->xRandomness(host, size, to);
}

static int vfs_sleep(sqlite3_vfs *base, int microseconds)
{
	sqlite3_vfs *host = own(base)->host;

	return host->xSleep(host, microseconds);
}

static int vfs_time(sqlite3_vfs *base, double *days)
{
	sqlite3_vfs *host = own(base)->host;

	return host->xCurrentTime(host, days);
}

/* Files tell of their own: SQLITE_FCNTL_LAST_ERRNO. */
static int vfs_last_error(sqlite3_vfs *base, int size, char *message)
{
	(void)base;
	(void)size;
	(void)message;
	return 0;
}

static const sqlite3_vfs methods = {
	.iVersion = 1,
	.szOsFile = sizeof(struct memvfs_file),
	.mxPathname = PATH_SIZE,
	.xOpen = vfs_open,
	.xDelete = vfs_delete,
	.xAccess = vfs_access,
	.xFullPathname = vfs_full_path,
	.xDlOpen = vfs_dl_open,
	.xDlError = vfs_dl_error,
	.xDlSym = vfs_dl_sym,
	.xDlClose = vfs_dl_close,
	.xRandomness = vfs_randomness,
	.xSleep = vfs_sleep,
	.xCurrentTime = vfs_time,
	.xGetLastError = vfs_last_error,
};

int memvfs_vfs_register(mvfs *fs, const char *name, unsigned flags,
			struct memvfs_vfs **vfs)
{
	struct memvfs_vfs *new = calloc(1, sizeof(*new));
	int r;

	if (new == NULL)
		return SQLITE_NOMEM;
	new->base = methods;
	new->base.zName = name;
	new->fs = fs;
	new->flags = flags;
	new->host = sqlite3_vfs_find(NULL);
	pthread_mutex_init(&new->mutex, NULL);
	r = new->host != NULL ? sqlite3_vfs_register(&new->base, 0)
			      : SQLITE_NOTFOUND;
	if (r != SQLITE_OK) {
		pthread_mutex_destroy(&new->mutex);
		free(new);
		return r;
	}
	*vfs = new;
	return SQLITE_OK;
}

void memvfs_vfs_unregister(struct memvfs_vfs *vfs)
{
	if (vfs == NULL)
		return;
	sqlite3_vfs_unregister(&vfs->base);
	pthread_mutex_destroy(&vfs->mutex);
	free(vfs);
}
