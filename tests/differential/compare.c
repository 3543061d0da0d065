/* SPDX-License-Identifier: MIT */
/*
 * Holds what one side saw against what the other saw.
 *
 * Inode numbers and the values of times are not the same on two sides, so
 * for each inode a shadow remembers both sides' number and times as last
 * seen: a number must always meet the same partner, and a time has to move
 * on both sides or on neither.
 */
#include "config.h"

#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Its own falls through from case to case, which clang warns of. */
#define HASH_FUNCTION(key, len, hash) (hash = (unsigned)data_hash(key, len, 0))
#include <uthash.h>

enum { ATIME, MTIME, CTIME, TIMES };
static const char *const time_names[TIMES] = { "atime", "mtime", "ctime" };

struct shadow {
	uint64_t ino[2];
	struct mvfs_time times[2][TIMES];
	bool older[2][TIMES];  /* than the tick at which it was seen */
	struct mvfs_time btime[2];
	bool layout_differs;   /* LEGAL_COPY_HOLES, LEGAL_LAST_PAGE */
	bool seeks_differ;     /* the same, or LEGAL_RESERVED_TWICE */
	UT_hash_handle hh[2];
};

void differ_say(struct differ *differ, const char *format, ...)
{
	size_t room = sizeof(differ->text) - differ->len;
	va_list args;
	int len;

	differ->found = true;
	va_start(args, format);
	len = vsnprintf(differ->text + differ->len, room, format, args);
	va_end(args);
	if (len > 0)
		differ->len += (size_t)len < room ? (size_t)len : room - 1;
}

void differ_reset(struct differ *differ)
{
	struct shadow *s, *next;

	HASH_CLEAR(hh[1], differ->by_ino[1]);
	HASH_ITER(hh[0], differ->by_ino[0], s, next) {
		HASH_DELETE(hh[0], differ->by_ino[0], s);
		free(s);
	}
	differ->by_ino[0] = differ->by_ino[1] = NULL;
	differ->found = false;
	differ->len = 0;
	differ->text[0] = '\0';
	differ->resync = -1;
}

static bool same_time(struct mvfs_time a, struct mvfs_time b)
{
	return a.sec == b.sec && a.nsec == b.nsec;
}

/* Not a "now" of either clock, so somebody set it. */
static bool was_set(struct mvfs_time t)
{
	return t.sec < 1500000000 || t.sec > 2200000000;
}

static void times_of(const struct mvfs_stat *st, struct mvfs_time times[TIMES])
{
	times[ATIME] = st->atime;
	times[MTIME] = st->mtime;
	times[CTIME] = st->ctime;
}

static void remember(struct shadow *s, const struct mvfs_stat *const st[2])
{
	struct timespec tick;
	int side, i;

	clock_gettime(CLOCK_REALTIME_COARSE, &tick);
	for (side = 0; side < 2; side++) {
		times_of(st[side], s->times[side]);
		s->btime[side] = st[side]->btime;
		for (i = 0; i < TIMES; i++) {
			struct mvfs_time t = s->times[side][i];

			s->older[side][i] =
				t.sec < tick.tv_sec ||
				(t.sec == tick.tv_sec &&
				 t.nsec < tick.tv_nsec);
		}
	}
}

static void compare_times(struct differ *differ, const char *where,
			  const struct shadow *s,
			  const struct mvfs_stat *const st[2])
{
	struct mvfs_time now[2][TIMES];
	bool moved[2], sure;
	int i;

	times_of(st[0], now[0]);
	times_of(st[1], now[1]);
	for (i = 0; i < TIMES; i++) {
		if (i == ATIME && !(differ->facts[0].holds_still &&
				    differ->facts[1].holds_still))
			continue; /* LEGAL_ATIME */
		if (differ->no_room)
			continue; /* LEGAL_FAILED_WRITE */
		if (was_set(now[0][i]) || was_set(now[1][i])) {
			if (!same_time(now[0][i], now[1][i]))
				differ_say(differ,
					   "%s: %s is %" PRId64 ".%09d on %s, "
					   "%" PRId64 ".%09d on %s\n",
					   where, time_names[i], now[0][i].sec,
					   now[0][i].nsec, differ->names[0],
					   now[1][i].sec, now[1][i].nsec,
					   differ->names[1]);
			continue;
		}
		if (!s)
			continue;
		moved[0] = !same_time(s->times[0][i], now[0][i]);
		moved[1] = !same_time(s->times[1][i], now[1][i]);
		if (moved[0] == moved[1])
			continue;
		/*
		 * LEGAL_COARSE_CLOCK: did the other one really stay? Of a
		 * directory tmpfs may say so even now: removing a name gives
		 * it the removed inode's time.
		 */
		sure = (differ->facts[moved[0]].fine_times &&
			(!S_ISDIR(st[0]->mode) ||
			 differ->facts[moved[0]].clones)) ||
		       s->older[moved[0]][i];
		if (sure)
			differ_say(differ, "%s: %s moved on %s alone\n",
				   where, time_names[i],
				   differ->names[moved[1]]);
	}
}

static struct shadow *find(struct differ *differ, int side, uint64_t ino)
{
	struct shadow *s;

	HASH_FIND(hh[side], differ->by_ino[side], &ino, sizeof(ino), s);
	return s;
}

static struct shadow *pair(struct differ *differ, const char *where,
			   const struct mvfs_stat *const st[2], bool *fresh)
{
	struct shadow *s = find(differ, 0, st[0]->ino);

	*fresh = false;
	if (s != find(differ, 1, st[1]->ino)) {
		differ_say(differ, "%s: another inode than before on one side "
			   "alone\n", where);
		return NULL;
	}
	if (s)
		return s;
	*fresh = true;
	s = calloc(1, sizeof(*s));
	if (!s)
		abort();
	s->ino[0] = st[0]->ino;
	s->ino[1] = st[1]->ino;
	HASH_ADD(hh[0], differ->by_ino[0], ino[0], sizeof(s->ino[0]), s);
	HASH_ADD(hh[1], differ->by_ino[1], ino[1], sizeof(s->ino[1]), s);
	return s;
}

static void number(struct differ *differ, const char *where, const char *what,
		   uint64_t a, uint64_t b, bool octal)
{
	if (a == b)
		return;
	if (octal)
		differ_say(differ, "%s: %s is 0%" PRIo64 " on %s, 0%" PRIo64
			   " on %s\n", where, what, a, differ->names[0], b,
			   differ->names[1]);
	else
		differ_say(differ, "%s: %s is %" PRIu64 " on %s, %" PRIu64
			   " on %s\n", where, what, a, differ->names[0], b,
			   differ->names[1]);
}

static void compare_stats(struct differ *differ, const char *where,
			  const struct mvfs_stat *a, const struct mvfs_stat *b)
{
	const struct mvfs_stat *const st[2] = { a, b };
	bool fresh;
	struct shadow *s = pair(differ, where, st, &fresh);

	number(differ, where, "mode", a->mode, b->mode, true);
	number(differ, where, "nlink", a->nlink, b->nlink, false);
	number(differ, where, "uid", a->uid, b->uid, false);
	number(differ, where, "gid", a->gid, b->gid, false);
	number(differ, where, "size", a->size, b->size, false);
	number(differ, where, "blksize", a->blksize, b->blksize, false);
	if (S_ISCHR(a->mode) || S_ISBLK(a->mode))
		number(differ, where, "rdev", a->rdev, b->rdev, false);
	if (!s)
		return;
	if (a->size == 0 && a->blocks == 0 && b->blocks == 0)
		s->layout_differs = s->seeks_differ = false;
	if (a->size > LAST_PAGE)
		s->layout_differs = s->seeks_differ = true;
	if (!s->layout_differs && !S_ISLNK(a->mode)) /* LEGAL_LONG_SYMLINKS */
		number(differ, where, "blocks", a->blocks, b->blocks, false);
	compare_times(differ, where, fresh ? NULL : s, st);
	if (!fresh && !same_time(s->btime[1], b->btime))
		differ_say(differ, "%s: the birth time moved on %s\n", where,
			   differ->names[1]);
	remember(s, st);
}

static void say_ret(int64_t ret, char text[32])
{
	if (ret < 0 && ret > -4096)
		snprintf(text, 32, "%" PRId64 " (%s)", ret,
			 mvfs_errno_name((int)-ret)
				 ? mvfs_errno_name((int)-ret)
				 : "?");
	else
		snprintf(text, 32, "%" PRId64, ret);
}

static void compare_ret(struct differ *differ, const char *where, int64_t a,
			int64_t b)
{
	char texts[2][32];

	if (a == b)
		return;
	say_ret(a, texts[0]);
	say_ret(b, texts[1]);
	differ_say(differ, "%s: %s on %s, %s on %s\n", where, texts[0],
		   differ->names[0], texts[1], differ->names[1]);
}

static void compare_bytes(struct differ *differ, const char *where,
			  const struct result *a, const struct result *b)
{
	size_t i, len = a->len < b->len ? a->len : b->len;

	for (i = 0; i < len && a->out[i] == b->out[i]; i++)
		;
	if (a->len != b->len)
		differ_say(differ, "%s: %zu bytes on %s, %zu on %s\n", where,
			   a->len, differ->names[0], b->len,
			   differ->names[1]);
	if (i < len)
		differ_say(differ, "%s: byte %zu is 0x%02x on %s, 0x%02x on "
			   "%s\n", where, i, a->out[i], differ->names[0],
			   b->out[i], differ->names[1]);
}

/* Once for each kind. True: go on as if it were the same. */
static bool tolerate(struct differ *differ, const struct op *op, int64_t a,
		     int64_t b)
{
	static struct {
		uint8_t code;
		int64_t a, b;
	} seen[1000];
	static unsigned count;
	struct text text = { 0 };
	char texts[2][32];
	unsigned i;

	if (!differ->lenient || a >= 0 || b >= 0 || a == b)
		return false;
	for (i = 0; i < count; i++)
		if (seen[i].code == op->code && seen[i].a == a &&
		    seen[i].b == b)
			return true;
	if (count == sizeof(seen) / sizeof(*seen))
		return true;
	seen[count].code = op->code;
	seen[count].a = a;
	seen[count++].b = b;
	op_print(op, &text);
	say_ret(a, texts[0]);
	say_ret(b, texts[1]);
	printf("%s: %s on %s, %s on %s\n", text.data, texts[0],
	       differ->names[0], texts[1], differ->names[1]);
	free(text.data);
	return true;
}

/* LEGAL_FLAGS_WITHOUT_EFFECT */
static int64_t effective(int64_t flags)
{
	return flags < 0 ? flags
			 : flags & (O_ACCMODE | O_APPEND | O_PATH |
				    O_DIRECTORY | O_NOFOLLOW);
}

static void name_look(const struct look *look, char where[160])
{
	static const char *const kinds[] = { "stat", "fstat", "bytes",
					     "readlink", "listxattr" };
	size_t len = look->path ? strlen(look->path) : 0;

	if (!look->path)
		snprintf(where, 160, "then %s of %d", kinds[look->kind],
			 look->fd);
	else
		snprintf(where, 160, "then %s of \"%.60s%s\"%s",
			 kinds[look->kind], look->path, len > 60 ? "..." : "",
			 look->fd == AT_FDCWD ? "" : " at a descriptor");
}

static void compare_looks(struct differ *differ, const struct look *a,
			  const struct look *b)
{
	char where[160];
	size_t i;

	name_look(a, where);
	if (!differ->lenient || a->ret >= 0 || b->ret >= 0)
		compare_ret(differ, where, a->ret, b->ret);
	if (a->ret < 0 || b->ret < 0)
		return;
	if (a->kind == LOOK_STAT || a->kind == LOOK_FD)
		compare_stats(differ, where, &a->st, &b->st);
	if (a->kind == LOOK_FD) {
		compare_ret(differ, "then its offset", a->offset, b->offset);
		compare_ret(differ, "then its flags", effective(a->status),
			    effective(b->status));
	}
	if (a->kind == LOOK_BYTES || a->kind == LOOK_LINK ||
	    a->kind == LOOK_XATTRS) {
		for (i = 0; i < sizeof(a->head) && a->head[i] == b->head[i];)
			i++;
		if (a->len != b->len || a->hash != b->hash)
			differ_say(differ, "%s: differs at byte %zu or "
				   "behind\n", where, i);
	}
}

/* Which files' layouts may differ from now on. */
static void note_copies(struct differ *differ, const struct op *op,
			struct report *const reports[2])
{
	const struct report *r = reports[0];
	struct shadow *from, *to;

	if (r->result.ret < 0 || !r->looks)
		return;
	if (op->code == OP_FALLOCATE && r->result.holes) {
		to = find(differ, 0, r->look[0].st.ino);
		if (to)
			to->seeks_differ = true;
	}
	if ((op->code != OP_COPY_RANGE && op->code != OP_CLONE_FILE) ||
	    r->looks < 2)
		return;
	from = find(differ, 0, r->look[0].st.ino);
	to = find(differ, 0, r->look[1].st.ino);
	if (!to)
		return;
	if (op->code == OP_CLONE_FILE) {
		to->layout_differs = from && from->layout_differs;
		to->seeks_differ = from && from->seeks_differ;
	} else if (r->result.ret > 0 &&
		   (r->result.holes || (from && from->seeks_differ))) {
		to->layout_differs = to->seeks_differ = true;
	}
}

static bool seek_may_differ(struct differ *differ, const struct op *op,
			    struct report *const reports[2])
{
	struct shadow *s;

	if (op->code != OP_LSEEK ||
	    (op->whence != SEEK_DATA && op->whence != SEEK_HOLE) ||
	    !reports[0]->looks)
		return false;
	s = find(differ, 0, reports[0]->look[0].st.ino);
	if (!s || !s->seeks_differ)
		return false;
	differ->resync = op->fd[0];
	reports[0]->look[0].offset = reports[1]->look[0].offset;
	return true;
}

void compare_reports(struct differ *differ, const struct op *op,
		     struct report *const reports[2])
{
	struct result *a = &reports[0]->result, *b = &reports[1]->result;
	unsigned i;

	differ->resync = -1;
	/* LEGAL_FAILED_WRITE */
	differ->no_room = a->ret == -ENOSPC && b->ret == -ENOSPC;
	note_copies(differ, op, reports);
	if (op->code == OP_GETFL)
		compare_ret(differ, "result", effective(a->ret),
			    effective(b->ret));
	else if (!seek_may_differ(differ, op, reports) &&
		 !legal_error(&differ->facts[1], op, a->ret, b->ret) &&
		 !tolerate(differ, op, a->ret, b->ret))
		compare_ret(differ, "result", a->ret, b->ret);
	compare_bytes(differ, "result", a, b);
	if (a->has_stat && b->has_stat)
		compare_stats(differ, "result", &a->st, &b->st);
	if (reports[0]->looks != reports[1]->looks)
		differ_say(differ, "the one is a symlink, the other is not\n");
	for (i = 0; i < reports[0]->looks && i < reports[1]->looks; i++)
		compare_looks(differ, &reports[0]->look[i],
			      &reports[1]->look[i]);
}

static void compare_entries(struct differ *differ, const struct entry *a,
			    const struct entry *b)
{
	char where[160];
	struct shadow *s;

	snprintf(where, sizeof(where), "in the tree, \"%.100s\"",
		 *a->path ? a->path : "/");
	compare_ret(differ, where, a->error, b->error);
	if (a->error)
		return;
	compare_stats(differ, where, &a->st, &b->st);
	s = find(differ, 0, a->st.ino);
	if (a->target != b->target)
		differ_say(differ, "%s: the targets differ\n", where);
	if (a->xattrs != b->xattrs)
		differ_say(differ, "%s: the attributes differ\n", where);
	if (a->content != b->content)
		differ_say(differ, "%s: the contents differ\n", where);
	if (a->layout != b->layout && s && !s->seeks_differ)
		differ_say(differ, "%s: SEEK_DATA and SEEK_HOLE differ\n",
			   where);
}

void compare_dumps(struct differ *differ, const struct dump dumps[2])
{
	size_t i, count = dumps[0].count;
	int side;

	differ->no_room = false;
	for (side = 0; side < 2; side++)
		if (dumps[side].fault[0])
			differ_say(differ, "%s contradicts itself: %s\n",
				   differ->names[side], dumps[side].fault);
	for (i = 0; i < count && i < dumps[1].count; i++) {
		const struct entry *a = &dumps[0].entries[i];
		const struct entry *b = &dumps[1].entries[i];

		if (strcmp(a->path, b->path)) {
			differ_say(differ, "in the tree, \"%.100s\" on %s "
				   "where \"%.100s\" is on %s\n", a->path,
				   differ->names[0], b->path,
				   differ->names[1]);
			return;
		}
		compare_entries(differ, a, b);
	}
	number(differ, "in the tree", "the count of names", count,
	       dumps[1].count, false);
}

bool dump_same(const struct dump *a, const struct dump *b, char why[512])
{
	size_t i;

	if (a->count != b->count) {
		snprintf(why, 512, "%zu names, were %zu", b->count, a->count);
		return false;
	}
	for (i = 0; i < a->count; i++) {
		const struct entry *x = &a->entries[i], *y = &b->entries[i];

		if (strcmp(x->path, y->path) ||
		    memcmp(&x->st, &y->st, sizeof(x->st)) ||
		    x->target != y->target || x->xattrs != y->xattrs ||
		    x->content != y->content || x->layout != y->layout ||
		    x->error != y->error) {
			snprintf(why, 512, "\"%.200s\" is not as it was",
				 x->path);
			return false;
		}
	}
	return true;
}
