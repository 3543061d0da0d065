/* SPDX-License-Identifier: MIT */
/*
 * The library's side of tests/jdk/Data.java: writes a file, lets Java read it
 * and write another through a mount of the same instance, and reads that,
 * value by value.
 *
 *	jdk_data JAVA Data.java DIRECTORY
 */
#include "config.h"

#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <memvfs/fuse.h>
#include <memvfs/memvfs.h>

#define TEXT "\0A\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80"
#define TEXT_LEN 11
enum { INTS = 5000, DOUBLES = 1000, TEXT_MAX = 65535 };

extern char **environ;

static const int16_t shorts[] = { INT16_MIN, -1, 0, 1, INT16_MAX };
static const uint16_t units[] = { 0, 'A', 0xd800, 0xffff };
static const uint16_t text_units[] = { 0, 'A', 0xe9, 0x4e2d, 0xd83d, 0xde00 };
static const int32_t ints[] = { INT32_MIN, -1, 0, 1, INT32_MAX, 0x01020304 };
static const int64_t longs[] = {
	INT64_MIN, -1, 0, 1, INT64_MAX, INT64_C(0x0102030405060708)
};
static const uint32_t floats[] = {
	0, 0x80000000, 1, 0x7f7fffff, 0x7f800000, 0xff800000, 0x3fc00000,
	0x7fc12345
};
static const uint64_t doubles[] = {
	0, UINT64_C(1) << 63, 1, UINT64_C(0x7fefffffffffffff),
	UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000),
	UINT64_C(0x3ff8000000000000), UINT64_C(0x7ff8000123456789)
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int32_t many_ints[INTS], many_little[INTS];
static double many_doubles[DOUBLES];
static char ascii_max[TEXT_MAX], chinese_max[TEXT_MAX];
static unsigned count; /* of values looked at */

static void prepare(void)
{
	size_t i;

	for (i = 0; i < INTS; i++) {
		many_ints[i] = (int32_t)((uint32_t)i * 0x9e3779b1);
		many_little[i] = (int32_t)i;
	}
	for (i = 0; i < DOUBLES; i++)
		many_doubles[i] = (double)i * 0.1;
	memset(ascii_max, 'x', TEXT_MAX);
	for (i = 0; i < TEXT_MAX; i += 3)
		memcpy(chinese_max + i, "\xe4\xb8\xad", 3);
}

static void fail(const char *what)
{
	fprintf(stderr, "value %u: %s\n", count, what);
	exit(1);
}

static void check(bool right, const char *what)
{
	count++;
	if (!right)
		fail(what);
}

/* Java puts one NaN for all. */
static float float_of(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static double double_of(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof(d));
	return d;
}

static void put_numbers(struct mvfs_data_out *out)
{
	size_t i;

	mvfs_data_put_bool(out, 1);
	mvfs_data_put_bool(out, 0);
	for (i = 0; i < 256; i++)
		mvfs_data_put_i8(out, (int8_t)(i - 128));
	for (i = 0; i < COUNT(shorts); i++)
		mvfs_data_put_i16(out, shorts[i]);
	mvfs_data_put_u16s(out, units, COUNT(units));
	for (i = 0; i < COUNT(ints); i++)
		mvfs_data_put_i32(out, ints[i]);
	mvfs_data_put_i64s(out, longs, COUNT(longs));
	for (i = 0; i < COUNT(floats); i++)
		mvfs_data_put_f32(out, float_of(floats[i]));
	for (i = 0; i < COUNT(doubles); i++)
		mvfs_data_put_f64(out, double_of(doubles[i]));
}

static void put_texts(struct mvfs_data_out *out)
{
	mvfs_data_put_bytes(out, "\1\2\3", 3);
	mvfs_data_put_low_bytes(out, "A\xc3\xa9\xe4\xb8\xad", 6, NULL);
	mvfs_data_put_chars(out, TEXT, TEXT_LEN, NULL);
	mvfs_data_put_utf(out, "", 0, NULL);
	mvfs_data_put_utf(out, "plain", 5, NULL);
	mvfs_data_put_utf(out, TEXT, TEXT_LEN, NULL);
	mvfs_data_put_utf(out, ascii_max, TEXT_MAX, NULL);
	mvfs_data_put_utf(out, chinese_max, TEXT_MAX, NULL);
	mvfs_data_put_i32s(out, many_ints, INTS);
	mvfs_data_put_f64s(out, many_doubles, DOUBLES);
	mvfs_data_put_low_bytes(out, "one\r\ntwo\rthr\xc3\xa9" "e\n", 16,
				NULL);
	mvfs_data_put_i32s_le(out, many_little, INTS);
}

/* To a descriptor: in blocks, as a program would that has much to write. */
static void write_file(mvfs *fs)
{
	struct mvfs_data_out out;
	int fd = mvfs_open(fs, "/from-memvfs", O_CREAT | O_WRONLY, 0644);

	if (fd < 0 || mvfs_data_out_fd(&out, fs, fd) < 0)
		fail("cannot begin to write");
	put_numbers(&out);
	put_texts(&out);
	if (mvfs_data_out_close(&out) < 0 || mvfs_close(fs, fd) < 0)
		fail("cannot write");
}

static void get_numbers(struct mvfs_data_in *in)
{
	uint16_t u16;
	int64_t i64;
	int32_t i32;
	int16_t i16;
	int8_t i8;
	size_t i;
	int b;

	check(!mvfs_data_get_bool(in, &b) && b == 1, "boolean");
	check(!mvfs_data_get_bool(in, &b) && b == 0, "boolean");
	for (i = 0; i < 256; i++)
		check(!mvfs_data_get_i8(in, &i8) && i8 == (int8_t)(i - 128),
		      "byte");
	for (i = 0; i < COUNT(shorts); i++)
		check(!mvfs_data_get_i16(in, &i16) && i16 == shorts[i],
		      "short");
	for (i = 0; i < COUNT(units); i++)
		check(!mvfs_data_get_u16(in, &u16) && u16 == units[i], "char");
	for (i = 0; i < COUNT(ints); i++)
		check(!mvfs_data_get_i32(in, &i32) && i32 == ints[i], "int");
	for (i = 0; i < COUNT(longs); i++)
		check(!mvfs_data_get_i64(in, &i64) && i64 == longs[i], "long");
}

static void get_floats(struct mvfs_data_in *in)
{
	uint64_t bits64;
	uint32_t bits32;
	double d;
	float f;
	size_t i;

	for (i = 0; i < COUNT(floats); i++) {
		check(!mvfs_data_get_f32(in, &f), "float");
		memcpy(&bits32, &f, 4);
		check(bits32 == (isnan(float_of(floats[i])) ? 0x7fc00000 :
				 floats[i]), "float's bits");
	}
	for (i = 0; i < COUNT(doubles); i++) {
		check(!mvfs_data_get_f64(in, &d), "double");
		memcpy(&bits64, &d, 8);
		check(bits64 == (isnan(double_of(doubles[i])) ?
				 UINT64_C(0x7ff8000000000000) : doubles[i]),
		      "double's bits");
	}
}

static void text_is(struct mvfs_data_in *in, const char *text, size_t len)
{
	struct mvfs_error error = { .message = "" };
	struct mvfs_string got;

	check(!mvfs_data_get_utf(in, &got, &error), error.message);
	check(got.len == len && !memcmp(got.data, text, len), "text");
	mvfs_string_release(&got);
}

static void line_is(struct mvfs_data_in *in, const char *text)
{
	struct mvfs_string got;

	check(mvfs_data_get_line(in, &got) == 1, "no line");
	check(got.len == strlen(text) && !memcmp(got.data, text, got.len),
	      "line");
	mvfs_string_release(&got);
}

static void get_texts(struct mvfs_data_in *in)
{
	static double got_doubles[DOUBLES];
	static int32_t got_ints[INTS];
	char bytes[6];
	uint16_t u16;
	size_t i;

	check(!mvfs_data_get_bytes(in, bytes, 6) &&
	      !memcmp(bytes, "\1\2\3A\xe9\x2d", 6), "bytes");
	for (i = 0; i < COUNT(text_units); i++)
		check(!mvfs_data_get_u16(in, &u16) && u16 == text_units[i],
		      "chars");
	text_is(in, "", 0);
	text_is(in, "plain", 5);
	text_is(in, TEXT, TEXT_LEN);
	text_is(in, ascii_max, TEXT_MAX);
	text_is(in, chinese_max, TEXT_MAX);
	check(!mvfs_data_get_i32s(in, got_ints, INTS) &&
	      !memcmp(got_ints, many_ints, sizeof(got_ints)), "ints");
	check(!mvfs_data_get_f64s(in, got_doubles, DOUBLES) &&
	      !memcmp(got_doubles, many_doubles, sizeof(got_doubles)),
	      "doubles");
	line_is(in, "one");
	line_is(in, "two");
	line_is(in, "thr\xc3\xa9" "e");
	check(!mvfs_data_in_left(in) && !mvfs_data_in_error(in), "the end");
}

static void read_file(mvfs *fs)
{
	struct mvfs_data_in in;

	if (mvfs_data_in_file(&in, fs, "/from-java") < 0)
		fail("Java has written no file");
	get_numbers(&in);
	get_floats(&in);
	get_texts(&in);
	mvfs_data_in_close(&in);
}

static void run_java(char *java, char *source, char *dir)
{
	/* it runs for a moment: only to be quick at that */
	static char flag[] = "-XX:TieredStopAtLevel=1";
	char *argv[] = { java, flag, source, dir, NULL };
	int status;
	pid_t pid;

	if (posix_spawn(&pid, java, NULL, NULL, argv, environ) ||
	    waitpid(pid, &status, 0) != pid || status)
		fail("Java has not done its part");
}

int main(int argc, char **argv)
{
	struct mvfs_error error = { .message = "" };
	struct mvfs_mount *mount;
	mvfs *fs;

	if (argc != 4)
		return 2;
	prepare();
	if (mvfs_create(NULL, &fs) < 0)
		fail("no file system");
	write_file(fs);
	if (mvfs_mount(fs, argv[3], NULL, &mount, &error) < 0)
		fail(error.message);
	run_java(argv[1], argv[2], argv[3]);
	if (mvfs_unmount(mount) < 0)
		fail("cannot unmount");
	read_file(fs);
	mvfs_destroy(fs);
	printf("memvfs: %u values read\n", count);
	return 0;
}
