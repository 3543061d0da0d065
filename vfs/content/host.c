/* SPDX-License-Identifier: MIT */
/*
 * Reading files of the host: see host.h.
 *
 * One read of the size that fstat(2) told and a page more. If just the size
 * came, the file holds still and that was its end: fstat and read say the
 * same. Else, and where no size is known, it is read until nothing comes: a
 * short read alone is no end, not of files of /proc, nor of pipes.
 *
 * What is asked for behind the room goes to the stack: most files of /proc
 * are small, and a buffer that fits has no room to spare.
 */
#include "config.h"

#include "vfs/content/host.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "vfs/base/error.h"
#include "vfs/content/string.h"
#include "vfs/mem/mem.h"

/* What is asked for behind the expected end. */
#define PROBE 4096

/* The room that is made where that was not enough: what a pipe holds. Then
 * the buffer grows by half, which is linear. */
#define ROOM_NEXT (64u * 1024)

/* Linux moves no more than this in one call; others refuse more. */
#define READ_MAX 0x7ffff000u

struct source {
	int fd;
	struct mvfs_error *error;
};

static int fail(const struct source *s, int error, const char *what)
{
	return mvfs__fail(s->error, -error, 0, 0, "%s: %s", what,
			  strerror(error));
}

static int no_memory(const struct source *s, uint64_t bytes)
{
	return mvfs__fail(s->error, -ENOMEM, 0, 0,
			  "no memory for its %llu bytes",
			  (unsigned long long)bytes);
}

static int append(const struct source *s, struct mvfs__buffer **b,
		  const uint8_t *bytes, size_t length)
{
	size_t used = (size_t)(*b)->used, sum;

	if (mvfs__add_overflow(used, length, &sum))
		return fail(s, EFBIG, "cannot read");
	/* it may be much longer */
	if (mvfs__buffer_reserve(b, length < PROBE || sum > ROOM_NEXT ?
				    sum : ROOM_NEXT))
		return no_memory(s, sum);
	memcpy(mvfs__buffer_bytes(*b) + used, bytes, length);
	mvfs__mem_count_copy(length);
	mvfs__buffer_set_used(*b, sum);
	return 0;
}

/*
 * Reads once, into the room that the buffer has up to `room`, and a little
 * more. How much it was, 0 at the end, or a negative errno.
 */
static int64_t read_some(const struct source *s, struct mvfs__buffer **b,
			 size_t room)
{
	size_t used = (size_t)(*b)->used, left = room - used, more;
	uint8_t probe[PROBE];
	struct iovec to[2] = {
		{ mvfs__buffer_bytes(*b) + used,
		  left < READ_MAX ? left : READ_MAX },
		{ probe, left < READ_MAX ? sizeof(probe) : 0 },
	};
	ssize_t n;

	assert(used <= room && room <= mvfs__buffer_capacity(*b));
	do
		n = readv(s->fd, to, 2);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return fail(s, errno, "cannot read");
	more = (size_t)n > left ? (size_t)n - left : 0;
	if (n)
		mvfs__buffer_set_used(*b, used + (size_t)n - more);
	if (more) {
		int ret = append(s, b, probe, more);

		if (ret)
			return ret;
	}
	return n;
}

/* *b is NULL until a buffer was made, on failure too. */
static int read_all(const struct source *s, struct mvfs__buffer **b)
{
	struct stat st;
	uint64_t size;
	size_t room;
	int64_t n;

	if (fstat(s->fd, &st))
		return fail(s, errno, "cannot stat");
	size = S_ISREG(st.st_mode) && st.st_size > 0 ?
		(uint64_t)st.st_size : 0;
	if (size > SIZE_MAX / 2)
		return fail(s, EFBIG, "cannot read");
	*b = mvfs__buffer_new((size_t)size);
	if (!*b)
		return no_memory(s, size);
	/* the size, not the capacity: that may be a page more */
	for (room = (size_t)size;; room = mvfs__buffer_capacity(*b)) {
		n = read_some(s, b, room);
		if (n <= 0)
			return (int)n;
		/* more was asked for, and this is what was told */
		if (size && (*b)->used == size)
			return 0;
	}
}

static int read_file(int dirfd, const char *path, struct mvfs__buffer **b,
		     struct mvfs_error *error)
{
	struct source s = { .error = error };
	int ret;

	do
		s.fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	while (s.fd < 0 && errno == EINTR);
	if (s.fd < 0)
		return fail(&s, errno, "cannot open");
	ret = read_all(&s, b);
	close(s.fd);
	return ret;
}

int mvfs__host_read_string(int dirfd, const char *path,
			   const struct mvfs_charset *cs, unsigned flags,
			   struct mvfs_string *out, struct mvfs_error *error)
{
	struct mvfs__buffer *b = NULL;
	int ret = read_file(dirfd, path, &b, error);

	if (ret)
		mvfs__string_drop(b);
	else
		ret = mvfs__string_from_buffer(b, 0, b->used, cs, flags, out,
					       error);
	if (ret)
		mvfs__error_name(error, path);
	else
		/* read for this string alone: nobody shares it */
		out->flags &= ~MVFS_STRING_SHARED;
	return ret;
}
