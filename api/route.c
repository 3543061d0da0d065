/* SPDX-License-Identifier: MIT */
/*
 * memvfs/route.h: the table of routes, and where a path leads.
 *
 * A slot of the table is a range of descriptors, so that a descriptor tells
 * its route by its number alone. Slots are given out in turn: the number of a
 * descriptor whose route has ended stays unused for as long as can be.
 *
 * Symbols were rejected (--wrap, LD_PRELOAD): they catch whoever is in the
 * process, the test runner's own files too. Here only who was compiled for it
 * asks.
 */
#include "config.h"

#include <memvfs/file.h>
#include <memvfs/instance.h>
#include <memvfs/path.h>
#include <memvfs/route.h>

#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/args.h"
#include "api/shared.h"
#include "vfs/mem/mem.h"

enum { ROUTES = 128, PATH_BYTES = 4096 };

struct route {
	mvfs *fs;        /* NULL: the slot is free */
	uint64_t thread; /* 0: of the process */
	char *prefix;    /* without a slash at its end, so "" for all */
	size_t len;
};

/* All under the shared mutex, but the count, which may be looked at. */
static struct route routes[ROUTES];
static unsigned last;
static _Atomic unsigned count;
static char cwd[PATH_BYTES]; /* "": it is the host's */

/* Never given to another thread, unlike what the system has. */
static uint64_t this_thread(void)
{
	static _Thread_local uint64_t id;
	static _Atomic uint64_t ids;

	if (!id)
		id = atomic_fetch_add_explicit(&ids, 1,
					       memory_order_relaxed) + 1;
	return id;
}

/* An absolute path on its way from component to component. */
struct way {
	char *text; /* so far; "" is the root */
	size_t len;
	uint64_t thread;
	const struct route *route; /* that it is below */
	const char *rest;  /* what follows the prefix in the path as it was
			    * given; NULL: it came there by ".." */
	bool left; /* it was below a prefix that it is not below now */
};

static bool is_below(const struct way *w, const struct route *r)
{
	return r->fs && (!r->thread || r->thread == w->thread) &&
	       r->len <= w->len && !memcmp(w->text, r->prefix, r->len) &&
	       (!w->text[r->len] || w->text[r->len] == '/');
}

static const struct route *find(const struct way *w)
{
	const struct route *best = NULL, *r;

	for (r = routes; r < routes + ROUTES; r++) {
		if (!is_below(w, r))
			continue;
		if (!best || r->len > best->len ||
		    (r->len == best->len && r->thread))
			best = r;
	}
	return best;
}

static void look(struct way *w, const char *rest)
{
	const struct route *now = find(w);

	if (now == w->route)
		return; /* ".." below a prefix is the tree's to resolve */
	w->left = w->left || w->route;
	w->rest = now && now->len == w->len ? rest : NULL;
	w->route = now;
}

static int step(struct way *w, const char *name, size_t len)
{
	if (len == 1 && name[0] == '.')
		return 0;
	if (len == 2 && name[0] == '.' && name[1] == '.') {
		while (w->len && w->text[--w->len] != '/')
			;
	} else {
		if (w->len + len + 2 > PATH_BYTES)
			return -ENAMETOOLONG;
		w->text[w->len++] = '/';
		memcpy(w->text + w->len, name, len);
		w->len += len;
	}
	w->text[w->len] = 0;
	return 0;
}

/* Goes along an absolute path. */
static int go(struct way *w, const char *path)
{
	const char *name;
	int rc = 0;

	w->text[0] = 0;
	look(w, path);
	for (; !rc; look(w, path)) {
		name = path + strspn(path, "/");
		if (!*name)
			break;
		path = name + strcspn(name, "/");
		rc = step(w, name, (size_t)(path - name));
	}
	return rc;
}

static int check_prefix(const char *prefix, unsigned flags, struct way *w)
{
	const char *name, *path = prefix;
	int rc = 0;

	if (!prefix)
		return -EFAULT;
	if (*prefix != '/' || (flags & ~MVFS_ROUTE_THREAD))
		return -EINVAL;
	w->thread = flags & MVFS_ROUTE_THREAD ? this_thread() : 0;
	w->text[0] = 0;
	while (!rc && *(name = path + strspn(path, "/"))) {
		path = name + strcspn(name, "/");
		rc = step(w, name, (size_t)(path - name));
	}
	return rc;
}

/* The route of exactly this prefix. */
static struct route *route_of(const struct way *w)
{
	struct route *r;

	for (r = routes; r < routes + ROUTES; r++)
		if (r->fs && r->thread == w->thread && r->len == w->len &&
		    !memcmp(r->prefix, w->text, r->len))
			return r;
	return NULL;
}

static int add(const struct way *w, mvfs *fs, char *prefix)
{
	unsigned i, slot;

	if (route_of(w))
		return -EEXIST;
	for (i = 1; i <= ROUTES; i++) {
		slot = (last + i) % ROUTES;
		if (routes[slot].fs)
			continue;
		routes[slot] = (struct route){ fs, w->thread, prefix, w->len };
		last = slot;
		count++;
		return 0;
	}
	return -EMFILE;
}

int mvfs_route(mvfs *fs, const char *prefix, unsigned flags)
{
	char text[PATH_BYTES], *copy;
	struct way w = { .text = text };
	int rc = mvfs__check(fs, prefix);

	if (!rc)
		rc = check_prefix(prefix, flags, &w);
	if (rc)
		return rc;
	copy = mvfs__memdup(text, w.len + 1);
	if (!copy)
		return -ENOMEM;
	mvfs__shared_lock();
	rc = add(&w, fs, copy);
	mvfs__shared_unlock();
	if (rc)
		mvfs__free(copy);
	return rc;
}

int mvfs_unroute(const char *prefix, unsigned flags)
{
	char text[PATH_BYTES], *old = NULL;
	struct way w = { .text = text }, here = { .text = cwd };
	struct route *r;
	int rc = check_prefix(prefix, flags, &w);

	if (rc)
		return rc;
	here.thread = w.thread;
	mvfs__shared_lock();
	r = route_of(&w);
	if (r) {
		here.len = strlen(cwd);
		if (is_below(&here, r))
			cwd[0] = 0;
		old = r->prefix;
		*r = (struct route){ NULL };
		count--;
	}
	mvfs__shared_unlock();
	mvfs__free(old);
	return r ? 0 : -ENOENT;
}

/* Puts the directory before a relative path; 0: it is not known, or too
 * long to be below a prefix. *routed: it is in a tree. */
static int join(struct mvfs_redirect_place *at, int dirfd, const char *path,
		bool *routed)
{
	char *to = at->joined, link[32];
	ssize_t n;
	size_t len;

	*routed = false;
	if (dirfd == AT_FDCWD) {
		mvfs__shared_lock();
		*routed = cwd[0];
		memcpy(to, cwd, sizeof(cwd));
		mvfs__shared_unlock();
		if (!*routed && !getcwd(to, PATH_BYTES))
			return 0;
	} else {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", dirfd);
		n = readlink(link, to, PATH_BYTES - 1);
		if (n <= 0 || to[0] != '/')
			return 0;
		to[n] = 0;
	}
	len = strlen(to);
	if (len + strlen(path) + 2 > PATH_BYTES)
		return *routed ? -ENAMETOOLONG : 0;
	to[len] = '/';
	memcpy(to + len + 1, path, strlen(path) + 1);
	return 1;
}

static int first_of(const struct route *r)
{
	return MVFS_REDIRECT_FIRST + (int)(r - routes) * MVFS_REDIRECT_EACH;
}

/* Where an absolute path leads; 1: into a tree, 0: to the host. */
static int lead(struct mvfs_redirect_place *at, const char *path, bool detour)
{
	struct way w = { .text = at->text, .thread = this_thread() };
	int rc;

	mvfs__shared_lock();
	rc = go(&w, path);
	if (!rc && w.route) {
		at->fs = w.route->fs;
		at->first = first_of(w.route);
		at->prefix_len = w.route->len;
		rc = 1;
	}
	mvfs__shared_unlock();
	if (rc == 1) {
		at->dirfd = MVFS_AT_FDCWD;
		at->path = w.rest ? w.rest : at->text + at->prefix_len;
	} else if (!rc && (detour || w.left)) {
		at->dirfd = AT_FDCWD;
		at->path = at->text;
	} else {
		return rc;
	}
	if (!*at->path)
		at->path = "/";
	return rc;
}

int mvfs_redirect_path(struct mvfs_redirect_place *at, int dirfd,
		       const char *path)
{
	bool routed = false;
	int rc = 1;

	if (!at)
		return -EFAULT;
	at->dirfd = dirfd;
	at->path = path;
	if (!path)
		return 0;
	if (*path != '/' && dirfd >= MVFS_REDIRECT_FIRST) {
		at->dirfd = mvfs_redirect_fd(dirfd, &at->fs);
		at->first = dirfd & ~(MVFS_REDIRECT_EACH - 1);
		return at->dirfd < 0 ? at->dirfd : 1;
	}
	/* what is too long, the kernel refuses */
	if (!count || !*path || strlen(path) >= PATH_BYTES)
		return 0;
	if (*path != '/') {
		rc = join(at, dirfd, path, &routed);
		path = at->joined;
	}
	return rc == 1 ? lead(at, path, routed) : rc;
}

int mvfs_redirect_fd(int fd, mvfs **fs)
{
	const unsigned slot = (unsigned)(fd - MVFS_REDIRECT_FIRST) /
			      MVFS_REDIRECT_EACH;
	mvfs *found = NULL;

	if (fd < MVFS_REDIRECT_FIRST || slot >= ROUTES)
		return -EBADF;
	mvfs__shared_lock();
	found = routes[slot].fs;
	mvfs__shared_unlock();
	if (!found)
		return -EBADF;
	*fs = found;
	return fd & (MVFS_REDIRECT_EACH - 1);
}

int mvfs_redirect_fileno(FILE *file)
{
	const struct route *r;
	mvfs *fs;
	int fd = mvfs__stream_of(file, &fs);

	if (fd < 0)
		return fd;
	mvfs__shared_lock();
	for (r = routes; r < routes + ROUTES && r->fs != fs; r++)
		;
	mvfs__shared_unlock();
	return r < routes + ROUTES ? first_of(r) + fd : -EBADF;
}

int64_t mvfs_redirect_realpath(const struct mvfs_redirect_place *at, char *to,
			       size_t len)
{
	int64_t n;

	if (at->prefix_len >= len)
		return -ERANGE;
	n = mvfs_realpath(at->fs, at->path, to + at->prefix_len,
			  len - at->prefix_len);
	if (n < 0)
		return n;
	memcpy(to, at->text, at->prefix_len);
	n += (int64_t)at->prefix_len;
	/* the root of the tree is the prefix itself */
	if (n > 1 && to[n - 1] == '/')
		to[--n] = 0;
	return n;
}

int mvfs_redirect_chdir(const struct mvfs_redirect_place *at)
{
	char path[PATH_BYTES] = "";
	struct mvfs_stat st;
	int64_t n = 0;
	int rc = 0;

	if (at) {
		rc = mvfs_stat(at->fs, at->path, &st);
		if (!rc && !S_ISDIR(st.mode))
			rc = -ENOTDIR;
		if (!rc)
			rc = mvfs_access(at->fs, at->path, X_OK);
		if (!rc)
			n = mvfs_redirect_realpath(at, path, sizeof(path));
	}
	if (rc || n < 0)
		return rc ? rc : (int)n;
	mvfs__shared_lock();
	memcpy(cwd, path, sizeof(cwd));
	mvfs__shared_unlock();
	return 0;
}

int mvfs_redirect_fchdir(int fd)
{
	struct mvfs_redirect_place at = { .path = "." };
	mvfs *fs, *view;
	unsigned slot = (unsigned)(fd - MVFS_REDIRECT_FIRST) /
			MVFS_REDIRECT_EACH;
	int rc, own = mvfs_redirect_fd(fd, &fs);

	if (own < 0)
		return own;
	/* what a descriptor leads to has a path by way of a view's place */
	rc = mvfs_view(fs, NULL, &view);
	if (rc)
		return rc;
	mvfs__shared_lock();
	if (routes[slot].fs) {
		at.prefix_len = routes[slot].len;
		memcpy(at.text, routes[slot].prefix, at.prefix_len);
	}
	mvfs__shared_unlock();
	at.fs = view;
	rc = mvfs_fchdir(view, own);
	if (!rc)
		rc = mvfs_redirect_chdir(&at);
	mvfs_destroy(view);
	return rc;
}

int64_t mvfs_redirect_getcwd(char *to, size_t len)
{
	size_t n;

	mvfs__shared_lock();
	n = cwd[0] ? strlen(cwd) + 1 : 0;
	if (n && n <= len)
		memcpy(to, cwd, n);
	mvfs__shared_unlock();
	return n > len ? -ERANGE : (int64_t)n;
}

void mvfs_redirect_umask(uint32_t mask)
{
	mvfs *views[ROUTES];
	size_t i, n = 0;

	mvfs__shared_lock();
	for (i = 0; i < ROUTES; i++)
		if (routes[i].fs)
			views[n++] = routes[i].fs;
	mvfs__shared_unlock();
	for (i = 0; i < n; i++)
		(void)mvfs_umask(views[i], mask);
}
