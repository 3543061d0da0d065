/* SPDX-License-Identifier: MIT */
/*
 * Data streams. What is put, to memory and to a file at once, is what a model
 * makes byte by byte; what is got from any bytes is what the model finds
 * there, and a get that fails has moved nothing.
 */
#include "config.h"

#include <memvfs/memvfs.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>

#include "fuzz/fuzz.h"

#define MODEL_MAX (64 * FUZZ_MAX)
#define ARRAY_MAX 300
#define FLAWED SIZE_MAX

struct model {
	uint8_t bytes[MODEL_MAX];
	size_t size;
};

static void add(struct model *m, const void *bytes, size_t n)
{
	hold(n <= MODEL_MAX - m->size, "the model is too small");
	if (n)
		memcpy(m->bytes + m->size, bytes, n);
	m->size += n;
}

/* The lowest bits of a number, in either order. */
static void add_number(struct model *m, uint64_t value, unsigned width,
		       bool little)
{
	uint8_t bytes[8];
	unsigned i;

	for (i = 0; i < width; i++)
		bytes[little ? i : width - 1 - i] = (uint8_t)(value >> 8 * i);
	add(m, bytes, width);
}

static uint64_t number_at(const uint8_t *p, unsigned width, bool little)
{
	uint64_t value = 0;
	unsigned i;

	for (i = 0; i < width; i++)
		value |= (uint64_t)p[little ? i : width - 1 - i] << 8 * i;
	return value;
}

/* The next character of well-formed UTF-8. */
static uint32_t next_point(const uint8_t **p)
{
	uint32_t c = *(*p)++;
	unsigned more = c < 0xc0 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;

	if (more)
		c &= 0x3fu >> more;
	while (more--)
		c = c << 6 | (*(*p)++ & 0x3f);
	return c;
}

/* The units of UTF-16 of a character; tells how many. */
static unsigned units_of(uint32_t c, uint32_t *unit)
{
	unit[0] = c;
	if (c < 0x10000)
		return 1;
	unit[0] = 0xd800 + ((c - 0x10000) >> 10);
	unit[1] = 0xdc00 + ((c - 0x10000) & 0x3ff);
	return 2;
}

static size_t put_modified(uint8_t *to, uint32_t unit)
{
	if (unit && unit < 0x80) {
		to[0] = (uint8_t)unit;
		return 1;
	}
	if (unit < 0x800) {
		to[0] = (uint8_t)(0xc0 | unit >> 6);
		to[1] = (uint8_t)(0x80 | (unit & 0x3f));
		return 2;
	}
	to[0] = (uint8_t)(0xe0 | unit >> 12);
	to[1] = (uint8_t)(0x80 | (unit >> 6 & 0x3f));
	to[2] = (uint8_t)(0x80 | (unit & 0x3f));
	return 3;
}

enum text_form { UTF, CHARS, LOW_BYTES };

static void add_text(struct model *m, const uint8_t *text, size_t length,
		     enum text_form form)
{
	const uint8_t *end = text + length;
	static uint8_t utf[3 * FUZZ_MAX];
	size_t made = 0;
	uint32_t unit[2];
	unsigned n, i;

	while (text < end) {
		n = units_of(next_point(&text), unit);
		for (i = 0; i < n; i++) {
			if (form == CHARS)
				add_number(m, unit[i], 2, false);
			else if (form == LOW_BYTES)
				add_number(m, unit[i], 1, false);
			else
				made += put_modified(utf + made, unit[i]);
		}
	}
	if (form != UTF)
		return;
	add_number(m, made, 2, false);
	add(m, utf, made);
}

static int put_text(struct mvfs_data_out *out, const uint8_t *text,
		    size_t length, enum text_form form)
{
	const char *t = (const char *)text;

	if (form == UTF)
		return mvfs_data_put_utf(out, t, length, NULL);
	if (form == CHARS)
		return mvfs_data_put_chars(out, t, length, NULL);
	return mvfs_data_put_low_bytes(out, t, length, NULL);
}

/* A text that is none spoils a stream, so that has one of its own. */
static void put_flawed(const uint8_t *text, size_t length,
		       enum text_form form)
{
	struct mvfs_data_out out;

	mvfs_data_out_memory(&out);
	hold(put_text(&out, text, length, form) == -EILSEQ, "no error");
	hold(mvfs_data_put_u8(&out, 1) == -EILSEQ, "the error is not kept");
	hold(mvfs_data_out_size(&out) == 0, "something was put");
	hold(mvfs_data_out_close(&out) == -EILSEQ, "the error is lost");
}

static const uint8_t *chunk(struct fuzz_input *in, size_t *length)
{
	const uint8_t *at;

	*length = fuzz_byte(in);
	if (*length > in->left)
		*length = in->left;
	at = in->at;
	in->at += *length;
	in->left -= *length;
	return at;
}

static void step_text(struct mvfs_data_out *a, struct mvfs_data_out *b,
		      struct model *m, struct fuzz_input *in)
{
	enum text_form form = (enum text_form)(fuzz_byte(in) % 3);
	size_t length;
	const uint8_t *text = chunk(in, &length);
	struct mvfs_string s;

	if (mvfs_decode(text, length, NULL, 0, &s, NULL) != 0) {
		put_flawed(text, length, form);
		return;
	}
	mvfs_string_release(&s);
	hold(put_text(a, text, length, form) == 0 &&
	     put_text(b, text, length, form) == 0, "a text");
	add_text(m, text, length, form);
}

static void step_array(struct mvfs_data_out *a, struct mvfs_data_out *b,
		       struct model *m, struct fuzz_input *in)
{
	static uint64_t wide[ARRAY_MAX];
	static uint32_t words[ARRAY_MAX];
	unsigned how = fuzz_byte(in), count = fuzz_word(in) % ARRAY_MAX, i;
	bool little = how & 1;

	for (i = 0; i < count; i++) {
		wide[i] = (i + how) * UINT64_C(0x9e3779b97f4a7c15);
		words[i] = (uint32_t)(wide[i] >> 13);
		add_number(m, how & 2 ? wide[i] : words[i],
			   how & 2 ? 8 : 4, little);
	}
	if (how & 2)
		hold(little ? !mvfs_data_put_u64s_le(a, wide, count) &&
		     !mvfs_data_put_u64s_le(b, wide, count) :
		     !mvfs_data_put_u64s(a, wide, count) &&
		     !mvfs_data_put_u64s(b, wide, count), "an array");
	else
		hold(little ? !mvfs_data_put_u32s_le(a, words, count) &&
		     !mvfs_data_put_u32s_le(b, words, count) :
		     !mvfs_data_put_u32s(a, words, count) &&
		     !mvfs_data_put_u32s(b, words, count), "an array");
}

static int put_number(struct mvfs_data_out *out, unsigned kind, uint64_t v)
{
	switch (kind) {
	case 0:
		return mvfs_data_put_u8(out, (uint8_t)v);
	case 1:
		return mvfs_data_put_u16(out, (uint16_t)v);
	case 2:
		return mvfs_data_put_i32(out, (int32_t)v);
	case 3:
		return mvfs_data_put_u64(out, v);
	case 4:
		return mvfs_data_put_u16_le(out, (uint16_t)v);
	case 5:
		return mvfs_data_put_u32_le(out, (uint32_t)v);
	default:
		return mvfs_data_put_i64_le(out, (int64_t)v);
	}
}

static void step_number(struct mvfs_data_out *a, struct mvfs_data_out *b,
			struct model *m, struct fuzz_input *in)
{
	static const unsigned widths[] = { 1, 2, 4, 8, 2, 4, 8 };
	unsigned kind = fuzz_byte(in) % 7;
	uint64_t v = fuzz_word(in) * UINT64_C(0x0123456789abcdef);

	hold(put_number(a, kind, v) == 0 && put_number(b, kind, v) == 0,
	     "a number");
	add_number(m, v, widths[kind], kind >= 4);
}

static void write_all(struct fuzz_input *in, struct model *m)
{
	struct mvfs_data_out a, b;
	struct mvfs_string made, file;
	const uint8_t *bytes;
	size_t n;
	mvfs *fs;
	int fd;

	hold(mvfs_create(NULL, &fs) == 0, "create");
	fd = mvfs_open(fs, "/file", O_CREAT | O_WRONLY, 0666);
	mvfs_data_out_memory(&a);
	hold(mvfs_data_out_fd(&b, fs, fd) == 0, "a stream");
	while (in->left && m->size < MODEL_MAX / 2) {
		switch (fuzz_byte(in) % 8) {
		case 0:
			step_text(&a, &b, m, in);
			break;
		case 1:
			step_array(&a, &b, m, in);
			break;
		case 2:
			bytes = chunk(in, &n);
			hold(!mvfs_data_put_bytes(&a, bytes, n) &&
			     !mvfs_data_put_bytes(&b, bytes, n), "bytes");
			add(m, bytes, n);
			break;
		default:
			step_number(&a, &b, m, in);
		}
		hold(mvfs_data_out_size(&a) == m->size &&
		     mvfs_data_out_size(&b) == m->size, "the size");
	}
	hold(mvfs_data_out_string(&a, &made) == 0, "the result");
	hold(mvfs_data_out_close(&a) == 0 && mvfs_data_out_close(&b) == 0,
	     "close");
	hold(mvfs_read_file(fs, "/file", &file) == 0, "the file");
	hold(made.len == m->size && !memcmp(made.data, m->bytes, m->size),
	     "other bytes in memory");
	hold(mvfs_string_equal(&made, &file), "other bytes in the file");
	mvfs_string_release(&made);
	mvfs_string_release(&file);
	mvfs_close(fs, fd);
	hold(mvfs_destroy(fs) == 0, "destroy");
}

static bool is_trail(uint8_t byte)
{
	return (byte & 0xc0) == 0x80;
}

/* The unit of three bytes; 0: they are none. */
static uint32_t unit_of(const uint8_t *p, const uint8_t *end)
{
	uint32_t unit;

	if (end - p < 3 || (p[0] & 0xf0) != 0xe0 || !is_trail(p[1]) ||
	    !is_trail(p[2]))
		return 0;
	unit = (p[0] & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
	return unit < 0x800 ? 0 : unit;
}

/* Modified UTF-8 as UTF-8: its length, or FLAWED. */
static size_t read_modified(const uint8_t *p, size_t length, uint8_t *to)
{
	const uint8_t *end = p + length;
	uint32_t unit, low;
	size_t made = 0;

	while (p < end) {
		if (p[0] < 0x80) {
			to[made++] = *p++;
			continue;
		}
		if ((p[0] & 0xe0) == 0xc0 && end - p >= 2 && is_trail(p[1])) {
			unit = (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
			if (unit && unit < 0x80)
				return FLAWED;
			if (!unit)
				to[made++] = 0;
			else
				made += put_modified(to + made, unit);
			p += 2;
			continue;
		}
		unit = unit_of(p, end);
		if (!unit || (unit >= 0xdc00 && unit <= 0xdfff))
			return FLAWED;
		p += 3;
		if (unit < 0xd800 || unit > 0xdfff) {
			made += put_modified(to + made, unit);
			continue;
		}
		low = unit_of(p, end);
		if (low < 0xdc00 || low > 0xdfff)
			return FLAWED;
		p += 3;
		unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
		to[made++] = (uint8_t)(0xf0 | unit >> 18);
		to[made++] = (uint8_t)(0x80 | (unit >> 12 & 0x3f));
		to[made++] = (uint8_t)(0x80 | (unit >> 6 & 0x3f));
		to[made++] = (uint8_t)(0x80 | (unit & 0x3f));
	}
	return made;
}

/* Gets a text; tells how many bytes that must take. */
static size_t get_utf(struct mvfs_data_in *s, const uint8_t *at, size_t left)
{
	static uint8_t model[FUZZ_MAX + 4];
	struct mvfs_string text;
	struct mvfs_error e;
	size_t length = left >= 2 ? (size_t)number_at(at, 2, false) : 0, made;
	int result = mvfs_data_get_utf(s, &text, &e);

	if (left < 2 || left - 2 < length) {
		hold(result == -ENODATA, "%d", result);
		return 0;
	}
	made = read_modified(at + 2, length, model);
	hold(result == (made == FLAWED ? -EILSEQ : 0), "%d", result);
	if (result != 0)
		return 0;
	hold(text.len == made && !memcmp(text.data, model, made),
	     "another text");
	mvfs_string_release(&text);
	return 2 + length;
}

static size_t get_line(struct mvfs_data_in *s, const uint8_t *at, size_t left)
{
	static uint8_t model[2 * FUZZ_MAX];
	struct mvfs_string line;
	size_t n = 0, made = 0;
	int result = mvfs_data_get_line(s, &line);

	hold(result == (left != 0), "%d", result);
	if (!left)
		return 0;
	for (; n < left && at[n] != '\n' && at[n] != '\r'; n++) {
		if (at[n])
			made += put_modified(model + made, at[n]);
		else
			model[made++] = 0;
	}
	hold(line.len == made && !memcmp(line.data, model, made),
	     "another line");
	mvfs_string_release(&line);
	if (n == left)
		return n;
	return n + (n + 1 < left && at[n] == '\r' && at[n + 1] == '\n' ? 2 :
		    1);
}

static size_t get_array(struct mvfs_data_in *s, const uint8_t *at,
			size_t left, unsigned how)
{
	static uint32_t words[256];
	size_t count = how >> 1, i;
	bool little = how & 1;
	int result = little ? mvfs_data_get_u32s_le(s, words, count) :
		     mvfs_data_get_u32s(s, words, count);

	hold(result == (left < 4 * count ? -ENODATA : 0), "%d", result);
	for (i = 0; result == 0 && i < count; i++)
		hold(words[i] == number_at(at + 4 * i, 4, little),
		     "number %zu", i);
	return result ? 0 : 4 * count;
}

static size_t get_number(struct mvfs_data_in *s, const uint8_t *at,
			 size_t left, bool little)
{
	uint64_t value = 0;
	int result = little ? mvfs_data_get_u64_le(s, &value) :
		     mvfs_data_get_u64(s, &value);

	hold(result == (left < 8 ? -ENODATA : 0), "%d", result);
	if (result != 0)
		return 0;
	hold(value == number_at(at, 8, little), "a number");
	return 8;
}

static size_t get_string(struct mvfs_data_in *s, const uint8_t *at,
			 size_t left, size_t n)
{
	struct mvfs_string bytes;
	int result = mvfs_data_get_string(s, n, &bytes);

	hold(result == (left < n ? -ENODATA : 0), "%d", result);
	if (result != 0)
		return 0;
	hold(bytes.len == n && !memcmp(bytes.data, at, n), "other bytes");
	mvfs_string_release(&bytes);
	return n;
}

/* Gets whatever from bytes that are anything; `how` says what. */
static void read_all(const struct mvfs_string *bytes, struct fuzz_input how)
{
	const uint8_t *data = (const uint8_t *)bytes->data;
	struct mvfs_data_in s;
	size_t at = 0, left;
	unsigned what;

	hold(mvfs_data_in_string(&s, bytes) == 0, "a stream");
	while (how.left) {
		what = fuzz_byte(&how);
		left = bytes->len - at;
		if (what % 8 < 3)
			at += get_utf(&s, data + at, left);
		else if (what % 8 == 3)
			at += get_line(&s, data + at, left);
		else if (what % 8 == 4)
			at += get_array(&s, data + at, left, what >> 3);
		else if (what % 8 == 5)
			at += get_number(&s, data + at, left, what >> 3 & 1);
		else if (what % 8 == 6)
			at += get_string(&s, data + at, left, what >> 3);
		else
			at += mvfs_data_in_skip(&s, what >> 6);
		hold(mvfs_data_in_position(&s) == at, "at %zu, not %zu",
		     mvfs_data_in_position(&s), at);
	}
	mvfs_data_in_close(&s);
}

/* Texts with their lengths in front: most can be got. */
static void read_texts(struct fuzz_input in, struct model *m)
{
	struct mvfs_string bytes;
	struct mvfs_data_in s;
	const uint8_t *text, *data;
	size_t length, at, taken;

	for (m->size = 0; in.left && m->size < MODEL_MAX / 2;) {
		text = chunk(&in, &length);
		add_number(m, length, 2, false);
		add(m, text, length);
	}
	hold(mvfs_string_copy(m->bytes, m->size, &bytes) == 0, "a copy");
	hold(mvfs_data_in_string(&s, &bytes) == 0, "a stream");
	data = (const uint8_t *)bytes.data;
	for (at = 0; at < bytes.len; at += taken) {
		taken = get_utf(&s, data + at, bytes.len - at);
		if (!taken) /* a flaw: over it */
			taken = mvfs_data_in_skip(
				&s, 2 + (size_t)number_at(data + at, 2,
							  false));
		hold(mvfs_data_in_position(&s) == at + taken, "at %zu", at);
	}
	mvfs_data_in_close(&s);
	mvfs_string_release(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct model m;
	struct fuzz_input in = { data, size < FUZZ_MAX ? size : FUZZ_MAX };
	struct fuzz_input how = in;
	struct mvfs_string bytes;

	m.size = 0;
	write_all(&in, &m);
	/* what was put, and the input itself */
	how.left = how.left < 200 ? how.left : 200;
	hold(mvfs_string_copy(m.bytes, m.size < FUZZ_MAX ? m.size : FUZZ_MAX,
			      &bytes) == 0, "a copy");
	read_all(&bytes, how);
	mvfs_string_release(&bytes);
	hold(mvfs_string_copy(data, size < FUZZ_MAX ? size : FUZZ_MAX,
			      &bytes) == 0, "a copy");
	read_all(&bytes, how);
	mvfs_string_release(&bytes);
	how = (struct fuzz_input){ data, size < FUZZ_MAX ? size : FUZZ_MAX };
	read_texts(how, &m);
	return 0;
}
