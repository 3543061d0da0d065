/* SPDX-License-Identifier: MIT */
/* What differs at one path, and how it is told. */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "vfs/fs/diff.h"
#include "vfs/fs/paths.h"
#include "vfs/mem/mem.h"
#include "vfs/mtree/escape.h"
#include "vfs/mtree/mtree.h"
#include "vfs/node/xattr.h"

/* Bytes of a value that are shown. */
enum { VALUE_SHOWN = 64 };

/* The two nodes of a path, and the one difference that is being told. */
struct spot {
	struct mvfs__diff *d;
	const struct mvfs__node *const *node;
	const char *path;
	struct mvfs_stat st[2];
};

static int tell(struct spot *s, struct mvfs_difference *difference)
{
	struct mvfs__diff *d = s->d;

	if (d->line.failed || d->text[0].failed || d->text[1].failed)
		return -ENOMEM;
	difference->path = s->path;
	difference->before = s->node[0] ? &s->st[0] : NULL;
	difference->after = s->node[1] ? &s->st[1] : NULL;
	difference->before_text = mvfs__grow_string(&d->text[0]);
	difference->after_text = mvfs__grow_string(&d->text[1]);
	difference->line = mvfs__grow_string(&d->line);
	return d->fn(d->ctx, difference);
}

/* Begins the line of a difference. */
static void begin(struct spot *s, const char *word)
{
	struct mvfs__diff *d = s->d;

	mvfs__grow_clear(&d->line);
	mvfs__grow_clear(&d->text[0]);
	mvfs__grow_clear(&d->text[1]);
	mvfs__escape_word(&d->line, s->path, strlen(s->path));
	mvfs__grow_format(&d->line, " %s", word);
}

/* The line of a difference that is no more than its two texts. */
static int tell_texts(struct spot *s, unsigned what, const char *name)
{
	struct mvfs_difference difference = { .what = what, .name = name };
	struct mvfs__diff *d = s->d;

	mvfs__grow_format(&d->line, " %s -> %s",
			  mvfs__grow_string(&d->text[0]),
			  mvfs__grow_string(&d->text[1]));
	return tell(s, &difference);
}

static int tell_presence(struct spot *s)
{
	unsigned i = s->node[0] ? 0 : 1;
	unsigned what = i ? MVFS_DIFF_ADDED : MVFS_DIFF_REMOVED;
	struct mvfs_difference difference = { .what = what };
	const char *type = mvfs__mtree_type(s->st[i].mode);

	if (!(s->d->what & what))
		return 0;
	begin(s, i ? "added" : "removed");
	mvfs__grow_text(&s->d->text[i], type);
	mvfs__grow_format(&s->d->line, " %s", type);
	return tell(s, &difference);
}

static int tell_type(struct spot *s)
{
	unsigned i;

	if (!(s->d->what & MVFS_DIFF_TYPE))
		return 0;
	begin(s, "type");
	for (i = 0; i < 2; i++)
		mvfs__grow_text(&s->d->text[i],
				mvfs__mtree_type(s->st[i].mode));
	return tell_texts(s, MVFS_DIFF_TYPE, NULL);
}

static int tell_bytes(struct spot *s, const struct mvfs__content *a,
		      const struct mvfs__content *b)
{
	struct mvfs_difference difference = { .what = MVFS_DIFF_CONTENT };
	const struct mvfs__content *content[2] = { a, b };
	struct mvfs__diff *d = s->d;
	unsigned i;

	if (!mvfs__content_differs(a, b, &difference.offset))
		return 0;
	begin(s, "content");
	for (i = 0; i < 2; i++) {
		if (difference.offset == content[i]->size)
			mvfs__grow_text(&d->text[i], "end");
		else
			mvfs__grow_format(&d->text[i], "0x%02x",
					  mvfs__content_byte(
						  content[i],
						  difference.offset));
	}
	mvfs__grow_format(&d->line, " at %llu: %s -> %s",
			  (unsigned long long)difference.offset,
			  mvfs__grow_string(&d->text[0]),
			  mvfs__grow_string(&d->text[1]));
	if (a->size != b->size)
		mvfs__grow_format(&d->line, ", size %llu -> %llu",
				  (unsigned long long)a->size,
				  (unsigned long long)b->size);
	return tell(s, &difference);
}

static int tell_target(struct spot *s)
{
	const struct mvfs__target *target[2] = { s->node[0]->u.target,
						 s->node[1]->u.target };
	unsigned i;

	if (target[0]->len == target[1]->len &&
	    !memcmp(target[0]->bytes, target[1]->bytes, target[0]->len))
		return 0;
	begin(s, "link");
	for (i = 0; i < 2; i++)
		mvfs__escape_word(&s->d->text[i], target[i]->bytes,
				  target[i]->len);
	return tell_texts(s, MVFS_DIFF_CONTENT, NULL);
}

static int tell_device(struct spot *s)
{
	unsigned i;

	if (s->st[0].rdev == s->st[1].rdev)
		return 0;
	begin(s, "device");
	for (i = 0; i < 2; i++)
		mvfs__grow_format(&s->d->text[i], "%u,%u",
				  major(s->st[i].rdev),
				  minor(s->st[i].rdev));
	return tell_texts(s, MVFS_DIFF_CONTENT, NULL);
}

static int tell_content(struct spot *s)
{
	switch (s->st[0].mode & S_IFMT) {
	case S_IFREG:
		return tell_bytes(s, &s->node[0]->u.content,
				  &s->node[1]->u.content);
	case S_IFLNK:
		return tell_target(s);
	case S_IFCHR:
	case S_IFBLK:
		return tell_device(s);
	default:
		return 0;
	}
}

static int tell_mode(struct spot *s)
{
	unsigned i;

	if (s->st[0].mode == s->st[1].mode)
		return 0;
	begin(s, "mode");
	for (i = 0; i < 2; i++)
		mvfs__grow_format(&s->d->text[i], "%04o",
				  s->st[i].mode & 07777);
	return tell_texts(s, MVFS_DIFF_MODE, NULL);
}

static int tell_owner(struct spot *s)
{
	unsigned i;

	if (s->st[0].uid == s->st[1].uid && s->st[0].gid == s->st[1].gid)
		return 0;
	begin(s, "owner");
	for (i = 0; i < 2; i++)
		mvfs__grow_format(&s->d->text[i], "%u:%u", s->st[i].uid,
				  s->st[i].gid);
	return tell_texts(s, MVFS_DIFF_OWNER, NULL);
}

/* Of one attribute; a size of -1: there is none. */
static int tell_xattr(struct spot *s, const char *name,
		      const void *const value[2], const int64_t size[2])
{
	unsigned i;

	if (size[0] == size[1] && !memcmp(value[0], value[1], (size_t)size[0]))
		return 0;
	begin(s, "xattr ");
	mvfs__escape_word(&s->d->line, name, strlen(name));
	for (i = 0; i < 2; i++) {
		if (size[i] < 0) {
			mvfs__grow_text(&s->d->text[i], "none");
			continue;
		}
		mvfs__escape_quoted(&s->d->text[i], value[i],
				    (size_t)mvfs__min64((uint64_t)size[i],
							VALUE_SHOWN));
		if (size[i] > VALUE_SHOWN)
			mvfs__grow_text(&s->d->text[i], "...");
	}
	return tell_texts(s, MVFS_DIFF_XATTR, name);
}

struct xattr_walk {
	struct spot *s;
	unsigned side; /* whose names are gone through */
	int rc;
};

static void on_xattr(void *arg, const char *name, size_t len)
{
	struct xattr_walk *w = arg;
	const void *value[2] = { "", "" };
	int64_t size[2];
	unsigned i;

	(void)len;
	for (i = 0; i < 2; i++) {
		size[i] = mvfs__xattr_get(w->s->node[i]->xattrs, name,
					  &value[i]);
		if (size[i] < 0)
			size[i] = -1;
	}
	/* those of both are told with the first */
	if (w->rc || (w->side && size[0] >= 0))
		return;
	w->rc = tell_xattr(w->s, name, value, size);
}

static int tell_xattrs(struct spot *s)
{
	struct xattr_walk w = { s, 0, 0 };

	if (s->node[0]->xattrs == s->node[1]->xattrs)
		return 0;
	for (; w.side < 2; w.side++)
		mvfs__xattr_each(s->node[w.side]->xattrs, on_xattr, &w);
	return w.rc;
}

/* Adds the paths of a node, sorted, each as one word. */
static void add_links(const struct mvfs__still *still,
		      const struct mvfs__node *node, struct mvfs__grow *to)
{
	struct mvfs__paths paths = { .count = 0 };
	size_t i;

	mvfs__paths_add_node(&paths, still, node);
	if (mvfs__paths_sort(&paths))
		to->failed = true;
	for (i = 0; i < paths.count; i++) {
		if (i)
			mvfs__grow_add(to, " ", 1);
		mvfs__escape_word(to, paths.sorted[i],
				  strlen(paths.sorted[i]));
	}
	mvfs__paths_free(&paths);
}

static int tell_links(struct spot *s)
{
	struct mvfs__diff *d = s->d;
	unsigned i;

	if (mvfs__links_count(s->node[0]) < 2 &&
	    mvfs__links_count(s->node[1]) < 2)
		return 0;
	begin(s, "links");
	for (i = 0; i < 2; i++)
		add_links(&d->tree[i], s->node[i], &d->text[i]);
	if (!strcmp(mvfs__grow_string(&d->text[0]),
		    mvfs__grow_string(&d->text[1])) &&
	    !d->text[0].failed && !d->text[1].failed)
		return 0;
	return tell_texts(s, MVFS_DIFF_LINKS, NULL);
}

static int tell_time(struct spot *s, unsigned what,
		     const struct mvfs_time *a, const struct mvfs_time *b)
{
	const struct mvfs_time *time[2] = { a, b };
	unsigned i;

	if (a->sec == b->sec && a->nsec == b->nsec)
		return 0;
	begin(s, what == MVFS_DIFF_MTIME ? "mtime" : "atime");
	for (i = 0; i < 2; i++)
		mvfs__grow_format(&s->d->text[i], "%lld.%09d",
				  (long long)time[i]->sec, time[i]->nsec);
	return tell_texts(s, what, NULL);
}

static int tell_attributes(struct spot *s)
{
	unsigned what = s->d->what;
	int rc = 0;

	if (what & MVFS_DIFF_CONTENT)
		rc = tell_content(s);
	if (!rc && (what & MVFS_DIFF_MODE))
		rc = tell_mode(s);
	if (!rc && (what & MVFS_DIFF_OWNER))
		rc = tell_owner(s);
	if (!rc && (what & MVFS_DIFF_XATTR))
		rc = tell_xattrs(s);
	if (!rc && (what & MVFS_DIFF_LINKS))
		rc = tell_links(s);
	if (!rc && (what & MVFS_DIFF_MTIME))
		rc = tell_time(s, MVFS_DIFF_MTIME, &s->st[0].mtime,
			       &s->st[1].mtime);
	if (!rc && (what & MVFS_DIFF_ATIME))
		rc = tell_time(s, MVFS_DIFF_ATIME, &s->st[0].atime,
			       &s->st[1].atime);
	return rc;
}

/* 1: the two have been compared at another of their paths. */
static int is_known(struct mvfs__diff *d,
		    const struct mvfs__node *const node[2])
{
	struct mvfs__diff_pair *pair;
	uint64_t ino[2];

	if (mvfs__node_is_dir(node[0]) || (mvfs__links_count(node[0]) < 2 &&
					   mvfs__links_count(node[1]) < 2))
		return 0;
	ino[0] = mvfs__node_ino(node[0]);
	ino[1] = mvfs__node_ino(node[1]);
	HASH_FIND(hh, d->pairs, ino, sizeof(ino), pair);
	if (pair)
		return 1;
	pair = mvfs__calloc(1, sizeof(*pair));
	if (!pair)
		return -ENOMEM;
	memcpy(pair->ino, ino, sizeof(ino));
	pair->count = 1;
	HASH_ADD(hh, d->pairs, ino, sizeof(pair->ino), pair);
	if (pair->count)
		return 0;
	mvfs__free(pair);
	return -ENOMEM;
}

int mvfs__diff_at(struct mvfs__diff *d, const char *path,
		  const struct mvfs__node *const node[2])
{
	struct spot s = { .d = d, .node = node, .path = path };
	unsigned i;
	int rc;

	for (i = 0; i < 2; i++) {
		if (!node[i])
			continue;
		mvfs__node_stat(node[i], &s.st[i]);
		s.st[i].dev = d->tree[i].dev;
	}
	if (!node[0] && !node[1])
		return 0;
	if (!node[0] || !node[1])
		return tell_presence(&s);
	if ((s.st[0].mode ^ s.st[1].mode) & S_IFMT)
		return tell_type(&s);
	rc = is_known(d, node);
	if (rc)
		return rc < 0 ? rc : 0;
	return tell_attributes(&s);
}
