/* SPDX-License-Identifier: MIT */
/* Escapes: see escape.h. */
#include "config.h"

#include "vfs/mtree/escape.h"

#include <string.h>

static bool is_graphic(unsigned char c)
{
	return c > ' ' && c < 0x7f;
}

static void add_octal(struct mvfs__grow *to, unsigned char c)
{
	const char octal[4] = { '\\', (char)('0' + (c >> 6)),
				(char)('0' + (c >> 3 & 7)),
				(char)('0' + (c & 7)) };

	mvfs__grow_add(to, octal, sizeof(octal));
}

/* Adds the bytes, those between two that need an escape at once. */
static void add_escaped(struct mvfs__grow *to, const unsigned char *bytes,
			size_t len, bool (*plain)(unsigned char),
			void (*escape)(struct mvfs__grow *, unsigned char))
{
	size_t from = 0, at;

	for (at = 0; at < len; at++) {
		if (plain(bytes[at]))
			continue;
		mvfs__grow_add(to, bytes + from, at - from);
		escape(to, bytes[at]);
		from = at + 1;
	}
	mvfs__grow_add(to, bytes + from, len - from);
}

static bool is_plain_in_word(unsigned char c)
{
	return is_graphic(c) && c != '#' && c != '\\' && c != '"' && c != '=';
}

void mvfs__escape_word(struct mvfs__grow *to, const void *bytes, size_t len)
{
	add_escaped(to, bytes, len, is_plain_in_word, add_octal);
}

static bool is_plain_in_quotes(unsigned char c)
{
	return (is_graphic(c) || c == ' ') && c != '\\' && c != '"';
}

static const char letters[] = "abfnrtv\\\"";
static const char values[] = "\a\b\f\n\r\t\v\\\"";

static void add_quoted(struct mvfs__grow *to, unsigned char c)
{
	const char *at = c ? strchr(values, c) : NULL;
	char pair[2] = { '\\', 0 };

	if (!at) {
		add_octal(to, c);
		return;
	}
	pair[1] = letters[at - values];
	mvfs__grow_add(to, pair, sizeof(pair));
}

void mvfs__escape_quoted(struct mvfs__grow *to, const void *bytes, size_t len)
{
	mvfs__grow_add(to, "\"", 1);
	add_escaped(to, bytes, len, is_plain_in_quotes, add_quoted);
	mvfs__grow_add(to, "\"", 1);
}

static int hex_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int digits(const char *text, const char *end, unsigned base,
		  size_t max, size_t *used)
{
	int value = 0, digit;
	size_t n = 0;

	while (n < max && text + n < end) {
		digit = hex_of(text[n]);
		if (digit < 0 || (unsigned)digit >= base)
			break;
		value = value * (int)base + digit;
		n++;
	}
	*used = n;
	return n && value < 256 ? value : -1;
}

int mvfs__unescape(const char *text, const char *end, size_t *used)
{
	const char *at;
	int value;

	*used = 0;
	if (text == end)
		return -1;
	if (*text >= '0' && *text <= '7')
		return digits(text, end, 8, 3, used);
	if (*text == 'x') {
		value = digits(text + 1, end, 16, 2, used);
		*used += 1;
		return value;
	}
	*used = 1;
	at = *text ? strchr(letters, *text) : NULL;
	if (at)
		return (unsigned char)values[at - letters];
	if (*text == 's')
		return ' ';
	return *text && strchr("#'?", *text) ? (unsigned char)*text : -1;
}
