/* SPDX-License-Identifier: MIT */
/*
 * Types that every header of memvfs shares.
 *
 * Widths are fixed throughout: nothing here changes with _FILE_OFFSET_BITS,
 * with the size of time_t or with the C library, so a program and the library
 * agree whatever either was built with. Fields named `reserved` are stored as
 * 0 by the library and ignored by it where it reads.
 */
#ifndef MEMVFS_TYPES_H
#define MEMVFS_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * MVFS_API marks what the library exports, MVFS_NODISCARD results that must
 * not be ignored (what would be lost with them leaks), MVFS_PRINTF a format
 * that the compiler can check. Nothing but marks; programs need none of them.
 */
#if defined __GNUC__
#define MVFS_API __attribute__((__visibility__("default")))
#define MVFS_NODISCARD __attribute__((__warn_unused_result__))
#define MVFS_PRINTF(format, first) \
	__attribute__((__format__(__printf__, format, first)))
#else
#define MVFS_API
#define MVFS_NODISCARD
#define MVFS_PRINTF(format, first)
#endif

/* Marks functions that inline code calls rarely, so that it stays compact. */
#if defined __GNUC__
#define MVFS_COLD __attribute__((__cold__))
#else
#define MVFS_COLD
#endif

/*
 * Marks functions that are so short that the detour by the linker's table
 * would be felt.
 */
#if defined __has_attribute
#if __has_attribute(__noplt__)
#define MVFS_NEAR __attribute__((__noplt__))
#endif
#endif
#if !defined MVFS_NEAR
#define MVFS_NEAR
#endif

/*
 * The version of the headers that a program is compiled with; mvfs_version()
 * tells that of the library that it runs with.
 */
#define MVFS_VERSION_MAJOR 0
#define MVFS_VERSION_MINOR 1
#define MVFS_VERSION_PATCH 0

/*
 * A view: a reference to an in-memory file system (the instance), who acts
 * on it (user, groups, umask), and where (root and current directory). One
 * from mvfs_create(), mvfs_view() or mvfs_clone() is the caller's until it is
 * given to mvfs_destroy(). See memvfs/instance.h.
 *
 * @since 0.1.0
 */
typedef struct mvfs mvfs;

/*
 * A point in time: seconds since 1970-01-01 00:00 UTC, negative before it,
 * and 0 to 999999999 nanoseconds, which always count forward.
 *
 * @since 0.1.0
 */
struct mvfs_time {
	int64_t sec;
	int32_t nsec;
	int32_t reserved;
};

/*
 * In place of a time's nsec, for mvfs_utimens() and its kin: what the clock
 * of the instance shows now, or leave that time unchanged; `sec` is ignored
 * then. They are UTIME_NOW and UTIME_OMIT of utimensat(2), by other values.
 *
 * @since 0.1.0
 */
#define MVFS_TIME_NOW (-1)
#define MVFS_TIME_OMIT (-2)

/*
 * What stat(2) and statx(2) tell of an inode.
 *
 * atime, mtime, ctime and btime are the times of the last access, of the last
 * change of the content (of a directory: of its names), of the last change of
 * the inode, and of its birth. Reading moves no atime: as on a file system
 * that is mounted noatime, it changes by utimens alone.
 *
 * @since 0.1.0
 */
struct mvfs_stat {
	uint64_t dev;     /* of the instance: no two in a process share one */
	uint64_t ino;     /* never 0, and never given out again */
	uint32_t mode;    /* S_IFMT and permission bits of <sys/stat.h> */
	uint32_t nlink;   /* names; of a directory: 2 and its directories */
	uint32_t uid;     /* the owner */
	uint32_t gid;     /* the group */
	uint64_t rdev;    /* of a device, in the encoding it was made with */
	uint64_t size;    /* in bytes; of a symlink: its length; of a
			   * directory: 40, and 20 for each name */
	uint64_t blocks;  /* that it occupies, of 512 bytes as st_blocks has
			   * it; a hole occupies none */
	uint32_t blksize; /* 4096 */
	uint32_t reserved;
	struct mvfs_time atime, mtime, ctime, btime;
};

/*
 * What statvfs(3) tells of a file system. Where a limit is 0, none was set:
 * what is free is then what the machine's memory holds.
 *
 * @since 0.1.0
 */
struct mvfs_statfs {
	uint64_t block_size;  /* in bytes: 4096 */
	uint64_t blocks;      /* of the limit max_bytes; 0: no limit */
	uint64_t blocks_used; /* that files occupy, shared or not */
	uint64_t inodes;      /* the limit max_inodes; 0: no limit */
	uint64_t inodes_used; /* the root is one; so are unlinked files that
			       * are open */
	uint64_t name_max;    /* bytes of a name: 255 */
};

/*
 * A piece of memory to read into or write from, of the shape of iovec(3).
 * A piece of length 0 may have any base. Memory that is written from is not
 * changed.
 *
 * @since 0.1.0
 */
struct mvfs_iovec {
	void *base;
	size_t len;
};

/*
 * Why text was refused with -EILSEQ, in the `reason` of an error; with other
 * codes it is MVFS_REASON_NONE. Malformed: these bytes are nothing in the
 * charset. Unmappable: they are well-formed, but there is no character that
 * they could become. Truncated: the text ends within a character, of which
 * more may come; only what is at the very end of a text can be that.
 *
 * @since 0.1.0
 */
#define MVFS_REASON_NONE 0
#define MVFS_REASON_MALFORMED 1
#define MVFS_REASON_UNMAPPABLE 2
#define MVFS_REASON_TRUNCATED 3

/*
 * Says more than an errno can: where in the input, and in words what was
 * wrong and what to do. Where a call takes one, it may be NULL. It is the
 * caller's, holds no references, and is written on failure only.
 *
 * @since 0.1.0
 */
struct mvfs_error {
	int code;            /* the negative errno that was returned */
	int reason;          /* MVFS_REASON_* */
	uint64_t offset;     /* where, in bytes, if the message names a place */
	uint64_t length;     /* of the offending bytes there */
	char message[240];   /* in English, terminated, without a newline */
};

#ifdef __cplusplus
}
#endif

#endif
