/* SPDX-License-Identifier: MIT */
/*
 * Types that every header of memvfs shares. Fixed widths throughout: nothing
 * here changes with _FILE_OFFSET_BITS or the size of time_t.
 */
#ifndef MEMVFS_TYPES_H
#define MEMVFS_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* The version of the headers; mvfs_version() is that of the library. */
#define MVFS_VERSION_MAJOR 0
#define MVFS_VERSION_MINOR 1
#define MVFS_VERSION_PATCH 0

/*
 * A view: a reference to an in-memory file system (the instance), who acts
 * on it, and where. See memvfs/instance.h.
 */
typedef struct mvfs mvfs;

/* A point in time: seconds since 1970-01-01 UTC, and 0 to 999999999 ns. */
struct mvfs_time {
	int64_t sec;
	int32_t nsec;
	int32_t reserved;
};

/* In place of a time's nsec, for mvfs_utimens(): now, or leave unchanged. */
#define MVFS_TIME_NOW (-1)
#define MVFS_TIME_OMIT (-2)

/* What stat(2) and statx(2) tell. */
struct mvfs_stat {
	uint64_t dev;     /* differs between instances */
	uint64_t ino;     /* never 0, never given out again */
	uint32_t mode;    /* S_IFMT and permission bits of <sys/stat.h> */
	uint32_t nlink;
	uint32_t uid;
	uint32_t gid;
	uint64_t rdev;    /* of a device, in the encoding it was made with */
	uint64_t size;    /* in bytes; of a symlink: its length */
	uint64_t blocks;  /* of 512 bytes, as st_blocks */
	uint32_t blksize; /* 4096 */
	uint32_t reserved;
	struct mvfs_time atime, mtime, ctime, btime;
};

/* What statvfs(3) tells. 0 in max: no limit was set. */
struct mvfs_statfs {
	uint64_t block_size;  /* 4096 */
	uint64_t blocks;      /* of the limit max_bytes; 0: none */
	uint64_t blocks_used; /* that files occupy */
	uint64_t inodes;      /* the limit max_inodes; 0: none */
	uint64_t inodes_used;
	uint64_t name_max;    /* 255 */
};

/* A piece of memory to read into or write from: iovec(3)'s shape. */
struct mvfs_iovec {
	void *base;
	size_t len;
};

/*
 * Says more than an errno can. Where a call takes one, it may be NULL; it is
 * written on failure only.
 */
struct mvfs_error {
	int code;            /* the negative errno that was returned */
	uint64_t offset;     /* where, in bytes, if the message names a place */
	uint64_t length;     /* of the offending bytes there */
	char message[240];   /* what, which path, why, what to do; in English */
};

#ifdef __cplusplus
}
#endif

#endif
