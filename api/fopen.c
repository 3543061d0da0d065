/* SPDX-License-Identifier: MIT */
/*
 * memvfs/fopen.h: streams of the C library with four calls of ours below.
 *
 * The C library knows from the mode which way a stream goes, and asks for the
 * offset by seeking, so a stream that appends is right without more: where its
 * writes go is decided by O_APPEND of the open file. A pipe with a thread was
 * rejected: it cannot seek.
 *
 * glibc keeps the offset that a seek told, and forgets to move it when a
 * cookie writes (seen in 2.36): after a write, a seek to where one is would
 * lead back. So it is moved here.
 */
#include "config.h"

#include <memvfs/file.h>
#include <memvfs/fopen.h>

#include <string.h>
#include <unistd.h>

#include "api/args.h"
#include "api/shared.h"
#include "vfs/mem/mem.h"

/* glibc looks at so many characters behind the letter. */
enum { FOPEN_LOOKS_AT = 6, FDOPEN_LOOKS_AT = 4 };

struct stream {
	mvfs *fs;
	int fd;
	FILE *file;
	struct stream *next, **back; /* all of them; under the shared mutex */
};

static struct stream *streams;

/* What a mode asks for, and its shortest spelling. */
struct mode {
	int flags; /* of open(2) */
	char name[3];
};

static int read_mode(const char *text, int limit, struct mode *mode)
{
	int i;

	*mode = (struct mode){ .name = { text[0] } };
	switch (text[0]) {
	case 'r':
		mode->flags = O_RDONLY;
		break;
	case 'w':
		mode->flags = O_WRONLY | O_CREAT | O_TRUNC;
		break;
	case 'a':
		mode->flags = O_WRONLY | O_CREAT | O_APPEND;
		break;
	default:
		return -EINVAL;
	}
	if (strstr(text, ",ccs="))
		return -EINVAL;
	for (i = 1; i <= limit && text[i] && text[i] != ','; i++) {
		if (text[i] == '+') {
			mode->flags = (mode->flags & ~O_ACCMODE) | O_RDWR;
			mode->name[1] = '+';
		} else if (text[i] == 'x') {
			mode->flags |= O_EXCL;
		}
	}
	return 0;
}

#if HAVE_STRUCT__IO_FILE__OFFSET
static void note_written(FILE *file, size_t len)
{
	if (file->_offset >= 0)
		file->_offset += (off64_t)len;
}
#else
static void note_written(FILE *file, size_t len)
{
	(void)file;
	(void)len;
}
#endif

/* Such a stream stands at the end before its first write. */
static bool appends_only(const struct mode *mode)
{
	return (mode->flags & (O_ACCMODE | O_APPEND)) ==
	       (O_WRONLY | O_APPEND);
}

static ssize_t stream_read(void *cookie, char *to, size_t len)
{
	const struct stream *s = cookie;
	int64_t n = mvfs_read(s->fs, s->fd, to, len);

	if (n >= 0)
		return (ssize_t)n;
	errno = (int)-n;
	return -1;
}

/* All of it or up to the first error, as the C library does with the kernel;
 * what is not written is how it tells that there was one. */
static ssize_t stream_write(void *cookie, const char *bytes, size_t len)
{
	const struct stream *s = cookie;
	size_t done;
	int64_t n;

	for (done = 0; done < len; done += (size_t)n) {
		n = mvfs_write(s->fs, s->fd, bytes + done, len - done);
		if (n < 0) {
			errno = (int)-n;
			break;
		}
	}
	note_written(s->file, done);
	return (ssize_t)done;
}

static int stream_seek(void *cookie, off64_t *offset, int whence)
{
	const struct stream *s = cookie;
	int64_t at = mvfs_lseek(s->fs, s->fd, *offset, whence);

	if (at < 0) {
		errno = (int)-at;
		return -1;
	}
	*offset = at;
	return 0;
}

static int stream_close(void *cookie)
{
	struct stream *s = cookie;
	int rc;

	mvfs__shared_lock();
	*s->back = s->next;
	if (s->next)
		s->next->back = s->back;
	mvfs__shared_unlock();
	rc = s->fd < 0 ? 0 : mvfs_close(s->fs, s->fd);
	mvfs__free(s);
	if (!rc)
		return 0;
	errno = -rc;
	return -1;
}

static void list(struct stream *s)
{
	mvfs__shared_lock();
	s->next = streams;
	s->back = &streams;
	if (s->next)
		s->next->back = &s->next;
	streams = s;
	mvfs__shared_unlock();
}

/* A stream that has no descriptor yet, so that nothing can fail when it has:
 * to be given one, or to be closed. */
static int make(mvfs *fs, const struct mode *mode, struct stream **stream)
{
	static const cookie_io_functions_t calls = {
		.read = stream_read,
		.write = stream_write,
		.seek = stream_seek,
		.close = stream_close,
	};
	struct stream *s = mvfs__malloc(sizeof(*s));

	if (!s)
		return -ENOMEM;
	*s = (struct stream){ .fs = fs, .fd = -1 };
	s->file = fopencookie(s, mode->name, calls);
	if (!s->file) {
		mvfs__free(s);
		return -ENOMEM;
	}
	list(s);
	*stream = s;
	return 0;
}

int mvfs_fopen(mvfs *fs, const char *path, const char *mode, FILE **file)
{
	struct stream *s;
	struct mode how;
	int fd, rc = mvfs__check(fs, path);

	if (!rc && (!mode || !file))
		rc = -EFAULT;
	if (!rc)
		rc = read_mode(mode, FOPEN_LOOKS_AT, &how);
	if (!rc)
		rc = make(fs, &how, &s);
	if (rc)
		return rc;
	fd = mvfs_open(fs, path, how.flags, 0666);
	if (fd < 0) {
		fclose(s->file);
		return fd;
	}
	s->fd = fd;
	if (appends_only(&how))
		(void)mvfs_lseek(fs, fd, 0, SEEK_END);
	*file = s->file;
	return 0;
}

/* Whether a mode asks for no more than what the descriptor is open for. */
static int check_access(int flags, const struct mode *how)
{
	if (flags < 0)
		return flags;
	if (flags & O_PATH)
		return -EBADF;
	flags &= O_ACCMODE;
	return flags == O_RDWR || flags == (how->flags & O_ACCMODE) ?
	       0 : -EINVAL;
}

int mvfs_fdopen(mvfs *fs, int fd, const char *mode, FILE **file)
{
	struct stream *s;
	struct mode how;
	int flags, rc = mvfs__check(fs, mode);

	if (!rc && !file)
		rc = -EFAULT;
	if (!rc)
		rc = read_mode(mode, FDOPEN_LOOKS_AT, &how);
	if (rc)
		return rc;
	flags = mvfs_getfl(fs, fd);
	rc = check_access(flags, &how);
	if (!rc)
		rc = make(fs, &how, &s);
	if (rc)
		return rc;
	if (how.flags & O_APPEND & ~flags) {
		rc = mvfs_setfl(fs, fd, flags | O_APPEND);
		if (!rc && appends_only(&how))
			(void)mvfs_lseek(fs, fd, 0, SEEK_END);
	}
	if (rc) {
		fclose(s->file);
		return rc;
	}
	s->fd = fd;
	*file = s->file;
	return 0;
}

int mvfs__stream_of(FILE *file, mvfs **fs)
{
	const struct stream *s;
	int fd = -EBADF;

	mvfs__shared_lock();
	for (s = streams; s && s->file != file; s = s->next)
		;
	if (s) {
		fd = s->fd;
		*fs = s->fs;
	}
	mvfs__shared_unlock();
	return fd;
}

int mvfs_fileno(FILE *file)
{
	mvfs *fs;

	return file ? mvfs__stream_of(file, &fs) : -EFAULT;
}
