// SPDX-License-Identifier: MIT
/* The bytes of a file, without its holes. */
#include <config.h>

#include "tool/import_work.h"

#include <errno.h>
#include <unistd.h>

static int write_all(struct import *import, int to, size_t len, off_t at)
{
	size_t done = 0;
	int64_t n;

	while (done < len) {
		n = mvfs_pwrite(import->fs, to, import->buffer + done,
				len - done, at + done);
		if (n < 0)
			return import_error(import, n, "cannot be stored");
		done += n;
	}
	return 0;
}

/* Up to `end` or, if the file is shorter by now, its end: 1 then. */
static int copy(struct import *import, int from, int to, off_t at, off_t end)
{
	size_t len;
	ssize_t n;
	int r;

	while (at < end) {
		len = IMPORT_BUFFER;
		if (end - at < IMPORT_BUFFER)
			len = end - at;
		n = pread(from, import->buffer, len, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return import_error(import, -errno, "cannot be read");
		if (n == 0)
			return 1;
		r = write_all(import, to, n, at);
		if (r)
			return r;
		at += n;
	}
	return 0;
}

int import_data(struct import *import, int from, int to)
{
	off_t data, hole = 0;
	struct stat st;
	int r = 0;

	while (!r && (data = lseek(from, hole, SEEK_DATA)) >= 0) {
		hole = lseek(from, data, SEEK_HOLE);
		if (hole < 0)
			break;
		r = copy(import, from, to, data, hole);
	}
	if (r < 0)
		return r;
	/* ENXIO: only a hole is left. */
	if (!r && errno != ENXIO)
		return import_error(import, -errno, "cannot be searched");
	if (fstat(from, &st))
		return import_error(import, -errno, NULL);
	r = mvfs_ftruncate(import->fs, to, st.st_size);
	return r ? import_error(import, r, "cannot be stored") : 0;
}
