/* SPDX-License-Identifier: MIT */
/*
 * What differs between two trees: two instances, or an instance and a
 * snapshot of it or another (memvfs/snapshot.h: mvfs_snapshot_clone()).
 */
#ifndef MEMVFS_DIFF_H
#define MEMVFS_DIFF_H

#include <memvfs/text.h>
#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a difference is. Each path has at most one of the first three; one
 * whose type is another, and one that is in one tree only, has no more.
 * CONTENT is the bytes of a file, the target of a symlink, or the number of a
 * device. LINKS: the paths that are one and the same file are others.
 *
 * @since 0.1.0
 */
#define MVFS_DIFF_REMOVED 1u
#define MVFS_DIFF_ADDED 2u
#define MVFS_DIFF_TYPE 4u
#define MVFS_DIFF_CONTENT 8u
#define MVFS_DIFF_MODE 16u
#define MVFS_DIFF_OWNER 32u  /* user or group */
#define MVFS_DIFF_XATTR 64u
#define MVFS_DIFF_LINKS 128u
#define MVFS_DIFF_MTIME 256u
#define MVFS_DIFF_ATIME 512u

/*
 * All but the times, which two ways to the same tree rarely have in common;
 * and all. Birth and change times, inode and device numbers, and how a file
 * is spread over blocks are never compared.
 *
 * @since 0.1.0
 */
#define MVFS_DIFF_DEFAULT 0xffu
#define MVFS_DIFF_ALL 0x3ffu

/*
 * How trees are compared. {0} with `size` set is valid.
 *
 * @since 0.1.0
 */
struct mvfs_diff_options {
	/* sizeof(struct mvfs_diff_options), so that the struct can grow. */
	size_t size;
	/* Which differences count: MVFS_DIFF_*; 0: MVFS_DIFF_DEFAULT. */
	unsigned what;
};

/*
 * One difference. All of it is the library's, and good until the callback
 * returns.
 *
 * @since 0.1.0
 */
struct mvfs_difference {
	/* One of MVFS_DIFF_*. */
	unsigned what;
	/* Absolute, as seen from the roots of the views; of a file of several
	 * names the first that both trees have. */
	const char *path;
	/* What is there in the first tree, and in the second; NULL: nothing. */
	const struct mvfs_stat *before, *after;
	/* Of a file's content: the first byte that differs. Else 0. */
	uint64_t offset;
	/* Of an extended attribute: its name. Else NULL. */
	const char *name;
	/* What differs, as text in printable ASCII: a type, a mode, a target,
	 * a value, paths. "" where there is none. */
	const char *before_text, *after_text;
	/* All of it as a line, without its end. */
	const char *line;
};

/*
 * Is told of a difference; with no lock held, so it may make calls. A result
 * that is not 0 ends the comparison, which then returns it: let it be
 * positive, to be told from an error.
 *
 * @since 0.1.0
 */
typedef int mvfs_diff_fn(void *ctx, const struct mvfs_difference *difference);

/*
 * Tells what would have to be changed in the tree of `a` for it to be that of
 * `b`, each as seen from the root of the view, in the order of the paths: a
 * directory, then what is in it. A removed or added directory is told with all
 * that is in it. An attribute of a file of several names is told once. Who
 * the views act as does not matter: all is compared.
 *
 * Where one instance was cloned from the other, or both from a third, or from
 * snapshots, and the views have the same root, it takes time in proportion to
 * what differs, whatever the size of the trees; between strangers all names
 * are looked at. In either case bytes that two files share are not.
 *
 * It compares the trees as they are when it is called; both may be changed
 * meanwhile, by the callback too. NULL in place of the options: the defaults.
 *
 * Returns 0 when all was told, what the callback returned, or
 * -EINVAL  a view is NULL, options->size is less than version 0.1.0 had,
 *          which is up to `what`, or a bit of options->what is not known;
 * -EFAULT  `fn` is NULL;
 * -ENOMEM  out of memory. The callback may have been called before.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_diff(mvfs *a, mvfs *b,
		       const struct mvfs_diff_options *options,
		       mvfs_diff_fn *fn, void *ctx);

/*
 * The same as text, one line a difference, each with an end of line; of equal
 * trees it is empty. A line is the path, encoded as in mtree(5), a word, and
 * what was there and is there:
 *
 *     /new added file
 *     /etc/hosts content at 17: 0x61 -> 0x62, size 40 -> 41
 *     /etc/hosts mode 0644 -> 0600
 *
 * The text is the caller's, to be released by mvfs_string_release().
 *
 * Returns 0, or
 * -EINVAL  as above;
 * -EFAULT  `text` is NULL;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int
mvfs_diff_text(mvfs *a, mvfs *b, const struct mvfs_diff_options *options,
	       struct mvfs_string *text);

#ifdef __cplusplus
}
#endif

#endif
