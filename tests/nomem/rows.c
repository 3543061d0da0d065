/* SPDX-License-Identifier: MIT */
/*
 * The table of calls. A line of calls_*.h is expanded twice: to a function
 * that makes the call, and to a row that has the name of what it calls, so
 * that no row can claim to be another.
 */
#include "config.h"

#include "tests/nomem/nomem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vfs/mem/mem.h"

/* More pieces than a writer has room for without memory. */
enum { MANY = 20 };

static char block[4096];
static char big[BIG];

static struct mvfs_iovec many_pieces[MANY];

static const struct mvfs_actor actor = {
	.uid = 1000, .gid = 1000, .umask = 022,
};

static const struct mvfs_charset *gbk(void)
{
	return mvfs_charset("GBK");
}

static const struct mvfs_charset *latin(void)
{
	return mvfs_charset("ISO-8859-1");
}

static const struct mvfs_charset *utf16(void)
{
	return mvfs_charset("UTF-16");
}

/* Of iconv(3): made before any allocation fails, see rows_prepare(). */
static const struct mvfs_charset *cyrillic(void)
{
	return mvfs_charset("KOI8-R");
}

static const struct mvfs_charset *korean(void)
{
	return mvfs_charset("EUC-KR");
}

static struct mvfs_time fixed_clock(void *ctx)
{
	(void)ctx;
	return (struct mvfs_time){ 77, 7, 0 };
}

static int note_name(void *ctx, const struct mvfs_walk_entry *entry)
{
	struct world *w = ctx;

	w->walked = hash_bytes(w->walked + (uint64_t)entry->order, entry->path,
			       entry->path_len);
	return 0;
}

static const char tree_text[] =
	"/set type=file uid=0\n"
	". type=dir mode=0755\n"
	"new type=dir time=5.6\n"
	"in\\040it inode=7 data=\"a\\nb\" size=5000\n"
	"also inode=7\n"
	"..\n"
	"./new/sub/deep fill=3 size=9000 mode=0600\n"
	"./d/text data=\"built\" gid=3\n"
	"./d/link type=link link=elsewhere\n"
	"./d/fifo type=fifo mode=0600\n"
	"./d/dev2 type=char device=native,5,2 nlink=1\n";

static const char world_text[] =
	"./d type=dir ignore\n"
	"./d/text type=file size=200 mode=0644\n"
	"./d/pair inode=1 nlink=2\n"
	"./d/pair2 inode=1\n"
	"./d/link link=text\n"
	"./d/dev device=native,5,1\n"
	"./e/single type=dir\n"
	"./e/single/name type=file\n"
	"./none optional\n";

static const struct mvfs_diff_options diff_all = {
	.size = sizeof(diff_all), .what = MVFS_DIFF_ALL,
};

static int note_difference(void *ctx, const struct mvfs_difference *d)
{
	struct world *w = ctx;

	w->walked = hash_bytes(w->walked, d->line, strlen(d->line));
	return 0;
}

static void ignore_change(void *ctx, const struct mvfs_sys_change *change)
{
	(void)ctx;
	(void)change;
}

/* Somebody is told of restores. */
static mvfs *told(struct world *w)
{
	const struct mvfs_sys_listener listener = { .after = ignore_change };

	if (mvfs_sys_listen(w->adapter, &listener))
		abort();
	return w->fs;
}

static void note_free(void *ctx, void *bytes, size_t len)
{
	struct world *w = ctx;

	(void)bytes;
	(void)len;
	w->freed++;
}

/* Its files went with the view. */
static void forget_adapter(struct world *w)
{
	size_t i;

	w->adapter = NULL;
	for (i = 0; i < FILES; i++)
		w->file[i] = NULL;
}

static void move_offsets(struct world *w, int64_t by)
{
	w->out.in_offset += by;
	w->out.out_offset += by;
}

#define CALL(id, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		(void)w; \
		return (int64_t)function(__VA_ARGS__); \
	}
/* After success the world has to take note of something. */
#define CALL_THEN(id, then, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		int64_t rc = function(__VA_ARGS__); \
		\
		if (rc >= 0) \
			then; \
		return rc; \
	}
/* What changes nothing when it succeeds. */
#define LOOK CALL
#define LOOK_STRING CALL_STRING
#define LOOK_POINTER CALL_POINTER
#define CALL_BIG CALL
#define CALL_RESUMES CALL
#define CALL_RESUMES_THEN CALL_THEN
#define CALL_ENDS_LISTING CALL
#define CALL_PLACED(id, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		int64_t rc = function(placed(w), __VA_ARGS__); \
		\
		(void)mvfs_here(NULL); \
		return rc; \
	}
#define CALL_VOID(id, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		(void)w; \
		function(__VA_ARGS__); \
		return 0; \
	}
#define CALL_VOID_THEN(id, then, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		function(__VA_ARGS__); \
		then; \
		return 0; \
	}
#define CALL_STRING(id, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		w->out.string = function(__VA_ARGS__); \
		return 0; \
	}
/* NULL: no memory. */
#define CALL_POINTER(id, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		return function(__VA_ARGS__) ? 0 : -ENOMEM; \
	}
/* Likewise, and the memory is the caller's. */
#define CALL_MEMORY(id, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		char *memory = function(__VA_ARGS__); \
		\
		if (!memory) \
			return -ENOMEM; \
		w->out.memory = memory; \
		return 0; \
	}
/* Likewise a stream, which ends with the call. */
#define CALL_STREAM(id, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		FILE *file; \
		int rc = function(__VA_ARGS__, &file); \
		\
		if (!rc) \
			fclose(file); \
		return rc; \
	}
/* In an arena, or a frame, that ends with the call. */
#define CALL_IN_ARENA(id, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		struct mvfs_arena arena = MVFS_ARENA_INIT; \
		void *memory = function(&arena, __VA_ARGS__); \
		\
		(void)w; \
		mvfs_arena_close(&arena); \
		return memory ? 0 : -ENOMEM; \
	}
#define CALL_IN_FRAME(id, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		struct mvfs_scratch frame; \
		void *memory; \
		\
		(void)w; \
		mvfs_scratch_open(&frame); \
		memory = function(&frame, __VA_ARGS__); \
		mvfs_scratch_close(&frame); \
		return memory ? 0 : -ENOMEM; \
	}
/* On a stream that writes to memory, empty or not, or to a file; one that
 * reads. */
static void fill(struct mvfs_data_out *out)
{
	uint64_t before = mvfs__mem_thread.allocations;
	uint64_t fail_at = mvfs__mem_thread.fail_at;

	/* that much is there before the call */
	mvfs__mem_fail_at(0);
	if (mvfs_data_put_bytes(out, block, 100))
		abort();
	if (fail_at)
		mvfs__mem_fail_at(fail_at - before);
}

/* Its file system with somebody who listens: rules, of which one matches much
 * and does nothing that is seen, and a log with a call in it. */
static mvfs *heard(struct world *w)
{
	uint64_t before = mvfs__mem_thread.allocations;
	uint64_t fail_at = mvfs__mem_thread.fail_at;
	struct mvfs_stat st;

	mvfs__mem_fail_at(0);
	if (mvfs_fault_add(w->fs, "all path=/nowhere eintr", NULL, NULL) ||
	    mvfs_fault_add(w->fs, "all path=/** nth=1000000 eintr", NULL,
			   NULL) ||
	    mvfs_log_start(w->fs, 4) || mvfs_stat(w->fs, "/", &st))
		abort();
	if (fail_at)
		mvfs__mem_fail_at(fail_at - before);
	return w->fs;
}

/* Its file system, tracked, with names and data in doubt, though all is as it
 * was. */
static mvfs *tracked(struct world *w)
{
	const struct mvfs_crash_options options = {
		.size = sizeof(options),
		.failed_fsync = MVFS_CRASH_FORGOTTEN,
	};
	uint64_t before = mvfs__mem_thread.allocations;
	uint64_t fail_at = mvfs__mem_thread.fail_at;

	const struct mvfs_time now = w->now;

	mvfs__mem_fail_at(0);
	w->now = (struct mvfs_time){ 1000, 1, 0 };
	if (mvfs_crash_start(w->fs, &options) ||
	    mvfs_write_file(w->fs, "/d/made", block, 2048) ||
	    mvfs_rename(w->fs, "/d/made", "/d/doubt") ||
	    mvfs_mkdir(w->fs, "/d/made", 0700) ||
	    mvfs_fsync(w->fs, FD_EMPTY) ||
	    mvfs_rmdir(w->fs, "/d/made") ||
	    mvfs_unlink(w->fs, "/d/doubt"))
		abort();
	w->now = now;
	if (fail_at)
		mvfs__mem_fail_at(fail_at - before);
	return w->fs;
}

static const struct mvfs_crash_options torn = {
	.size = sizeof(torn), .policy = MVFS_CRASH_POSIX,
	.data = MVFS_CRASH_TORN, .max_states = 4,
};

static int note_crash(void *ctx, mvfs *after,
		      const struct mvfs_crash_state *state)
{
	struct world *w = ctx;

	(void)after;
	w->walked += state->point;
	return 0;
}

static int note_fault(void *ctx, const struct mvfs_fault *fault)
{
	struct world *w = ctx;

	w->walked += fault->id;
	return 0;
}

static int note_call(void *ctx, const struct mvfs_log_entry *entry)
{
	struct world *w = ctx;

	w->walked += entry->number;
	return 0;
}

static void note_report(void *ctx, const struct mvfs_report *report)
{
	struct world *w = ctx;

	w->walked = hash_bytes(w->walked, report->line, strlen(report->line));
}

/* That a report is lost without memory is no failure of the call. */
static void note_nothing(void *ctx, const struct mvfs_report *report)
{
	(void)ctx;
	(void)report;
}

/* Its file system with reports, and FD_NEXT closed once; and as it is, but
 * opening in a place. */
static mvfs *reported(struct world *w)
{
	uint64_t before = mvfs__mem_thread.allocations;
	uint64_t fail_at = mvfs__mem_thread.fail_at;

	mvfs__mem_fail_at(0);
	if (mvfs_set_report(w->fs, 0, note_nothing, NULL) ||
	    mvfs_dup(w->fs, FD_EMPTY) != FD_NEXT || mvfs_close(w->fs, FD_NEXT))
		abort();
	if (fail_at)
		mvfs__mem_fail_at(fail_at - before);
	return w->fs;
}

/* Its file system, telling of strings. */
static mvfs *holding(struct world *w)
{
	uint64_t before = mvfs__mem_thread.allocations;
	uint64_t fail_at = mvfs__mem_thread.fail_at;

	mvfs__mem_fail_at(0);
	if (mvfs_set_report(w->fs, MVFS_REPORT_STRINGS, note_nothing, NULL))
		abort();
	if (fail_at)
		mvfs__mem_fail_at(fail_at - before);
	return w->fs;
}

static mvfs *placed(struct world *w)
{
	(void)mvfs_here("here");
	return w->fs;
}

static int64_t read_stream(struct world *w, const char *path)
{
	struct mvfs_data_in in;
	int rc = mvfs_data_in_file(&in, w->fs, path);

	if (!rc)
		mvfs_data_in_close(&in);
	return rc;
}

static const struct mvfs_string modified = {
	"\0\5ab\xc0\x80" "c\n", 8, 0, NULL
};
#define CALL_ON_OUT(id, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		struct mvfs_data_out out = { 0 }; \
		int rc = function(&out, __VA_ARGS__); \
		\
		(void)w; \
		mvfs_data_out_close(&out); \
		return rc; \
	}
#define CALL_ON_FILLED(id, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		struct mvfs_data_out out = { 0 }; \
		int rc; \
		\
		fill(&out); \
		rc = function(&out, __VA_ARGS__); \
		mvfs_data_out_close(&out); \
		return rc; \
	}
#define CALL_ON_FILE(id, fd, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		struct mvfs_data_out out; \
		int rc = mvfs_data_do_open(&out, w->fs, fd), rc2; \
		\
		if (rc) \
			return rc; \
		rc = function(&out, __VA_ARGS__); \
		rc2 = mvfs_data_do_close(&out); \
		return rc ? rc : rc2; \
	}
#define CALL_ON_IN(id, function, ...) \
	static int64_t call_##id(struct world *w) \
	{ \
		struct mvfs_data_in in; \
		int rc = mvfs_data_in_string(&in, &modified); \
		\
		if (!rc) \
			rc = function(&in, __VA_ARGS__); \
		mvfs_data_in_close(&in); \
		return rc; \
	}
#include "tests/nomem/calls_data.h"
#include "tests/nomem/calls_file.h"
#include "tests/nomem/calls_instance.h"
#include "tests/nomem/calls_memory.h"
#include "tests/nomem/calls_path.h"
#include "tests/nomem/calls_sys.h"
#include "tests/nomem/calls_whole.h"
#undef CALL
#undef CALL_THEN
#undef LOOK
#undef LOOK_STRING
#undef LOOK_POINTER
#undef CALL_BIG
#undef CALL_RESUMES
#undef CALL_RESUMES_THEN
#undef CALL_ENDS_LISTING
#undef CALL_VOID
#undef CALL_PLACED
#undef CALL_VOID_THEN
#undef CALL_STRING
#undef CALL_POINTER
#undef CALL_MEMORY
#undef CALL_STREAM
#undef CALL_IN_ARENA
#undef CALL_ON_OUT
#undef CALL_ON_FILLED
#undef CALL_ON_FILE
#undef CALL_ON_IN
#undef CALL_IN_FRAME

#define ROW(id, name, ...) \
	{ .function = #name, .label = #id, .call = call_##id, __VA_ARGS__ },
#define CALL(id, function, ...) ROW(id, function, .big = false)
#define CALL_THEN(id, then, function, ...) CALL(id, function, )
#define LOOK(id, function, ...) ROW(id, function, .looks = true)
#define LOOK_STRING LOOK
#define LOOK_POINTER LOOK
#define CALL_BIG(id, function, ...) ROW(id, function, .big = true)
#define CALL_RESUMES(id, function, ...) ROW(id, function, .resumes = true)
#define CALL_RESUMES_THEN(id, then, function, ...) \
	CALL_RESUMES(id, function, )
#define CALL_ENDS_LISTING(id, function, ...) \
	ROW(id, function, .ends_listing = true)
#define CALL_VOID CALL
#define CALL_PLACED(id, function, ...) CALL(id, function, )
#define CALL_VOID_THEN CALL_THEN
#define CALL_STRING CALL
#define CALL_POINTER CALL
#define CALL_MEMORY CALL
#define CALL_STREAM CALL
#define CALL_IN_ARENA LOOK
#define CALL_ON_OUT LOOK
#define CALL_ON_FILLED CALL
#define CALL_ON_FILE(id, fd, function, ...) CALL(id, function, )
#define CALL_ON_IN LOOK
#define CALL_IN_FRAME LOOK

const struct row rows[] = {
#include "tests/nomem/calls_data.h"
#include "tests/nomem/calls_file.h"
#include "tests/nomem/calls_instance.h"
#include "tests/nomem/calls_memory.h"
#include "tests/nomem/calls_path.h"
#include "tests/nomem/calls_sys.h"
#include "tests/nomem/calls_whole.h"
};

const size_t row_count = sizeof(rows) / sizeof(rows[0]);

const struct exempt exempt[] = {
	{ "mvfs_version", "static" },
	{ "mvfs_fileno", "looks up what is there" },
	{ "mvfs_io", "two pointers; its calls are in rows of their own" },
	{ "mvfs_io_host", "two pointers, to the host" },
	{ "mvfs_unroute", "is what the rows of routes end with" },
	{ "mvfs_redirect_path", "looks up, in the caller's memory" },
	{ "mvfs_redirect_fd", "looks up" },
	{ "mvfs_redirect_fileno", "looks up" },
	{ "mvfs_redirect_chdir", "copies a path" },
	{ "mvfs_redirect_fchdir", "is mvfs_view(), mvfs_fchdir() and that" },
	{ "mvfs_redirect_getcwd", "copies a path" },
	{ "mvfs_redirect_realpath", "is mvfs_realpath()" },
	{ "mvfs_redirect_umask", "is mvfs_umask()" },
	{ "mvfs_stats", "the caller's memory" },
	{ "mvfs_string_hash", "of 64 bits, not a result" },
	{ "mvfs_errno_name", "static" },
	{ "mvfs_errno_number", "static" },
	{ "mvfs_charset", "NULL without memory, as for an unknown name: see "
	  "unit_text_iconv" },
	{ "mvfs_charset_name", "static" },
	{ "mvfs_charset_is_ascii_compatible", "static" },
	{ "mvfs_text_kernels", "static" },
	{ "mvfs_arena_free", "frees" },
	{ "mvfs_data_do_size", "counts" },
	{ "mvfs_data_do_reset", "moves a pointer" },
	{ "mvfs_data_do_flush", "is what the rows of files close with" },
	{ "mvfs_data_do_open", "is what the rows of files begin with" },
	{ "mvfs_data_do_close", "is what each row ends with" },
	{ "mvfs_data_in_file", "is read_stream() of the rows" },
	{ "mvfs_data_in_string", "is what the rows that read begin with" },
	{ "mvfs_data_in_close", "frees" },
	{ "mvfs_data_in_seek", "moves a pointer" },
	{ "mvfs_data_get_bytes", "copies to the caller's memory" },
	{ "mvfs_data_get_array", "copies to the caller's memory" },
	{ "mvfs_scratch_open", "takes a place that is there" },
	{ "mvfs_scratch_free", "frees" },
};

const size_t exempt_count = sizeof(exempt) / sizeof(exempt[0]);

void rows_prepare(void)
{
	size_t i;

	(void)cyrillic();
	(void)korean();
	for (i = 0; i < sizeof(block); i++)
		block[i] = (char)('a' + i % 26);
	for (i = 0; i < sizeof(big); i++)
		big[i] = (char)('A' + i % 23);
	for (i = 0; i < MANY; i++)
		many_pieces[i] = (struct mvfs_iovec){ block + i, 10 };
}
