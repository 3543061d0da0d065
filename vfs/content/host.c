/* SPDX-License-Identifier: MIT */
/*
 * Reading files of the host: see host.h.
 *
 * One read of the size that fstat(2) told, and a small one that sees the end:
 * two calls for a file that holds still, and a buffer that fits. A file of
 * size 0 may be one of /proc, so it is asked too, and into the stack first:
 * most of these are small.
 */
#include "config.h"

#include "vfs/content/host.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vfs/base/error.h"
#include "vfs/content/string.h"

/* What is asked for behind the expected end. */
#define PROBE 4096

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

/* Until `length` bytes are there or the file ends; or a negative errno. */
static int64_t read_full(const struct source *s, uint8_t *to, size_t length)
{
	size_t done = 0;
	ssize_t n;

	while (done < length) {
		n = read(s->fd, to + done,
			 length - done < READ_MAX ? length - done : READ_MAX);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(s, errno, "cannot read");
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (int64_t)done;
}

static int append(const struct source *s, struct mvfs__buffer **b,
		  const uint8_t *bytes, size_t length)
{
	size_t used = (size_t)(*b)->used, sum;

	if (mvfs__add_overflow(used, length, &sum))
		return fail(s, EFBIG, "cannot read");
	if (mvfs__buffer_reserve(b, sum))
		return no_memory(s, sum);
	memcpy(mvfs__buffer_bytes(*b) + used, bytes, length);
	mvfs__buffer_set_used(*b, sum);
	return 0;
}

/* What fits into the room that is there. */
static int64_t fill(const struct source *s, struct mvfs__buffer *b)
{
	size_t used = (size_t)b->used;
	int64_t n;

	assert(used <= mvfs__buffer_capacity(b));
	n = read_full(s, mvfs__buffer_bytes(b) + used,
		      mvfs__buffer_capacity(b) - used);

	if (n > 0)
		mvfs__buffer_set_used(b, used + (size_t)n);
	return n;
}

/*
 * To the end. A file longer than expected gives its buffer more room, and
 * each round fills that: growing by half makes it linear.
 */
static int read_rest(const struct source *s, struct mvfs__buffer **b)
{
	uint8_t probe[PROBE];
	int64_t n;
	int ret;

	for (;;) {
		n = read_full(s, probe, sizeof(probe));
		if (n <= 0)
			return (int)n;
		ret = append(s, b, probe, (size_t)n);
		if (ret || n < PROBE)
			return ret;
		n = fill(s, *b);
		if (n < 0)
			return (int)n;
	}
}

/* *b is NULL until a buffer was made, on failure too. */
static int read_all(const struct source *s, struct mvfs__buffer **b)
{
	struct stat st;
	uint64_t size;
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
	n = read_full(s, mvfs__buffer_bytes(*b), (size_t)size);
	if (n < 0)
		return (int)n;
	mvfs__buffer_set_used(*b, (uint64_t)n);
	if ((uint64_t)n < size)
		return 0;
	return read_rest(s, b);
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
