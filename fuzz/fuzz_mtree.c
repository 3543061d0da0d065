/* SPDX-License-Identifier: MIT */
/*
 * Trees as text. What cannot be built has changed nothing and says where it
 * went wrong; what has been built is dumped, and built again from that, and
 * is the same.
 */
#include "config.h"

#include <memvfs/memvfs.h>

#include <errno.h>

#include "fuzz/grammar.h"

const char fuzz_corpus[] = "mtree";

static mvfs *make(void)
{
	const struct mvfs_options options = {
		.size = sizeof(options), .max_bytes = 1 << 20,
		.max_inodes = 200,
	};
	mvfs *fs;

	hold(mvfs_create(&options, &fs) == 0, "an instance");
	return fs;
}

static struct mvfs_string dump(mvfs *fs)
{
	struct mvfs_string text;

	hold(mvfs_dump(fs, MVFS_DUMP_DATA | MVFS_DUMP_TIMES, &text) == 0,
	     "a dump");
	hold(mvfs_string_cstr(&text) != NULL, "%zu bytes", text.len);
	return text;
}

static void check_error(const struct mvfs_error *error, int rc, size_t size)
{
	hold(error->code == rc, "%d is told as %d", rc, error->code);
	hold(error->message[0], "%d has no message", rc);
	hold(error->offset <= size && error->length <= size - error->offset,
	     "%llu bytes at %llu of %zu", (unsigned long long)error->length,
	     (unsigned long long)error->offset, size);
}

/* What is built from the dump is the same tree. */
static void check_again(mvfs *fs, const struct mvfs_string *text)
{
	const struct mvfs_diff_options all = {
		.size = sizeof(all), .what = MVFS_DIFF_ALL & ~MVFS_DIFF_ATIME,
	};
	struct mvfs_error error = { .code = 0 };
	struct mvfs_string again, differences;
	mvfs *other = make();

	hold(mvfs_build(other, text->data, &error) == 0, "%s in\n%s",
	     error.message, text->data);
	again = dump(other);
	hold(mvfs_string_equal(text, &again), "\n%s\n%s", text->data,
	     again.data);
	hold(mvfs_expect(other, text->data, &error) == 0, "%s",
	     error.message);
	hold(mvfs_diff_text(fs, other, &all, &differences) == 0, "a diff");
	hold(differences.len == 0, "%.*s", (int)differences.len,
	     differences.data);
	mvfs_string_release(&differences);
	mvfs_string_release(&again);
	mvfs_destroy(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *input = fuzz_string(data, size);
	struct mvfs_error error = { .code = 0 };
	struct mvfs_string before, after;
	mvfs *fs = make();
	int rc, said;

	before = dump(fs);
	rc = mvfs_build(fs, input, &error);
	after = dump(fs);
	if (rc) {
		check_error(&error, rc, strlen(input));
		hold(mvfs_string_equal(&before, &after), "\n%s", after.data);
	} else {
		check_again(fs, &after);
	}
	said = mvfs_expect(fs, input, &error);
	hold(!said || said == -EBADMSG || (said == -EINVAL && rc == -EINVAL),
	     "%d, built with %d", said, rc);
	if (said)
		check_error(&error, said, strlen(input));
	mvfs_string_release(&before);
	mvfs_string_release(&after);
	mvfs_destroy(fs);
	free(input);
	return 0;
}
