// SPDX-License-Identifier: MIT
/*
 * What stands behind -o. Every option is known here or refused: what would
 * be handed on unread could change the mount in ways that the adapter does
 * not know of (default_permissions, blksize, auto_unmount). allow_root is
 * not the kernel's but libfuse's, by turning others away at each request.
 */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#define DEFAULT_THREADS 10
#define MAX_THREADS 10000

/* The struct of version 0.1.0, which is accepted for ever. */
#define SIZE_MIN (offsetof(struct mvfs_mount_options, options) + \
		  sizeof(const char *))

static const struct flag {
	const char *name;
	unsigned long set, clear;
} flags[] = {
	{ "ro", MS_RDONLY, 0 },
	{ "rw", 0, MS_RDONLY },
	{ "nosuid", MS_NOSUID, 0 },
	{ "suid", 0, MS_NOSUID },
	{ "nodev", MS_NODEV, 0 },
	{ "dev", 0, MS_NODEV },
	{ "noexec", MS_NOEXEC, 0 },
	{ "exec", 0, MS_NOEXEC },
	{ "sync", MS_SYNCHRONOUS, 0 },
	{ "async", 0, MS_SYNCHRONOUS },
	{ "dirsync", MS_DIRSYNC, 0 },
	{ "noatime", MS_NOATIME, 0 },
	{ "atime", 0, MS_NOATIME },
};

int mvfs__fuse_error(struct mvfs_error *error, int code, const char *format,
		     ...)
{
	va_list args;

	if (!error)
		return code;
	memset(error, 0, sizeof *error);
	error->code = code;
	va_start(args, format);
	vsnprintf(error->message, sizeof error->message, format, args);
	va_end(args);
	return code;
}

/* Whether the option is `name` followed by a value ("fsname="). */
static const char *value_of(const char *option, const char *name)
{
	size_t len = strlen(name);

	return strncmp(option, name, len) ? NULL : option + len;
}

static int read_number(const char *text, unsigned *to)
{
	unsigned long n;
	char *end;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	n = strtoul(text, &end, 10);
	if (errno || *end || n > 0x7fffffff)
		return -EINVAL;
	*to = n;
	return 0;
}

static int set_name(char **to, const char *name)
{
	char *copy = strdup(name);

	if (!copy)
		return -ENOMEM;
	free(*to);
	*to = copy;
	return 0;
}

/* 0 or -EINVAL, and why. */
static int set_cache(const char *mode, struct mvfs__options *to,
		     struct mvfs_error *error)
{
	to->uncached = 1;
	if (!strcmp(mode, "none"))
		return 0;
	return mvfs__fuse_error(error, -EINVAL, "cache=%.40s: there is "
				"cache=none, where every call comes to "
				"memvfs; without the option the kernel keeps "
				"the pages of open files, and nothing else",
				mode);
}

static int set_faults(const char *file, struct mvfs__options *to,
		      struct mvfs_error *error)
{
	if (!*file)
		return mvfs__fuse_error(error, -EINVAL,
					"fault= needs a file of rules");
	if (to->faults)
		return mvfs__fuse_error(error, -EINVAL, "fault=%.200s: one "
					"file of rules can be given, and that "
					"is %.200s", file, to->faults);
	if (!set_name(&to->faults, file))
		return 0;
	return mvfs__fuse_error(error, -ENOMEM, "out of memory");
}

static int read_option(const char *option, struct mvfs__options *to,
		       struct mvfs_error *error)
{
	const char *value;
	size_t i;
	int r = -EINVAL;

	for (i = 0; i < sizeof flags / sizeof *flags; i++) {
		if (strcmp(option, flags[i].name))
			continue;
		to->ms_flags |= flags[i].set;
		to->ms_flags &= ~flags[i].clear;
		return 0;
	}
	if (!strcmp(option, "allow_other")) {
		to->allow_other = 1;
		return 0;
	}
	if ((value = value_of(option, "cache=")))
		return set_cache(value, to, error);
	if ((value = value_of(option, "fault=")))
		return set_faults(value, to, error);
	if ((value = value_of(option, "fsname=")) && *value)
		r = set_name(&to->fsname, value);
	else if ((value = value_of(option, "max_read=")))
		r = read_number(value, &to->max_read);
	if (!r)
		return 0;
	return mvfs__fuse_error(error, r, r == -ENOMEM ? "out of memory" :
				"mount option \"%s\" is not known, or its "
				"value is not valid", option);
}

static int read_list(const char *list, struct mvfs__options *to,
		     struct mvfs_error *error)
{
	char *copy, *option, *rest;
	int r = 0;

	copy = strdup(list);
	if (!copy)
		return mvfs__fuse_error(error, -ENOMEM, "out of memory");
	for (option = strtok_r(copy, ",", &rest); option && !r;
	     option = strtok_r(NULL, ",", &rest)) {
		r = read_option(option, to, error);
	}
	free(copy);
	/* What a rule does has to be seen. */
	if (to->faults)
		to->uncached = 1;
	return r;
}

int mvfs__options_read(const struct mvfs_mount_options *from,
		       struct mvfs__options *to, struct mvfs_error *error)
{
	static const struct mvfs_mount_options none = {
		.size = sizeof none,
	};
	int r;

	if (!from)
		from = &none;
	*to = (struct mvfs__options){ .ms_flags = MS_NOSUID | MS_NODEV,
					.janitor = -1 };
	if (from->size < SIZE_MIN)
		return mvfs__fuse_error(error, -EINVAL,
					"mvfs_mount_options.size is not set");
	if (from->flags &
	    ~(MVFS_MOUNT_ALLOW_OTHER | MVFS_MOUNT_READ_ONLY))
		return mvfs__fuse_error(error, -EINVAL,
					"unknown flags 0x%x in "
					"mvfs_mount_options", from->flags);
	if (from->max_threads > MAX_THREADS)
		return mvfs__fuse_error(error, -EINVAL,
					"max_threads is %u, at most %u can be",
					from->max_threads, MAX_THREADS);
	to->max_threads = from->max_threads ? from->max_threads
					    : DEFAULT_THREADS;
	to->allow_other = !!(from->flags & MVFS_MOUNT_ALLOW_OTHER);
	if (from->flags & MVFS_MOUNT_READ_ONLY)
		to->ms_flags |= MS_RDONLY;
	r = set_name(&to->fsname, from->fsname && *from->fsname
					  ? from->fsname : "memvfs");
	if (r)
		return mvfs__fuse_error(error, r, "out of memory");
	if (from->options)
		r = read_list(from->options, to, error);
	if (r)
		mvfs__options_free(to);
	return r;
}

void mvfs__options_free(struct mvfs__options *options)
{
	free(options->fsname);
	free(options->faults);
	options->fsname = options->faults = NULL;
}

/* fusermount3 splits at commas, and takes a backslash for an escape. */
static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == ',' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void put_for_fusermount(FILE *out, const struct mvfs__options *options)
{
	size_t i;

	/* One of each pair; "rw" first, so that the rest begins with ','. */
	fputs(options->ms_flags & MS_RDONLY ? "ro" : "rw", out);
	for (i = 2; i < sizeof flags / sizeof *flags; i++)
		if (flags[i].set && (options->ms_flags & flags[i].set))
			fprintf(out, ",%s", flags[i].name);
		else if (flags[i].clear &&
			 !(options->ms_flags & flags[i].clear) &&
			 (flags[i].clear & (MS_NOSUID | MS_NODEV)))
			fprintf(out, ",%s", flags[i].name);
	fputs(",subtype=memvfs,fsname=", out);
	put_escaped(out, options->fsname);
}

char *mvfs__options_text(const struct mvfs__options *options, int fd)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	if (fd < 0)
		put_for_fusermount(out, options);
	else
		fprintf(out, "fd=%d,rootmode=%o,user_id=%u,group_id=%u", fd,
			S_IFDIR, (unsigned)getuid(), (unsigned)getgid());
	if (options->allow_other)
		fputs(",allow_other", out);
	if (options->max_read)
		fprintf(out, ",max_read=%u", options->max_read);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
