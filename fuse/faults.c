// SPDX-License-Identifier: MIT
/*
 * Files of fault rules, for -o fault=FILE: one a line, as memvfs-fault(7) has
 * them; lines that are empty or begin with '#' say nothing.
 */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <memvfs/fault.h>

/* Of a path in a message: the end tells most. */
#define SHOWN 100

struct reader {
	mvfs *fs;
	const char *path; /* as it is shown */
	unsigned line;
	struct mvfs__faults *faults;
	struct mvfs_error *error;
};

/* Room for one more, in steps of powers of two. */
static int grow(struct mvfs__faults *faults)
{
	uint64_t *grown;

	if (faults->count & (faults->count - 1))
		return 0;
	grown = realloc(faults->ids, (faults->count ? 2 * faults->count : 1) *
				     sizeof *grown);
	if (!grown)
		return -ENOMEM;
	faults->ids = grown;
	return 0;
}

/* The rule's own message begins with its column, which then is said twice. */
static int bad_rule(const struct reader *in, const struct mvfs_error *why)
{
	const char *message = strstr(why->message, ": ");

	return mvfs__fuse_error(in->error, why->code, "%s:%u:%llu: %s",
				in->path, in->line,
				(unsigned long long)why->offset + 1,
				message ? message + 2 : why->message);
}

static int add_rule(struct reader *in, const char *rule)
{
	struct mvfs__faults *faults = in->faults;
	struct mvfs_error why = { .message = "out of memory" };
	int r = grow(faults);

	if (!r)
		r = mvfs_fault_add(in->fs, rule, &faults->ids[faults->count],
				   &why);
	if (!r)
		faults->count++;
	else if (r == -EINVAL)
		bad_rule(in, &why);
	else
		mvfs__fuse_error(in->error, r, "%s: %s", in->path,
				 why.message);
	return r;
}

/* `len` bytes, of which the last may be the end of the line. */
static int add_line(struct reader *in, char *line, size_t len)
{
	const char *first;

	in->line++;
	while (len && (line[len - 1] == '\n' || line[len - 1] == '\r'))
		line[--len] = '\0';
	if (strlen(line) < len)
		return mvfs__fuse_error(in->error, -EINVAL, "%s:%u:%zu: a "
					"zero byte; expected text", in->path,
					in->line, strlen(line) + 1);
	first = line + strspn(line, " \t");
	return *first && *first != '#' ? add_rule(in, line) : 0;
}

static int read_error(const struct reader *in)
{
	return mvfs__fuse_error(in->error, -errno, "%s: the fault rules "
				"cannot be read: %s", in->path,
				strerror(errno));
}

int mvfs__faults_add(mvfs *fs, const char *path, struct mvfs__faults *faults,
		     struct mvfs_error *error)
{
	size_t len = strlen(path), size = 0;
	struct reader in = { .fs = fs, .faults = faults, .error = error,
			     .path = path + (len > SHOWN ? len - SHOWN : 0) };
	FILE *file = fopen(path, "re");
	char *line = NULL;
	ssize_t n;
	int r = 0;

	if (!file)
		return read_error(&in);
	while (!r && (n = getline(&line, &size, file)) > 0)
		r = add_line(&in, line, n);
	if (!r && !feof(file))
		r = read_error(&in);
	free(line);
	fclose(file);
	if (r)
		mvfs__faults_remove(fs, faults);
	return r;
}

void mvfs__faults_remove(mvfs *fs, struct mvfs__faults *faults)
{
	while (faults->count)
		mvfs_fault_remove(fs, faults->ids[--faults->count]);
	free(faults->ids);
	faults->ids = NULL;
}
