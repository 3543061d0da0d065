/* SPDX-License-Identifier: MIT */
/*
 * A file that is written, appended to, cut, cloned and read as text in any
 * order. What is read is what decoding the bytes of a model gives, whatever
 * is known of them by then; strings stay what they were; adopted memory is
 * given back once.
 */
#include "config.h"

#include <memvfs/memvfs.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>

#include "fuzz/fuzz.h"

/* What would make the file larger is left out. */
#define MODEL_MAX (4 * FUZZ_MAX)
#define HELD 4

struct trial {
	mvfs *fs;
	uint8_t model[MODEL_MAX];
	size_t size;
	struct mvfs_string held[HELD]; /* and what they said at first */
	struct mvfs_string was[HELD];
	size_t adopted, freed;
};

static const char *const names[] = {
	"UTF-8", "US-ASCII", "ISO-8859-1", "GBK", "UTF-16LE", "UTF-16BE",
	"UTF-16"
};

#define PATH "/file"

static const struct mvfs_charset *charset(unsigned n)
{
	const struct mvfs_charset *cs = mvfs_charset(
		names[n % (sizeof(names) / sizeof(*names))]);

	hold(cs != NULL, "%s", names[n % (sizeof(names) / sizeof(*names))]);
	return cs;
}

/* Some of the next bytes of the input. */
static struct mvfs_string chunk(struct fuzz_input *in)
{
	struct mvfs_string s = { .data = (const char *)in->at };

	/* few, so that there is something left to do, or many */
	s.len = fuzz_byte(in);
	s.len = s.len < 0xe0 ? s.len % 32 : s.len * 2;
	if (s.len > in->left)
		s.len = in->left;
	s.data = (const char *)in->at;
	in->at += s.len;
	in->left -= s.len;
	return s;
}

static void set_model(struct trial *t, size_t at, const void *bytes, size_t n)
{
	hold(at + n <= MODEL_MAX, "the model is too small");
	if (at > t->size)
		memset(t->model + t->size, 0, at - t->size);
	if (n)
		memcpy(t->model + at, bytes, n);
	if (at + n > t->size)
		t->size = at + n;
}

/* A place: most are in the file or at its end. */
static size_t place(const struct trial *t, struct fuzz_input *in)
{
	size_t at = fuzz_word(in);

	return at % 8 ? at / 8 % (t->size + 1) : at % (2 * FUZZ_MAX);
}

static void write_all(struct trial *t, struct fuzz_input *in)
{
	struct mvfs_string s = chunk(in);

	hold(mvfs_write_file(t->fs, PATH, s.data, s.len) == 0, "write_file");
	t->size = 0;
	set_model(t, 0, s.data, s.len);
}

static void write_at(struct trial *t, struct fuzz_input *in)
{
	size_t at = place(t, in);
	struct mvfs_string s = chunk(in);
	int fd;

	if (at + s.len > MODEL_MAX)
		return;
	fd = mvfs_open(t->fs, PATH, O_WRONLY, 0);
	hold(fd >= 0, "open: %d", fd);
	hold(mvfs_pwrite(t->fs, fd, s.data, s.len, (int64_t)at) ==
	     (int64_t)s.len, "pwrite");
	mvfs_close(t->fs, fd);
	if (s.len)
		set_model(t, at, s.data, s.len);
}

static void cut(struct trial *t, struct fuzz_input *in)
{
	size_t size = place(t, in);

	hold(mvfs_truncate(t->fs, PATH, (int64_t)size) == 0, "truncate");
	if (size > t->size)
		set_model(t, size, NULL, 0);
	t->size = size;
}

/* Written or appended in a charset: as encoding it says. */
static void put_string(struct trial *t, const struct mvfs_string *s,
		       const struct mvfs_charset *cs, bool append)
{
	struct mvfs_string bytes = { 0 };
	struct mvfs_error e;
	int want, got;

	want = mvfs_encode(s->data, s->len, cs, 0, &bytes, NULL);
	if (append && !strcmp(mvfs_charset_name(cs), "UTF-16"))
		want = -EINVAL;
	if ((append ? t->size : 0) + bytes.len > MODEL_MAX) {
		mvfs_string_release(&bytes);
		return;
	}
	got = append ? mvfs_append_string(t->fs, PATH, s, cs, &e) :
	      mvfs_write_string(t->fs, PATH, s, cs, &e);
	hold(got == want, "%d, not %d", got, want);
	if (got == 0) {
		if (!append)
			t->size = 0;
		set_model(t, t->size, bytes.data, bytes.len);
	}
	mvfs_string_release(&bytes);
}

static void give_back(void *ctx, void *bytes, size_t len)
{
	struct trial *t = ctx;

	(void)len;
	t->freed++;
	free(bytes);
}

static void adopt(struct trial *t, struct fuzz_input *in)
{
	struct mvfs_string s = chunk(in);
	void *bytes = malloc(s.len + 1);

	hold(bytes != NULL, "memory");
	memcpy(bytes, s.data, s.len);
	hold(mvfs_write_adopt(t->fs, PATH, bytes, s.len, give_back, t) == 0,
	     "adopt");
	t->adopted++;
	t->size = 0;
	set_model(t, 0, s.data, s.len);
}

static void clone(struct trial *t)
{
	mvfs *fs;

	hold(mvfs_clone(t->fs, &fs) == 0, "clone");
	hold(mvfs_destroy(t->fs) == 0, "destroy");
	t->fs = fs;
}

static void forget(struct trial *t, unsigned i)
{
	hold(t->held[i].len == t->was[i].len &&
	     !memcmp(t->held[i].data, t->was[i].data, t->was[i].len),
	     "a string has changed");
	mvfs_string_release(&t->held[i]);
	mvfs_string_release(&t->was[i]);
	t->held[i] = t->was[i] = (struct mvfs_string){ .data = "" };
}

/* Reads it as text, as decoding it says. */
static void read_text(struct trial *t, unsigned how)
{
	/* UTF-8 every other time: what is known is known of that */
	const struct mvfs_charset *cs = charset(how & 8 ? how & 7 : 0);
	unsigned flags = how >> 4 & 3, i = how >> 6 & (HELD - 1);
	struct mvfs_string got = { 0 }, want = { 0 };
	struct mvfs_error e = { 0 }, model = { 0 };
	int result = mvfs_read_string(t->fs, PATH, cs, flags, &got, &e);

	hold(result == mvfs_decode(t->model, t->size, cs, flags, &want,
				   &model), "%s: %d", mvfs_charset_name(cs),
	     result);
	if (result != 0) {
		hold(e.offset == model.offset && e.length == model.length &&
		     e.reason == model.reason, "%s at %ju, not %s",
		     e.message, (uintmax_t)e.offset, model.message);
		return;
	}
	hold(got.len == want.len && !memcmp(got.data, want.data, want.len),
	     "another text of %zu bytes", got.len);
	hold(!(got.flags & MVFS_STRING_TERMINATED) || !got.data[got.len],
	     "not terminated");
	forget(t, i);
	t->held[i] = got;
	t->was[i] = want;
}

static void read_lines(struct trial *t, unsigned first, unsigned count)
{
	struct mvfs_lines got, want;
	struct mvfs_string s;
	size_t i;

	hold(mvfs_read_lines(t->fs, PATH, charset(2), 0, first, count, &got,
			     NULL) == 0, "lines");
	hold(mvfs_decode(t->model, t->size, charset(2), 0, &s, NULL) == 0 &&
	     mvfs_string_lines(&s, first, count, &want) == 0, "lines");
	hold(got.count == want.count, "%zu, not %zu", got.count, want.count);
	for (i = 0; i < got.count; i++)
		hold(got.line[i].len == want.line[i].len &&
		     !memcmp(got.line[i].data, want.line[i].data,
			     got.line[i].len), "line %zu", i);
	mvfs_lines_release(&got);
	mvfs_lines_release(&want);
	mvfs_string_release(&s);
}

static void check_bytes(struct trial *t)
{
	struct mvfs_string bytes;

	hold(mvfs_read_file(t->fs, PATH, &bytes) == 0, "read_file");
	hold(bytes.len == t->size &&
	     !memcmp(bytes.data, t->model, t->size), "other bytes");
	mvfs_string_release(&bytes);
}

static void step(struct trial *t, struct fuzz_input *in)
{
	unsigned what = fuzz_byte(in), how = what >> 4;
	struct mvfs_string s;

	switch (what & 15) {
	case 0:
		write_all(t, in);
		break;
	case 1:
	case 2:
		write_at(t, in);
		break;
	case 3:
		cut(t, in);
		break;
	case 4:
		adopt(t, in);
		break;
	case 5:
		clone(t);
		break;
	case 6:
	case 7:
		s = chunk(in);
		put_string(t, &s, charset(how), what & 1);
		break;
	case 8: /* a string that may be the file's own */
	case 9:
		s = mvfs_string_share(&t->held[how & (HELD - 1)]);
		put_string(t, &s, charset(how >> 2), what & 1);
		mvfs_string_release(&s);
		break;
	case 10:
		forget(t, how & (HELD - 1));
		break;
	case 11:
		read_lines(t, how & 3, fuzz_byte(in));
		break;
	case 12:
		check_bytes(t);
		break;
	default:
		read_text(t, fuzz_byte(in));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct trial t;
	struct fuzz_input in = { data, size < FUZZ_MAX ? size : FUZZ_MAX };
	unsigned i;

	memset(&t, 0, sizeof(t));
	for (i = 0; i < HELD; i++)
		t.held[i].data = t.was[i].data = "";
	hold(mvfs_create(NULL, &t.fs) == 0, "create");
	hold(mvfs_write_file(t.fs, PATH, NULL, 0) == 0, "create");
	while (in.left)
		step(&t, &in);
	check_bytes(&t);
	read_text(&t, 3);
	hold(mvfs_destroy(t.fs) == 0, "destroy");
	for (i = 0; i < HELD; i++)
		forget(&t, i);
	hold(t.freed == t.adopted, "%zu of %zu adopted ones are freed",
	     t.freed, t.adopted);
	return 0;
}
