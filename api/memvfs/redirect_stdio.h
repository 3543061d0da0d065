/* SPDX-License-Identifier: MIT */
/* Of memvfs/redirect.h, which includes this: streams and directories. */
#include <memvfs/redirect.h>

#ifndef MEMVFS_REDIRECT_STDIO_H
#define MEMVFS_REDIRECT_STDIO_H

#pragma GCC system_header

MVFS__REDIRECT FILE *mvfs__redirect_fopen(const char *path, const char *mode)
{
	struct mvfs_redirect_place at;
	FILE *file;
	int rc = mvfs_redirect_path(&at, AT_FDCWD, path);

	if (rc == 0)
		return fopen(at.path, mode);
	if (rc > 0)
		rc = mvfs_fopen(at.fs, at.path, mode, &file);
	return mvfs__redirect_result(rc) < 0 ? NULL : file;
}

MVFS__REDIRECT FILE *mvfs__redirect_fdopen(int fd, const char *mode)
{
	FILE *file;
	mvfs *fs;
	int on;

	if (fd < MVFS_REDIRECT_FIRST)
		return fdopen(fd, mode);
	on = mvfs_redirect_fd(fd, &fs);
	if (on >= 0)
		on = mvfs_fdopen(fs, on, mode, &file);
	return mvfs__redirect_result(on) < 0 ? NULL : file;
}

MVFS__REDIRECT int mvfs__redirect_fileno(FILE *file)
{
	int fd = mvfs_redirect_fileno(file);

	return fd < 0 ? fileno(file) : fd;
}

#if defined __USE_GNU
MVFS__REDIRECT int mvfs__redirect_vdprintf(int fd, const char *format,
					   va_list args)
{
	char *text;
	ssize_t done = 0, n = 0;
	int len;

	if (fd < MVFS_REDIRECT_FIRST)
		return vdprintf(fd, format, args);
	len = vasprintf(&text, format, args);
	if (len < 0)
		return -1;
	for (; n >= 0 && done < len; done += n)
		n = mvfs__redirect_write(fd, text + done,
					 (size_t)(len - done));
	free(text);
	return n < 0 ? -1 : len;
}

MVFS__REDIRECT int mvfs__redirect_dprintf(int fd, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = mvfs__redirect_vdprintf(fd, format, args);
	va_end(args);
	return n;
}
#endif

/*
 * Directories. A DIR of the C library is at an even address; one of a tree is
 * told by an odd one.
 */
struct mvfs__redirect_dir {
	struct mvfs_dir *dir;
	int fd;
	uint64_t last; /* cookie of the entry */
	struct dirent entry;
};

MVFS__REDIRECT struct mvfs__redirect_dir *mvfs__redirect_dir_of(DIR *dir)
{
	const uintptr_t at = (uintptr_t)(void *)dir;

	return (at & 1) ? (struct mvfs__redirect_dir *)(at - 1) : NULL;
}

MVFS__REDIRECT DIR *mvfs__redirect_fdopendir(int fd)
{
	struct mvfs__redirect_dir *d;
	mvfs *fs;
	int on;

	if (fd < MVFS_REDIRECT_FIRST)
		return fdopendir(fd);
	on = mvfs_redirect_fd(fd, &fs);
	if (mvfs__redirect_result(on) < 0)
		return NULL;
	d = (struct mvfs__redirect_dir *)calloc(1, sizeof(*d));
	if (!d)
		return NULL;
	on = mvfs_opendirat(fs, on, "", MVFS_LIST_DOTS, &d->dir);
	if (mvfs__redirect_result(on) < 0) {
		free(d);
		return NULL;
	}
	d->fd = fd;
	return (DIR *)(void *)((uintptr_t)d + 1);
}

MVFS__REDIRECT DIR *mvfs__redirect_opendir(const char *path)
{
	struct mvfs_redirect_place at;
	DIR *dir;
	int fd, error, rc = mvfs_redirect_path(&at, AT_FDCWD, path);

	if (rc == 0)
		return opendir(at.path);
	fd = mvfs__redirect_open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
	if (fd < 0)
		return NULL;
	dir = mvfs__redirect_fdopendir(fd);
	if (!dir) {
		error = errno;
		mvfs__redirect_close(fd);
		errno = error;
	}
	return dir;
}

MVFS__REDIRECT struct dirent *mvfs__redirect_readdir(DIR *dir)
{
	struct mvfs__redirect_dir *d = mvfs__redirect_dir_of(dir);
	struct mvfs_dirent found;
	int rc;

	if (!d)
		return readdir(dir);
	rc = mvfs_readdir(d->dir, &found);
	if (mvfs__redirect_result(rc) <= 0)
		return NULL;
	d->last = found.cookie;
	d->entry.d_ino = (ino_t)found.ino;
	d->entry.d_off = (off_t)found.cookie;
	d->entry.d_reclen = sizeof(d->entry);
	d->entry.d_type = found.type;
	memcpy(d->entry.d_name, found.name, (size_t)found.len + 1);
	return &d->entry;
}

MVFS__REDIRECT int mvfs__redirect_closedir(DIR *dir)
{
	struct mvfs__redirect_dir *d = mvfs__redirect_dir_of(dir);
	int rc;

	if (!d)
		return closedir(dir);
	mvfs_closedir(d->dir);
	rc = mvfs__redirect_close(d->fd);
	free(d);
	return rc;
}

MVFS__REDIRECT void mvfs__redirect_rewinddir(DIR *dir)
{
	struct mvfs__redirect_dir *d = mvfs__redirect_dir_of(dir);

	if (!d) {
		rewinddir(dir);
		return;
	}
	d->last = 0;
	(void)mvfs_rewinddir(d->dir);
}

MVFS__REDIRECT int mvfs__redirect_dirfd(DIR *dir)
{
	struct mvfs__redirect_dir *d = mvfs__redirect_dir_of(dir);

	return d ? d->fd : dirfd(dir);
}

#if defined __USE_MISC || defined __USE_XOPEN
MVFS__REDIRECT long mvfs__redirect_telldir(DIR *dir)
{
	struct mvfs__redirect_dir *d = mvfs__redirect_dir_of(dir);

	return d ? (long)d->last : telldir(dir);
}

MVFS__REDIRECT void mvfs__redirect_seekdir(DIR *dir, long to)
{
	struct mvfs__redirect_dir *d = mvfs__redirect_dir_of(dir);

	if (!d)
		seekdir(dir, to);
	else if (!mvfs_seekdir(d->dir, (uint64_t)to))
		d->last = (uint64_t)to;
}
#endif

#endif
