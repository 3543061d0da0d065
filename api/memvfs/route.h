/* SPDX-License-Identifier: MIT */
/*
 * Routes: which paths of this process lead to a tree instead of the host, for
 * the objects that were compiled with memvfs/redirect.h. All others, the test
 * runner, gcov, sanitizers and the C library itself among them, never see a
 * route.
 *
 * A path is below a prefix if its components begin with those of the prefix.
 * Of several prefixes the longest counts. That is decided by the text of the
 * path: "." and double slashes are left out, ".." takes the component before
 * it away, a relative path is put behind the current directory or, by the *at
 * calls, behind that of the descriptor. Symlinks of the host are not followed
 * for it: one that leads to below a prefix does not lead into the tree. What
 * is below the prefix is the path in the tree, beginning at the view's root;
 * there ".." and symlinks are resolved as everywhere in the library, so an
 * absolute symlink in the tree begins at the view's root, too, and no symlink
 * in it leads out.
 *
 * A path that goes through a prefix and out again ("/prefix/../etc/passwd")
 * is the host's; it gets it without the detour ("/etc/passwd").
 */
#ifndef MEMVFS_ROUTE_H
#define MEMVFS_ROUTE_H

#include <stdio.h>

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Flag of mvfs_route() and mvfs_unroute(): a route of the calling thread
 * only. Of one prefix a thread's own route counts before that of the process.
 *
 * @since 0.1.0
 */
#define MVFS_ROUTE_THREAD 1u

/*
 * Lets all paths at and below `prefix` lead to the tree of `fs`, as the view
 * sees it: `prefix` itself is the view's root. The prefix must be absolute,
 * and need not be there on the host; "/" routes everything. `fs` stays the
 * caller's, and is used until mvfs_unroute().
 *
 * Descriptors that are opened by a route are numbers from MVFS_REDIRECT_FIRST
 * on, which the kernel never gives out.
 *
 * Returns 0, or
 * -EINVAL   `prefix` is not absolute, a flag is not known, or the view is
 *           NULL;
 * -EFAULT   `prefix` is NULL;
 * -EEXIST   the prefix has a route already;
 * -ENAMETOOLONG  it has more than 4095 bytes;
 * -EMFILE   there are 128 routes;
 * -ENOMEM   out of memory.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_route(mvfs *fs, const char *prefix, unsigned flags);

/*
 * Ends the route of a prefix; one of MVFS_ROUTE_THREAD on the thread that made
 * it. What was opened by it and is still open stays so in the instance, but
 * its descriptors are EBADF. A current directory below it is the host's
 * again.
 *
 * Returns 0, or
 * -ENOENT   the prefix has no such route;
 * -EINVAL, -EFAULT, -ENAMETOOLONG  as above.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_unroute(const char *prefix, unsigned flags);

/*
 * The rest is what the inline code of memvfs/redirect.h calls; a program has
 * no use for it.
 *
 * The first descriptor that is none of the kernel's, and how many each route
 * has.
 */
#define MVFS_REDIRECT_FIRST 0x40000000
#define MVFS_REDIRECT_EACH 0x100000

/* Where a path leads. */
struct mvfs_redirect_place {
	mvfs *fs;
	int dirfd;         /* for the *at calls of the library, or the host's */
	int first;         /* to be added to a descriptor that is opened */
	const char *path;  /* in the tree, or of the host */
	size_t prefix_len; /* of `text` */
	char text[4096];   /* absolute, "." and ".." resolved */
	char joined[4096];
};

/*
 * Stores where the path leads. Returns 1: into a tree; 0: to the host, by
 * *at as well; -EBADF: `dirfd` is of a route that has ended; -ENAMETOOLONG.
 * `path` stays in use as long as *at.
 */
MVFS_API int mvfs_redirect_path(struct mvfs_redirect_place *at, int dirfd,
				const char *path);

/* The descriptor in the instance of one from MVFS_REDIRECT_FIRST on, and its
 * view; -EBADF. */
MVFS_API int mvfs_redirect_fd(int fd, mvfs **fs);

/* The descriptor of a stream that was opened by a route; -EBADF: of none. */
MVFS_API int mvfs_redirect_fileno(FILE *file);

/* chdir(2) and fchdir(2) into a tree; NULL: out of it. 0, or a negative
 * errno. */
MVFS_API int mvfs_redirect_chdir(const struct mvfs_redirect_place *at);
MVFS_API int mvfs_redirect_fchdir(int fd);

/* The current directory, if it is in a tree, and its length with the 0; 0:
 * it is the host's. -ERANGE. */
MVFS_API int64_t mvfs_redirect_getcwd(char *to, size_t len);

/* mvfs_realpath(), from the host's point of view. */
MVFS_API int64_t mvfs_redirect_realpath(const struct mvfs_redirect_place *at,
					char *to, size_t len);

/* umask(2) of all views that have routes. */
MVFS_API void mvfs_redirect_umask(uint32_t mask);

#ifdef __cplusplus
}
#endif

#endif
