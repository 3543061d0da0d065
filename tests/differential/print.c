/* SPDX-License-Identifier: MIT */
/* A sequence of operations as C: the call of each, and a test of all. */
#include "config.h"

#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

MVFS_PRINTF(2, 3)
static void put(struct text *text, const char *format, ...)
{
	va_list args;
	int len;

	if (text->capacity - text->len < 8192) {
		text->capacity += 16384;
		text->data = realloc(text->data, text->capacity);
		if (!text->data)
			abort();
	}
	va_start(args, format);
	len = vsnprintf(text->data + text->len, text->capacity - text->len,
			format, args);
	va_end(args);
	text->len += (size_t)len;
}

static void put_string(struct text *text, const char *s)
{
	size_t len = strlen(s), run = strspn(s, "n");

	if (len > 300 && run > 300 && run == len) {
		put(text, "repeat(\"n\", %zu)", len);
		return;
	}
	put(text, "\"");
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			put(text, "\\%c", *s);
		else if (*s < ' ' || *s == 127)
			put(text, "\\%03o", (unsigned char)*s);
		else
			put(text, "%c", *s);
	}
	put(text, "\"");
}

struct word {
	int value;
	const char *name;
};

static void put_words(struct text *text, int flags, const struct word *words,
		      const char *zero)
{
	const char *between = "";

	for (; words->name; words++)
		if ((flags & words->value) == words->value) {
			put(text, "%s%s", between, words->name);
			between = " | ";
			flags &= ~words->value;
		}
	if (flags)
		put(text, "%s0x%x", between, (unsigned)flags);
	else if (!*between)
		put(text, "%s", zero);
}

static void put_open_flags(struct text *text, int flags)
{
	static const char *const access[] = { "O_RDONLY", "O_WRONLY", "O_RDWR",
					      "O_ACCMODE" };
	static const struct word words[] = {
		{ O_TMPFILE, "O_TMPFILE" },   { O_CREAT, "O_CREAT" },
		{ O_EXCL, "O_EXCL" },	      { O_TRUNC, "O_TRUNC" },
		{ O_APPEND, "O_APPEND" },     { O_NOFOLLOW, "O_NOFOLLOW" },
		{ O_DIRECTORY, "O_DIRECTORY" }, { O_PATH, "O_PATH" },
		{ O_CLOEXEC, "O_CLOEXEC" },   { O_NONBLOCK, "O_NONBLOCK" },
		{ O_SYNC, "O_SYNC" },	      { O_DSYNC, "O_DSYNC" },
		{ O_NOCTTY, "O_NOCTTY" },     { 0, NULL }
	};

	put(text, "%s", access[flags & O_ACCMODE]);
	if (flags & ~O_ACCMODE) {
		put(text, " | ");
		put_words(text, flags & ~O_ACCMODE, words, "0");
	}
}

static void put_flags(struct text *text, const struct op *op)
{
	static const struct word at[] = {
		{ AT_SYMLINK_NOFOLLOW, "AT_SYMLINK_NOFOLLOW" },
		{ AT_SYMLINK_FOLLOW, "AT_SYMLINK_FOLLOW" },
		{ AT_EMPTY_PATH, "AT_EMPTY_PATH" },
		{ 0, NULL }
	};
	static const struct word access[] = {
		{ AT_SYMLINK_NOFOLLOW, "AT_SYMLINK_NOFOLLOW" },
		{ AT_EACCESS, "AT_EACCESS" },
		{ AT_EMPTY_PATH, "AT_EMPTY_PATH" },
		{ 0, NULL }
	};
	static const struct word unlink[] = { { AT_REMOVEDIR, "AT_REMOVEDIR" },
					      { 0, NULL } };
	static const struct word rename[] = { { 1, "MVFS_RENAME_NOREPLACE" },
					      { 2, "MVFS_RENAME_EXCHANGE" },
					      { 0, NULL } };

	put_words(text, op->flags,
		  op->code == OP_RENAMEAT    ? rename
		  : op->code == OP_UNLINKAT  ? unlink
		  : op->code == OP_ACCESSAT  ? access
					     : at,
		  "0");
}

static void put_whence(struct text *text, int whence)
{
	static const char *const names[] = { "SEEK_SET", "SEEK_CUR",
					     "SEEK_END", "SEEK_DATA",
					     "SEEK_HOLE" };

	if (whence >= 0 && whence < 5)
		put(text, "%s", names[whence]);
	else
		put(text, "%d", whence);
}

static void put_dirfd(struct text *text, int fd)
{
	if (fd == AT_FDCWD)
		put(text, "MVFS_AT_FDCWD");
	else
		put(text, "%d", fd);
}

static void put_times(struct text *text, const struct op *op)
{
	int i;

	if (op->null_times) {
		put(text, "NULL");
		return;
	}
	put(text, "times(");
	for (i = 0; i < 2; i++) {
		const struct mvfs_time *t = &op->times[i];

		put(text, "%s%" PRId64 ", ", i ? ", " : "", t->sec);
		if (t->nsec == MVFS_TIME_NOW)
			put(text, "MVFS_TIME_NOW");
		else if (t->nsec == MVFS_TIME_OMIT)
			put(text, "MVFS_TIME_OMIT");
		else
			put(text, "%d", t->nsec);
	}
	put(text, ")");
}

static void put_lock(struct text *text, const struct op *op)
{
	static const char *const types[] = { "F_RDLCK", "F_WRLCK", "F_UNLCK" };

	put(text, "lock(");
	if (op->mode < 3)
		put(text, "%s, ", types[op->mode]);
	else
		put(text, "%u, ", op->mode);
	put_whence(text, op->whence);
	put(text, ", %" PRId64 ", %" PRId64 ")", op->off, op->len);
}

static void put_offset(struct text *text, int64_t offset, bool none)
{
	if (none)
		put(text, "NULL");
	else
		put(text, "&(int64_t){ %" PRId64 " }", offset);
}

static void put_argument(struct text *text, const struct op *op, char letter)
{
	static const struct word fallocate[] = {
		{ 1, "MVFS_KEEP_SIZE" }, { 2, "MVFS_PUNCH_HOLE" },
		{ 16, "MVFS_ZERO_RANGE" }, { 0, NULL }
	};
	static const struct word flocks[] = {
		{ LOCK_SH, "LOCK_SH" }, { LOCK_EX, "LOCK_EX" },
		{ LOCK_UN, "LOCK_UN" }, { LOCK_NB, "LOCK_NB" }, { 0, NULL }
	};

	switch (letter) {
	case 'v':
		put(text, op->user ? "as[%u]" : "fs", op->user);
		return;
	case 'p':
		put_string(text, op->path[0]);
		return;
	case 'q':
		put_string(text, op->path[1]);
		return;
	case 't':
		put_string(text, op->target);
		return;
	case 'n':
		put_string(text, op->name);
		return;
	case 'a':
	case 'f':
		put_dirfd(text, op->fd[0]);
		return;
	case 'b':
	case 'g':
	case 'd':
		put_dirfd(text, op->fd[1]);
		return;
	case 'O':
		put_open_flags(text, op->flags);
		return;
	case 'A':
		put_flags(text, op);
		return;
	case 'M':
		put_words(text, op->flags, fallocate, "0");
		return;
	case 'j':
		put_words(text, op->flags, flocks, "0");
		return;
	case 'm':
		put(text, "0%o", op->mode);
		return;
	case 'r':
		put(text, "%u", op->mode);
		return;
	case 'u':
		put(text, "%d", (int)op->uid);
		return;
	case 'i':
		put(text, "%d", (int)op->gid);
		return;
	case 'o':
		put(text, "%" PRId64, op->off);
		return;
	case 'w':
		put_whence(text, op->whence);
		return;
	case 'l':
		put(text, "%" PRId64, op->len);
		return;
	case 'B':
		put(text, "data(%" PRId64 ", %u)", op->len, op->fill);
		return;
	case 'R':
		put(text, "buffer");
		return;
	case 'V':
		put(text, "pieces(%d, data(%" PRId64 ", %u)), %d", op->count,
		    op->len, op->fill, op->count);
		return;
	case 'W':
		put(text, "pieces(%d, buffer), %d /* %" PRId64 " in all */",
		    op->count, op->count, op->len);
		return;
	case 'x':
		put(text, "data(%" PRId64 ", %u), %" PRId64, op->len, op->fill,
		    op->len);
		return;
	case 'X':
	case 'K':
	case 'z':
		put(text, "%d", op->xflags);
		return;
	case 'T':
		put_times(text, op);
		return;
	case 'y':
		put(text, "0x%" PRIx64, op->rdev);
		return;
	case 'k':
		put_lock(text, op);
		return;
	case 'c':
		put_offset(text, op->off, op->no_off);
		put(text, ", ");
		put_offset(text, op->off2, op->no_off2);
		return;
	case 's':
		put(text, op->flags ? "&old /* go on with fs */"
				    : "&fs /* go on with the clone */");
		return;
	}
}

void op_print(const struct op *op, struct text *text)
{
	const char *call = op_calls[op->code];

	if (op->code == OP_COPY_RANGE) {
		put(text, "mvfs_copy_file_range(");
		put_argument(text, op, 'v');
		put(text, ", %d, ", op->fd[0]);
		put_offset(text, op->off, op->no_off);
		put(text, ", %d, ", op->fd[1]);
		put_offset(text, op->off2, op->no_off2);
		put(text, ", %" PRId64 ", %d)", op->len, op->xflags);
		return;
	}
	for (; *call; call++)
		if (*call == '$')
			put_argument(text, op, *++call);
		else
			put(text, "%c", *call);
}

static void put_result(struct text *text, int64_t ret)
{
	const char *name = ret < 0 && ret > -4096
				   ? mvfs_errno_name((int)-ret)
				   : NULL;

	if (name)
		put(text, "-%s", name);
	else
		put(text, "%" PRId64, ret);
}

static void put_comment(struct text *text, char *lines)
{
	char *line, *state;

	put(text, "\t/*\n");
	for (line = strtok_r(lines, "\n", &state); line;
	     line = strtok_r(NULL, "\n", &state))
		put(text, "\t * %s\n", line);
	put(text, "\t */\n");
}

static void put_users(struct text *text, const struct op *ops, size_t count)
{
	bool used[USERS] = { false };
	unsigned user;
	size_t i;

	for (i = 0; i < count; i++)
		used[ops[i].user] = true;
	for (user = 1; user < USERS; user++)
		if (used[user])
			put(text, "\t/* as[%u]: uid %u, gid %u, groups %u of "
			    "%u %u */\n", user, several_users[user].uid,
			    several_users[user].gid,
			    several_users[user].group_count,
			    several_users[user].groups[0],
			    several_users[user].groups[1]);
}

void print_test(struct engine *engine, const struct op *ops, size_t count,
		uint64_t seed)
{
	struct text text = { 0 };
	size_t i, found;

	put(&text, "/* tests/oracle --seed %" PRIu64 "; results are %s's */\n"
	    "START_TEST(test_oracle_%" PRIu64 ")\n{\n", seed,
	    engine->differ.names[0], seed);
	put_users(&text, ops, count);
	engine_reset(engine);
	engine->every = 1;
	for (i = 0, found = count; i < count && found == count; i++) {
		if (!engine_step(engine, &ops[i]))
			found = i;
		put(&text, "\tck_assert_int_eq(");
		op_print(&ops[i], &text);
		put(&text, ", ");
		put_result(&text, engine->reports[0]->result.ret);
		put(&text, ");\n");
	}
	if (engine->differ.found)
		put_comment(&text, engine->differ.text);
	put(&text, "}\nEND_TEST\n");
	fwrite(text.data, 1, text.len, stdout);
	free(text.data);
}
