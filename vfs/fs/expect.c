/* SPDX-License-Identifier: MIT */
/*
 * Whether a tree is what a text says: line by line, keyword by keyword, and
 * then whether directories that have a line hold what has none. The tree is
 * a reference to what it was; nothing is locked.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "vfs/base/error.h"
#include "vfs/fs/fs.h"
#include "vfs/fs/paths.h"
#include "vfs/fs/spec.h"
#include "vfs/mem/mem.h"
#include "vfs/mtree/escape.h"

/* A line and the inode that it was found to be. */
struct match {
	const struct mvfs__spec *spec;
	const char *path;
	uint64_t ino; /* 0: none, as it may be */
};

struct expect {
	struct mvfs__still still;
	struct mvfs__mtree tree;
	struct match *matches;
	struct mvfs__grow should, is; /* what a message says */
	struct mvfs_error *error;
};

/* The line and what is there do not agree. */
static int differ(struct expect *e, const struct match *m, const char *what,
		  const char *more)
{
	if (e->should.failed || e->is.failed)
		return mvfs__fail(e->error, -ENOMEM, 0, 0, "out of memory");
	(void)mvfs__fail(e->error, -EBADMSG, m->spec->offset, m->spec->length,
			 "%s: expected %.60s, found %.60s%s", what,
			 mvfs__grow_string(&e->should),
			 mvfs__grow_string(&e->is), more);
	mvfs__error_name(e->error, m->path);
	return -EBADMSG;
}

/* The same for two words. */
static int differ_by(struct expect *e, const struct match *m,
		     const char *what, const char *should, const char *is)
{
	mvfs__grow_clear(&e->should);
	mvfs__grow_text(&e->should, should);
	mvfs__grow_clear(&e->is);
	mvfs__grow_text(&e->is, is);
	return differ(e, m, what, "");
}

static int number(struct expect *e, const struct match *m, const char *what,
		  bool octal, uint64_t should, uint64_t is)
{
	char text[2][32];

	if (should == is)
		return 0;
	snprintf(text[0], sizeof(text[0]), octal ? "%04llo" : "%llu",
		 (unsigned long long)should);
	snprintf(text[1], sizeof(text[1]), octal ? "%04llo" : "%llu",
		 (unsigned long long)is);
	return differ_by(e, m, what, text[0], text[1]);
}

static int check_time(struct expect *e, const struct match *m,
		      const struct mvfs_time *is)
{
	const struct mvfs_time *should = &m->spec->time;
	char text[2][48];

	if (should->sec == is->sec && should->nsec == is->nsec)
		return 0;
	snprintf(text[0], sizeof(text[0]), "%lld.%09d",
		 (long long)should->sec, (int)should->nsec);
	snprintf(text[1], sizeof(text[1]), "%lld.%09d", (long long)is->sec,
		 (int)is->nsec);
	return differ_by(e, m, "time", text[0], text[1]);
}

static int check_target(struct expect *e, const struct match *m,
			const struct mvfs__target *is)
{
	const char *should = mvfs__mtree_text(&e->tree, m->spec->link);

	if (!strcmp(should, is->bytes))
		return 0;
	mvfs__grow_clear(&e->should);
	mvfs__escape_word(&e->should, should, strlen(should));
	mvfs__grow_clear(&e->is);
	mvfs__escape_word(&e->is, is->bytes, is->len);
	return differ(e, m, "link", "");
}

static int check_device(struct expect *e, const struct match *m, uint64_t is)
{
	uint64_t should = m->spec->rdev;
	char text[2][48];

	if (should == is)
		return 0;
	snprintf(text[0], sizeof(text[0]), "%u,%u", major(should),
		 minor(should));
	snprintf(text[1], sizeof(text[1]), "%u,%u", major(is), minor(is));
	return differ_by(e, m, "device", text[0], text[1]);
}

/* Some bytes from the first that differs on, in quotes. */
static void show(struct mvfs__grow *to, const struct mvfs__content *content,
		 uint64_t offset)
{
	char bytes[12];
	uint64_t len;

	mvfs__grow_clear(to);
	if (offset == content->size) {
		mvfs__grow_text(to, "the end");
		return;
	}
	len = mvfs__content_copy_out(content, offset, bytes, sizeof(bytes));
	mvfs__escape_quoted(to, bytes, (size_t)len);
}

static int check_bytes(struct expect *e, const struct match *m,
		       const struct mvfs__content *is)
{
	const char *key = mvfs__spec_has(m->spec, MVFS__KEY_DATA) ? "data" :
								    "fill";
	struct mvfs__bin bin = MVFS__BIN_INIT;
	struct mvfs__content should;
	char more[48];
	uint64_t offset;
	int rc;

	/* no bytes are made only to find that there are not as many */
	if (mvfs__spec_has(m->spec, MVFS__KEY_FILL) &&
	    m->spec->size != is->size)
		return 0;
	mvfs__content_init(&should);
	rc = mvfs__spec_content(&e->tree, m->spec, &should, &bin);
	if (rc) {
		rc = mvfs__fail(e->error, rc, 0, 0, "out of memory");
	} else if (mvfs__content_differs(&should, is, &offset)) {
		show(&e->should, &should, offset);
		show(&e->is, is, offset);
		snprintf(more, sizeof(more), " at byte %llu",
			 (unsigned long long)offset);
		rc = differ(e, m, key, more);
	}
	mvfs__content_clear(&should, &bin);
	mvfs__bin_empty(&bin);
	return rc;
}

static int check_content(struct expect *e, const struct match *m,
			 const struct mvfs__node *node)
{
	const struct mvfs__spec *spec = m->spec;
	uint32_t mode = mvfs__node_mode(node);
	int rc = 0;

	if (mvfs__node_is_lnk(node) && mvfs__spec_has(spec, MVFS__KEY_LINK))
		return check_target(e, m, node->u.target);
	if ((S_ISCHR(mode) || S_ISBLK(mode)) &&
	    mvfs__spec_has(spec, MVFS__KEY_DEVICE))
		return check_device(e, m, node->u.rdev);
	if (!mvfs__node_is_reg(node))
		return 0;
	if (mvfs__spec_has_bytes(spec))
		rc = check_bytes(e, m, &node->u.content);
	if (!rc && mvfs__spec_has(spec, MVFS__KEY_SIZE))
		rc = number(e, m, "size", false, spec->size,
			    node->u.content.size);
	return rc;
}

static int check_node(struct expect *e, const struct match *m,
		      const struct mvfs__node *node)
{
	const struct mvfs__spec *spec = m->spec;
	uint32_t mode = mvfs__node_mode(node);
	struct mvfs_time mtime = mvfs__node_time(node, MVFS__MTIME);
	int rc = 0;

	if (mvfs__spec_has(spec, MVFS__KEY_TYPE) &&
	    spec->type != (mode & S_IFMT))
		return differ_by(e, m, "type", mvfs__mtree_type(spec->type),
				 mvfs__mtree_type(mode));
	/* of a symlink it means nothing, and not everybody says 0777 */
	if (mvfs__spec_has(spec, MVFS__KEY_MODE) && !S_ISLNK(mode))
		rc = number(e, m, "mode", true, spec->mode, mode & 07777);
	if (!rc && mvfs__spec_has(spec, MVFS__KEY_UID))
		rc = number(e, m, "uid", false, spec->uid, node->uid);
	if (!rc && mvfs__spec_has(spec, MVFS__KEY_GID))
		rc = number(e, m, "gid", false, spec->gid, node->gid);
	/* file systems do not agree on that of directories */
	if (!rc && mvfs__spec_has(spec, MVFS__KEY_NLINK) && !S_ISDIR(mode))
		rc = number(e, m, "nlink", false, spec->nlink, node->nlink);
	if (!rc)
		rc = check_content(e, m, node);
	if (!rc && mvfs__spec_has(spec, MVFS__KEY_TIME))
		rc = check_time(e, m, &mtime);
	return rc;
}

static int check_line(struct expect *e, struct match *m)
{
	const struct mvfs__node *node = mvfs__still_find(&e->still, m->path);

	if (!node)
		return mvfs__spec_has(m->spec, MVFS__KEY_OPTIONAL) ? 0 :
		       differ_by(e, m, "name",
				 mvfs__spec_has(m->spec, MVFS__KEY_TYPE) ?
				 mvfs__mtree_type(m->spec->type) : "anything",
				 "nothing");
	m->ino = mvfs__node_ino(node);
	if (mvfs__spec_has(m->spec, MVFS__KEY_NOCHANGE))
		return 0;
	return check_node(e, m, node);
}

static bool has_group(const struct match *m)
{
	return m->ino && mvfs__spec_has(m->spec, MVFS__KEY_INODE);
}

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Those with a group first. */
static int by_inode(const void *a, const void *b)
{
	const struct match *x = a, *y = b;

	if (has_group(x) != has_group(y))
		return has_group(x) ? -1 : 1;
	if (x->spec->inode != y->spec->inode)
		return order(x->spec->inode, y->spec->inode);
	return order(x->spec->offset, y->spec->offset);
}

static int by_ino(const void *a, const void *b)
{
	const struct match *x = a, *y = b;

	if (has_group(x) != has_group(y))
		return has_group(x) ? -1 : 1;
	if (x->ino != y->ino)
		return order(x->ino, y->ino);
	return order(x->spec->offset, y->spec->offset);
}

/* Lines of one inode= are one file, and others are others. */
static int check_groups(struct expect *e, size_t count)
{
	struct match *m = e->matches;
	char text[128];
	size_t i;

	qsort(m, count, sizeof(*m), by_inode);
	for (i = 1; i < count && has_group(&m[i]); i++) {
		if (m[i].spec->inode != m[i - 1].spec->inode ||
		    m[i].ino == m[i - 1].ino)
			continue;
		snprintf(text, sizeof(text), "the file %.50s", m[i - 1].path);
		return differ_by(e, &m[i], "inode", text, "another");
	}
	qsort(m, count, sizeof(*m), by_ino);
	for (i = 1; i < count && has_group(&m[i]); i++) {
		if (m[i].ino != m[i - 1].ino ||
		    m[i].spec->inode == m[i - 1].spec->inode)
			continue;
		snprintf(text, sizeof(text), "the file %.50s", m[i - 1].path);
		return differ_by(e, &m[i], "inode", "another", text);
	}
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return mvfs__path_order(((const struct match *)a)->path,
				((const struct match *)b)->path);
}

static bool has_line(const struct expect *e, size_t count, const char *path)
{
	const struct match key = { .path = path };

	return bsearch(&key, e->matches, count, sizeof(key), by_path);
}

/* The directory holds nothing that has no line. */
static int check_names(struct expect *e, size_t count, const struct match *m,
		       const struct mvfs__node *dir)
{
	struct mvfs__grow path = { NULL, 0, 0, false };
	const struct mvfs__entry *entry;
	uint64_t key = 0;
	int rc = 0;

	while (!rc && (entry = mvfs__dir_after(&dir->u.dir, key))) {
		key = entry->obj.key;
		mvfs__grow_clear(&path);
		if (m->path[1])
			mvfs__grow_text(&path, m->path);
		mvfs__grow_add(&path, "/", 1);
		mvfs__grow_add(&path, entry->name, entry->len);
		if (path.failed)
			rc = mvfs__fail(e->error, -ENOMEM, 0, 0,
					"out of memory");
		else if (!has_line(e, count, path.bytes))
			rc = differ_by(e, &(struct match){ .spec = m->spec,
							   .path = path.bytes },
				       "name", "nothing",
				       mvfs__mtree_type(mvfs__node_mode(
					       mvfs__still_node(&e->still,
								entry->ino))));
	}
	mvfs__grow_free(&path);
	return rc;
}

static int check_directories(struct expect *e, size_t count)
{
	const unsigned free_hand = MVFS__KEY_IGNORE | MVFS__KEY_NOCHANGE;
	const struct mvfs__node *node;
	size_t i;
	int rc = 0;

	qsort(e->matches, count, sizeof(*e->matches), by_path);
	for (i = 0; i < count && !rc; i++) {
		if (!e->matches[i].ino ||
		    mvfs__spec_has(e->matches[i].spec, free_hand))
			continue;
		node = mvfs__still_node(&e->still, e->matches[i].ino);
		if (mvfs__node_is_dir(node))
			rc = check_names(e, count, &e->matches[i], node);
	}
	return rc;
}

static int check_all(struct expect *e)
{
	size_t i, count = mvfs__mtree_count(&e->tree);
	int rc = 0;

	if (!count)
		return 0;
	e->matches = mvfs__calloc(count, sizeof(*e->matches));
	if (!e->matches)
		return mvfs__fail(e->error, -ENOMEM, 0, 0, "out of memory");
	for (i = 0; i < count && !rc; i++) {
		e->matches[i].spec = mvfs__mtree_spec(&e->tree, i);
		e->matches[i].path = mvfs__mtree_text(
			&e->tree, e->matches[i].spec->path);
		rc = check_line(e, &e->matches[i]);
	}
	if (!rc)
		rc = check_groups(e, count);
	if (!rc)
		rc = check_directories(e, count);
	mvfs__free(e->matches);
	return rc;
}

int mvfs__fs_expect(mvfs *view, const char *text, size_t len,
		    struct mvfs_error *error)
{
	struct expect e = { .error = error };
	int rc = mvfs__mtree_parse(&e.tree, text, len, error);

	if (!rc) {
		rc = mvfs__still_take(view, false, &e.still);
		if (rc)
			(void)mvfs__fail(error, rc, 0, 0, "refused");
	}
	if (!rc) {
		rc = check_all(&e);
		mvfs__still_drop(&e.still);
	}
	mvfs__grow_free(&e.should);
	mvfs__grow_free(&e.is);
	mvfs__mtree_free(&e.tree);
	return rc;
}
