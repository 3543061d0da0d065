/* SPDX-License-Identifier: MIT */
/*
 * Include this after all other headers, and what a file opens from there on
 * is known by its file and line to the reports of memvfs/report.h: the calls
 * that open something become macros that say where they stand.
 *
 *	#include <memvfs/memvfs.h>
 *	#include <memvfs/places.h>
 *
 * It is a header of its own, and not a macro that is defined before the
 * others, because so the order of includes decides nothing but where it
 * begins. Unchanged code gets it from the command line:
 *
 *	cc -include memvfs/redirect.h -include memvfs/places.h -c journal.c
 *
 * Then open, fopen, opendir and their kin say where they stand as well. Their
 * names become macros with arguments, so this is not for code that calls a
 * member of a struct by such a name (ops->open(path)); without the second
 * option that works.
 *
 * A function whose address is taken, or that is called in parentheses, says
 * nothing: what it opens counts as opened where mvfs_here() says. So does what
 * a stream of stdio closes. Nested calls each say their own line.
 */
#ifndef MEMVFS_PLACES_H
#define MEMVFS_PLACES_H

#include <memvfs/file.h>
#include <memvfs/fopen.h>
#include <memvfs/instance.h>
#include <memvfs/listing.h>
#include <memvfs/locks.h>
#include <memvfs/report.h>
#include <memvfs/whole.h>

/*
 * This line, as a place: "file.c:12".
 *
 * @since 0.1.0
 */
#define MVFS_HERE __FILE__ ":" MVFS__LINE_TEXT(__LINE__)
#define MVFS__LINE_TEXT(line) MVFS__LINE_AS(line)
#define MVFS__LINE_AS(line) #line

/* A call in a place; the one before is in force again after it. */
#define MVFS__PLACED(name, params, args) \
	static inline int mvfs__placed_##name params \
	{ \
		const char *before = mvfs_here(place); \
		int result = mvfs_##name args; \
		\
		(void)mvfs_here(before); \
		return result; \
	}

MVFS__PLACED(open, (const char *place, mvfs *fs, const char *path, int flags,
	uint32_t mode), (fs, path, flags, mode))
MVFS__PLACED(openat, (const char *place, mvfs *fs, int dirfd,
	const char *path, int flags, uint32_t mode),
	(fs, dirfd, path, flags, mode))
MVFS__PLACED(close, (const char *place, mvfs *fs, int fd), (fs, fd))
MVFS__PLACED(dup, (const char *place, mvfs *fs, int fd), (fs, fd))
MVFS__PLACED(dup2, (const char *place, mvfs *fs, int fd, int to),
	(fs, fd, to))
MVFS__PLACED(fopen, (const char *place, mvfs *fs, const char *path,
	const char *mode, FILE **file), (fs, path, mode, file))
MVFS__PLACED(opendir, (const char *place, mvfs *fs, const char *path,
	unsigned flags, struct mvfs_dir **dir), (fs, path, flags, dir))
MVFS__PLACED(opendirat, (const char *place, mvfs *fs, int dirfd,
	const char *path, unsigned flags, struct mvfs_dir **dir),
	(fs, dirfd, path, flags, dir))
MVFS__PLACED(flock, (const char *place, mvfs *fs, int fd, int operation),
	(fs, fd, operation))
MVFS__PLACED(setlk, (const char *place, mvfs *fs, int fd,
	const struct mvfs_lock *lock, unsigned flags), (fs, fd, lock, flags))
MVFS__PLACED(view, (const char *place, mvfs *fs,
	const struct mvfs_view_options *options, mvfs **view),
	(fs, options, view))

/* Strings, for MVFS_REPORT_STRINGS. */
MVFS__PLACED(read_string, (const char *place, mvfs *fs, const char *path,
	const struct mvfs_charset *charset, unsigned flags,
	struct mvfs_string *string, struct mvfs_error *error),
	(fs, path, charset, flags, string, error))
MVFS__PLACED(fread_string, (const char *place, mvfs *fs, int fd,
	const struct mvfs_charset *charset, unsigned flags,
	struct mvfs_string *string, struct mvfs_error *error),
	(fs, fd, charset, flags, string, error))
MVFS__PLACED(read_file, (const char *place, mvfs *fs, const char *path,
	struct mvfs_string *string), (fs, path, string))
MVFS__PLACED(read_lines, (const char *place, mvfs *fs, const char *path,
	const struct mvfs_charset *charset, unsigned flags, uint64_t first,
	uint64_t count, struct mvfs_lines *lines, struct mvfs_error *error),
	(fs, path, charset, flags, first, count, lines, error))
MVFS__PLACED(fread_lines, (const char *place, mvfs *fs, int fd,
	const struct mvfs_charset *charset, unsigned flags, uint64_t first,
	uint64_t count, struct mvfs_lines *lines, struct mvfs_error *error),
	(fs, fd, charset, flags, first, count, lines, error))

/* Mounts, where memvfs/fuse.h comes before. */
#if defined MEMVFS_FUSE_H
MVFS__PLACED(mount, (const char *place, mvfs *fs, const char *dir,
	const struct mvfs_mount_options *options, struct mvfs_mount **mount,
	struct mvfs_error *error), (fs, dir, options, mount, error))
MVFS__PLACED(mount_temp, (const char *place, mvfs *fs,
	const struct mvfs_mount_options *options, struct mvfs_mount **mount,
	struct mvfs_error *error), (fs, options, mount, error))
#define mvfs_mount(...) mvfs__placed_mount(MVFS_HERE, __VA_ARGS__)
#define mvfs_mount_temp(...) mvfs__placed_mount_temp(MVFS_HERE, __VA_ARGS__)
#endif

/* Those of memvfs/redirect.h likewise. */
#if defined MEMVFS_REDIRECT_H
#include <memvfs/redirect_places.h>
#endif

#define mvfs_open(...) mvfs__placed_open(MVFS_HERE, __VA_ARGS__)
#define mvfs_openat(...) mvfs__placed_openat(MVFS_HERE, __VA_ARGS__)
#define mvfs_close(...) mvfs__placed_close(MVFS_HERE, __VA_ARGS__)
#define mvfs_dup(...) mvfs__placed_dup(MVFS_HERE, __VA_ARGS__)
#define mvfs_dup2(...) mvfs__placed_dup2(MVFS_HERE, __VA_ARGS__)
#define mvfs_fopen(...) mvfs__placed_fopen(MVFS_HERE, __VA_ARGS__)
#define mvfs_opendir(...) mvfs__placed_opendir(MVFS_HERE, __VA_ARGS__)
#define mvfs_opendirat(...) mvfs__placed_opendirat(MVFS_HERE, __VA_ARGS__)
#define mvfs_flock(...) mvfs__placed_flock(MVFS_HERE, __VA_ARGS__)
#define mvfs_setlk(...) mvfs__placed_setlk(MVFS_HERE, __VA_ARGS__)
#define mvfs_view(...) mvfs__placed_view(MVFS_HERE, __VA_ARGS__)
#define mvfs_read_string(...) mvfs__placed_read_string(MVFS_HERE, __VA_ARGS__)
#define mvfs_fread_string(...) \
	mvfs__placed_fread_string(MVFS_HERE, __VA_ARGS__)
#define mvfs_read_file(...) mvfs__placed_read_file(MVFS_HERE, __VA_ARGS__)
#define mvfs_read_lines(...) mvfs__placed_read_lines(MVFS_HERE, __VA_ARGS__)
#define mvfs_fread_lines(...) mvfs__placed_fread_lines(MVFS_HERE, __VA_ARGS__)

#endif
