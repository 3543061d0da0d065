/* SPDX-License-Identifier: MIT */
/*
 * Writes gbk_tables.c: what the C library's iconv says about "GBK", pair by
 * pair and code point by code point.
 *
 *     cc -o gbk-tables vfs/text/gen/gbk-tables.c
 *     ./gbk-tables >vfs/text/gbk_tables.c
 *
 * The output is kept in the tree, so that a build needs neither this program
 * nor an iconv that has GBK; tests/unit_text_gbk.c compares the two again.
 */
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gnu/libc-version.h>

static iconv_t to_unicode, from_unicode;

/* `length` bytes through iconv, exactly: 0 if that is not possible. */
static size_t convert(iconv_t cd, const unsigned char *bytes, size_t length,
		      unsigned char *to, size_t room)
{
	char *in = (char *)bytes, *out = (char *)to;
	size_t left = room;

	iconv(cd, NULL, NULL, NULL, NULL);
	if (iconv(cd, &in, &length, &out, &left) != 0 || length)
		return 0;
	return room - left;
}

static unsigned decode(unsigned pair)
{
	unsigned char bytes[2] = { (unsigned char)(pair >> 8),
				   (unsigned char)pair };
	unsigned char to[8];

	if (convert(to_unicode, bytes, 2, to, sizeof(to)) != 2)
		return 0;
	return (unsigned)to[0] << 8 | to[1];
}

static unsigned encode(unsigned c)
{
	unsigned char bytes[2] = { (unsigned char)(c >> 8),
				   (unsigned char)c };
	unsigned char to[8];
	size_t length = convert(from_unicode, bytes, 2, to, sizeof(to));

	if (length == 1)
		return to[0];
	return length == 2 ? (unsigned)to[0] << 8 | to[1] : 0;
}

static void head(void)
{
	printf("/* SPDX-License-Identifier: MIT */\n"
	       "/*\n"
	       " * Written by gen/gbk-tables.c from the iconv of glibc %s.\n"
	       " * Do not edit.\n"
	       " */\n"
	       "#include \"vfs/text/gbk_tables.h\"\n\n"
	       "/* The UTF-8 of a code point of two or three bytes. */\n"
	       "#define TWO(c) \\\n"
	       "\t(2u << 24 | (0x80u | ((c) & 0x3fu)) << 8 | \\\n"
	       "\t (0xc0u | (c) >> 6))\n"
	       "#define THREE(c) \\\n"
	       "\t(3u << 24 | (0x80u | ((c) & 0x3fu)) << 16 | \\\n"
	       "\t (0x80u | ((c) >> 6 & 0x3fu)) << 8 | (0xe0u | (c) >> 12))\n"
	       "#define U(c) \\\n"
	       "\t((c) == 0 ? 0 : (c) < 0x800 ? TWO(c) : THREE(c))\n\n",
	       gnu_get_libc_version());
}

static void decoding(void)
{
	unsigned lead, trail, n;

	printf("const uint32_t mvfs__gbk_utf8[0x8000] = {\n");
	for (lead = 0x80; lead < 0x100; lead++) {
		for (trail = 0, n = 0; trail < 0x100; trail++)
			n += decode(lead << 8 | trail) != 0;
		if (!n)
			continue;
		printf("\t[0x%02x40] =", lead - 0x80);
		for (trail = 0x40; trail < 0xff; trail++) {
			if (trail % 6 == 4)
				printf("\n\t");
			else
				printf(" ");
			printf("U(0x%04x),", decode(lead << 8 | trail));
		}
		printf("\n");
	}
	printf("};\n\n");
}

static void points(void)
{
	unsigned lead, trail;

	printf("_Alignas(64) const uint16_t\n"
	       "mvfs__gbk_points[MVFS__GBK_POINTS] = {\n");
	for (lead = 0x81; lead < 0xff; lead++) {
		printf("\t[%u] = /* %02X */", (lead - 0x80) * 192, lead);
		for (trail = 0x40; trail < 0x100; trail++)
			printf("%s0x%04x,", trail % 8 ? " " : "\n\t",
			       trail < 0xff ? decode(lead << 8 | trail) : 0);
		printf("\n");
	}
	printf("};\n\n");
}

static void encoding(void)
{
	unsigned row[256] = { 0 }, rows = 0, page, i, n;

	printf("const uint16_t mvfs__gbk_pages[][256] = {\n\t{ 0 },\n");
	for (page = 0; page < 256; page++) {
		if (page >= 0xd8 && page < 0xe0)
			continue; /* surrogates */
		for (i = page ? 0 : 0x80, n = 0; i < 256; i++)
			n += encode(page << 8 | i) != 0;
		if (!n)
			continue;
		row[page] = ++rows;
		printf("\t{ /* U+%02Xxx */", page);
		for (i = 0; i < 256; i++)
			printf("%s0x%04x,", i % 8 ? " " : "\n\t",
			       page || i >= 0x80 ? encode(page << 8 | i) : 0);
		printf("\n\t},\n");
	}
	printf("};\n\nconst uint8_t mvfs__gbk_page[256] = {");
	for (page = 0; page < 256; page++)
		printf("%s%u,", page % 16 ? " " : "\n\t", row[page]);
	printf("\n};\n");
}

int main(void)
{
	to_unicode = iconv_open("UTF-16BE", "GBK");
	from_unicode = iconv_open("GBK", "UTF-16BE");
	if (to_unicode == (iconv_t)-1 || from_unicode == (iconv_t)-1) {
		fprintf(stderr, "gbk-tables: iconv has no GBK: %s\n",
			strerror(errno));
		return EXIT_FAILURE;
	}
	head();
	decoding();
	points();
	encoding();
	return ferror(stdout) || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
