/* SPDX-License-Identifier: MIT */
/*
 * Reading a whole tree, by the same operations: what every name is, with
 * content and attributes as hashes.
 */
#include "config.h"

#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096, DEEPEST = 200 };

struct reader {
	struct side *side;
	struct dump *dump;
	struct result *result; /* the side's spare */
};

static int64_t run(struct reader *r, struct op *op)
{
	op->look = true;
	r->side->driver->run(r->side, op, r->result);
	return r->result->ret;
}

static int64_t open_at(struct reader *r, int at, const char *name, int flags)
{
	return run(r, &(struct op){ .code = OP_OPENAT, .fd = { at },
				    .path = { name },
				    .flags = flags | O_RDONLY | O_NOFOLLOW });
}

static void close_fd(struct reader *r, int64_t fd)
{
	run(r, &(struct op){ .code = OP_CLOSE, .fd = { (int)fd } });
}

static int64_t seek(struct reader *r, int fd, int64_t from, int whence)
{
	return run(r, &(struct op){ .code = OP_LSEEK, .fd = { fd },
				    .off = from, .whence = whence });
}

/* Pages of zeros do not count: they may as well be holes. */
static void add_bytes(struct entry *entry, int64_t at,
		      const unsigned char *bytes, size_t len)
{
	static const unsigned char zeros[PAGE];
	size_t part;

	for (; len; bytes += part, at += (int64_t)part, len -= part) {
		part = PAGE - (size_t)(at % PAGE);
		if (part > len)
			part = len;
		if (memcmp(bytes, zeros, part))
			entry->content += data_hash(bytes, part,
						    (uint64_t)at);
	}
}

static void read_content(struct reader *r, int fd, struct entry *entry)
{
	int64_t at, end = 0, got;

	while ((at = seek(r, fd, end, SEEK_DATA)) >= 0) {
		end = seek(r, fd, at, SEEK_HOLE);
		if (end <= at) {
			entry->error = (int)end;
			return;
		}
		entry->layout = data_hash(&at, sizeof(at), entry->layout);
		entry->layout = data_hash(&end, sizeof(end), entry->layout);
		for (; at < end; at += got) {
			got = run(r, &(struct op){ .code = OP_PREAD,
						   .fd = { fd },
						   .off = at,
						   .len = end - at > BUFFER
							? BUFFER : end - at });
			if (got <= 0) {
				entry->error = got ? (int)got : -EIO;
				return;
			}
			add_bytes(entry, at, r->result->out, (size_t)got);
		}
	}
	if (at != -ENXIO)
		entry->error = (int)at;
}

static uint64_t read_xattrs(struct reader *r, int at, const char *name)
{
	static _Thread_local char names[65536];
	struct op op = { .code = OP_LISTXATTRAT, .fd = { at },
			 .path = { name }, .flags = AT_SYMLINK_NOFOLLOW,
			 .len = sizeof(names) };
	uint64_t hash = 0;
	size_t len, i;

	if (run(r, &op) < 0)
		return (uint64_t)r->result->ret;
	len = r->result->len;
	memcpy(names, r->result->out, len);
	for (i = 0; i < len; i += strlen(names + i) + 1) {
		op.code = OP_GETXATTRAT;
		op.name = names + i;
		op.len = 65536;
		run(r, &op);
		hash = data_hash(names + i, strlen(names + i), hash);
		hash = data_hash(r->result->out, r->result->len,
				 hash + (uint64_t)r->result->ret);
	}
	return hash;
}

static struct entry *add_entry(struct dump *dump, const char *dir,
			       const char *name)
{
	size_t len = strlen(dir) + strlen(name) + 2;
	struct entry *entry;

	if (dump->count == dump->capacity) {
		dump->capacity = dump->capacity ? 2 * dump->capacity : 64;
		dump->entries = realloc(dump->entries, dump->capacity *
						       sizeof(*entry));
		if (!dump->entries)
			abort();
	}
	entry = &dump->entries[dump->count++];
	memset(entry, 0, sizeof(*entry));
	entry->path = malloc(len);
	if (!entry->path)
		abort();
	snprintf(entry->path, len, *dir || *name ? "%s/%s" : "%s%s", dir,
		 name);
	return entry;
}

static void read_dir(struct reader *r, int fd, size_t index, int depth);

static void read_entry(struct reader *r, int at, const char *dir,
		       const char *name, int depth)
{
	struct entry *entry = add_entry(r->dump, dir, *dir || depth ? name
								     : "");
	size_t index = r->dump->count - 1;
	int64_t fd;

	entry->error = (int)run(r, &(struct op){ .code = OP_STATAT,
						 .fd = { at },
						 .path = { name },
						 .flags = AT_SYMLINK_NOFOLLOW
						});
	if (entry->error)
		return;
	entry->st = r->result->st;
	entry->xattrs = read_xattrs(r, at, name);
	if (S_ISLNK(entry->st.mode)) {
		run(r, &(struct op){ .code = OP_READLINKAT, .fd = { at },
				     .path = { name }, .len = 4200 });
		entry->target = data_hash(r->result->out, r->result->len, 0);
		return;
	}
	if (!S_ISDIR(entry->st.mode) &&
	    (!S_ISREG(entry->st.mode) || entry->st.size == 0 ||
	     entry->st.size > LAST_PAGE))
		return;
	fd = open_at(r, at, name, S_ISDIR(entry->st.mode) ? O_DIRECTORY : 0);
	if (fd < 0) {
		entry->error = (int)fd;
		return;
	}
	if (S_ISREG(entry->st.mode))
		read_content(r, (int)fd, entry);
	else if (depth < DEEPEST)
		read_dir(r, (int)fd, index, depth + 1);
	close_fd(r, fd);
}

static void read_dir(struct reader *r, int fd, size_t index, int depth)
{
	char *names, *dir;
	size_t len, i;
	int64_t ret;

	ret = run(r, &(struct op){ .code = OP_LISTAT, .fd = { fd },
				   .path = { "." } });
	if (ret < 0) {
		r->dump->entries[index].error = (int)ret;
		return;
	}
	len = r->result->len;
	names = malloc(len + 1);
	/* The array of entries moves; what the path points to does not. */
	dir = r->dump->entries[index].path;
	if (!names)
		abort();
	memcpy(names, r->result->out, len);
	for (i = 0; i < len; i += strlen(names + i + 1) + 2)
		read_entry(r, fd, dir, names + i + 1, depth);
	free(names);
}

void dump_read(struct side *side, struct dump *dump, bool audit)
{
	struct reader r = { side, dump, &side->spare->scratch };

	dump_free(dump);
	read_entry(&r, AT_FDCWD, "", side->facts.chrooted ? "/" : ".", 0);
	if (audit)
		side->driver->audit(side, dump, dump->fault);
}

void dump_free(struct dump *dump)
{
	size_t i;

	for (i = 0; i < dump->count; i++)
		free(dump->entries[i].path);
	free(dump->entries);
	memset(dump, 0, sizeof(*dump));
}
