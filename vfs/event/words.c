/* SPDX-License-Identifier: MIT */
/* Words, and the names of calls: see words.h. */
#include "config.h"

#include "vfs/event/words.h"

#define BIT(kind) MVFS__OP_BIT(MVFS__OP_##kind)

#define READS (BIT(READ) | BIT(READ_STRING))
#define WRITES (BIT(WRITE) | BIT(WRITE_FILE))
#define DATA (READS | WRITES | BIT(COPY_RANGE) | BIT(FALLOCATE) | \
	      BIT(TRUNCATE))
#define NAMES (BIT(LINK) | BIT(MKDIR) | BIT(MKNOD) | BIT(RENAME) | \
	       BIT(RMDIR) | BIT(SYMLINK) | BIT(UNLINK))
#define ATTRS (BIT(CHMOD) | BIT(CHOWN) | BIT(UTIMENS) | BIT(SETXATTR) | \
	       BIT(REMOVEXATTR))
#define ALL (MVFS__OP_BIT(MVFS__OPS) - 1)

/* Those that are told aside, to neither rules nor logs, have none. */
static const char *const names[MVFS__OPS] = {
	[MVFS__OP_ACCESS] = "access",
	[MVFS__OP_CHMOD] = "chmod",
	[MVFS__OP_CHOWN] = "chown",
	[MVFS__OP_CLOSE] = "close",
	[MVFS__OP_COPY_RANGE] = "copy_range",
	[MVFS__OP_FALLOCATE] = "fallocate",
	[MVFS__OP_FSYNC] = "fsync",
	[MVFS__OP_GETXATTR] = "getxattr",
	[MVFS__OP_LINK] = "link",
	[MVFS__OP_LIST] = "list",
	[MVFS__OP_LISTXATTR] = "listxattr",
	[MVFS__OP_LOCK] = "lock",
	[MVFS__OP_LOOKUP] = "lookup",
	[MVFS__OP_LSEEK] = "lseek",
	[MVFS__OP_MKDIR] = "mkdir",
	[MVFS__OP_MKNOD] = "mknod",
	[MVFS__OP_OPEN] = "open",
	[MVFS__OP_READ] = "read",
	[MVFS__OP_READLINK] = "readlink",
	[MVFS__OP_READ_STRING] = "read_string",
	[MVFS__OP_REMOVEXATTR] = "removexattr",
	[MVFS__OP_RENAME] = "rename",
	[MVFS__OP_RMDIR] = "rmdir",
	[MVFS__OP_SETATTR] = "setfl",
	[MVFS__OP_SETXATTR] = "setxattr",
	[MVFS__OP_STAT] = "stat",
	[MVFS__OP_STATFS] = "statfs",
	[MVFS__OP_SYMLINK] = "symlink",
	[MVFS__OP_SYNC] = "sync",
	[MVFS__OP_TRUNCATE] = "truncate",
	[MVFS__OP_UNLINK] = "unlink",
	[MVFS__OP_UTIMENS] = "utimens",
	[MVFS__OP_WRITE] = "write",
	[MVFS__OP_WRITE_FILE] = "write_file",
};

/* Groups, and other names of the same calls; before those above. */
static const struct {
	const char *name;
	uint64_t kinds;
} others[] = {
	{ "all", ALL },
	{ "append_string", BIT(WRITE_FILE) },
	{ "attrs", ATTRS },
	{ "chdir", BIT(LOOKUP) },
	{ "clone_file", BIT(COPY_RANGE) },
	{ "creat", BIT(OPEN) },
	{ "data", DATA },
	{ "dup", BIT(OPEN) },
	{ "fchmod", BIT(CHMOD) },
	{ "fchown", BIT(CHOWN) },
	{ "fdatasync", BIT(FSYNC) },
	{ "flock", BIT(LOCK) },
	{ "fread_string", BIT(READ_STRING) },
	{ "fstat", BIT(STAT) },
	{ "ftruncate", BIT(TRUNCATE) },
	{ "futimens", BIT(UTIMENS) },
	{ "getlk", BIT(LOCK) },
	{ "lchown", BIT(CHOWN) },
	{ "lstat", BIT(STAT) },
	{ "names", NAMES },
	{ "opendir", BIT(LIST) },
	{ "pread", READS },
	{ "preadv", READS },
	{ "pwrite", WRITES },
	{ "pwritev", WRITES },
	{ "read", READS },
	{ "read_file", BIT(READ_STRING) },
	{ "read_lines", BIT(READ_STRING) },
	{ "readv", READS },
	{ "realpath", BIT(LOOKUP) },
	{ "setlk", BIT(LOCK) },
	{ "write", WRITES },
	{ "write_adopt", BIT(WRITE_FILE) },
	{ "write_string", BIT(WRITE_FILE) },
	{ "writev", WRITES },
};

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

struct mvfs__word mvfs__word_next(const char **at, const char *end)
{
	struct mvfs__word word;

	while (*at < end && is_blank(**at))
		++*at;
	word.at = *at;
	while (*at < end && !is_blank(**at))
		*at += **at == '\\' && *at + 1 < end ? 2 : 1;
	word.len = (size_t)(*at - word.at);
	return word;
}

bool mvfs__word_value(struct mvfs__word *word, const char *key)
{
	size_t len = strlen(key);

	if (word->len < len || memcmp(word->at, key, len) != 0)
		return false;
	word->at += len;
	word->len -= len;
	return true;
}

bool mvfs__word_number(struct mvfs__word word, uint64_t *number)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < word.len; i++)
		if (word.at[i] < '0' || word.at[i] > '9' ||
		    __builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (unsigned)(word.at[i] - '0'),
					   &n))
			return false;
	if (word.len)
		*number = n;
	return word.len;
}

const char *mvfs__op_name(enum mvfs__op_kind kind)
{
	assert(kind < MVFS__OPS && names[kind]);
	return names[kind];
}

uint64_t mvfs__op_set(struct mvfs__word name)
{
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (mvfs__word_is(name, others[i].name))
			return others[i].kinds;
	for (i = 0; i < MVFS__OPS; i++)
		if (names[i] && mvfs__word_is(name, names[i]))
			return MVFS__OP_BIT(i);
	return 0;
}

uint64_t mvfs__op_sets(struct mvfs__word list, struct mvfs__word *wrong)
{
	const char *at = list.at, *end = list.at + list.len, *comma;
	uint64_t kinds = 0, set;
	struct mvfs__word name;

	do {
		comma = memchr(at, ',', (size_t)(end - at));
		name.at = at;
		name.len = (size_t)((comma ? comma : end) - at);
		set = mvfs__op_set(name);
		if (!set) {
			*wrong = name;
			return 0;
		}
		kinds |= set;
		at = comma + 1;
	} while (comma);
	return kinds;
}
