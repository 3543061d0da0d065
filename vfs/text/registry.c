/* SPDX-License-Identifier: MIT */
/*
 * Charsets by name: those of the library, then those of iconv(3).
 *
 * Names are compared as Unicode's UTS #22 has it: letters and digits only,
 * case ignored, so that "utf8", "UTF-8" and "utf_8" are one name. Other
 * bytes than ASCII punctuation are not ignored: a name with them is unknown,
 * and so is one with a '/' or ',', by which iconv_open() would be told to
 * leave out or to make up characters.
 *
 * A charset of iconv's is made when its name is first asked for, and stays.
 * Every name that was found is noted in a table that only grows: it is read
 * without a lock, and written under the mutex. The C library knows so many
 * names, no more; only what it knows is noted, and no more than NAMES_MAX.
 */
#include "config.h"

#include "vfs/text/iconv.h"

#include <pthread.h>

#include "vfs/mem/mem.h"

#define NAMES_MAX 2048
#define BUCKETS 128

/* Spellings of a name that are tried, or names of one charset. */
#define SPELLINGS_MAX 16

static const struct mvfs_charset *const charsets[] = {
	&mvfs__charset_utf8,
	&mvfs__charset_ascii,
	&mvfs__charset_latin1,
	&mvfs__charset_gbk,
	&mvfs__charset_utf16le,
	&mvfs__charset_utf16be,
	&mvfs__charset_utf16,
};

struct noted {
	struct noted *next;
	const struct mvfs_charset *charset;
	char name[]; /* folded */
};

static struct noted *_Atomic buckets[BUCKETS];
static unsigned names; /* that are noted; under the mutex */

/* Held for making charsets, and for iconv_open() and iconv_close(). */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void lock(void)
{
	pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

/* Nothing is taken under the mutex but what the C library takes. */
static void install(void)
{
	(void)pthread_atfork(lock, unlock, unlock);
}

iconv_t mvfs__iconv_open(const char *spelling, bool encode)
{
	iconv_t cd;

	lock();
	cd = iconv_open(encode ? spelling : "UTF-8",
			encode ? "UTF-8" : spelling);
	unlock();
	return cd;
}

void mvfs__iconv_close(iconv_t cd)
{
	lock();
	iconv_close(cd);
	unlock();
}

static bool is_letter_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9');
}

static char to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

bool mvfs__charset_fold(const char *name,
			char folded[MVFS__CHARSET_NAME_MAX + 1])
{
	size_t n = 0;

	for (; *name; name++) {
		if (*name & 0x80 || *name == '/' || *name == ',')
			return false;
		if (!is_letter_or_digit(*name))
			continue;
		if (n == MVFS__CHARSET_NAME_MAX)
			return false;
		folded[n++] = to_lower(*name);
	}
	folded[n] = 0;
	return n > 0;
}

static bool is_name(const char *name, const char *folded)
{
	for (; *name; name++) {
		if (!is_letter_or_digit(*name))
			continue;
		if (to_lower(*name) != *folded++)
			return false;
	}
	return !*folded;
}

static const struct mvfs_charset *find_built_in(const char *folded)
{
	const char *const *alias;
	size_t i;

	for (i = 0; i < sizeof(charsets) / sizeof(*charsets); i++) {
		if (is_name(charsets[i]->name, folded))
			return charsets[i];
		for (alias = charsets[i]->aliases; *alias; alias++)
			if (is_name(*alias, folded))
				return charsets[i];
	}
	return NULL;
}

static struct noted *_Atomic *bucket_of(const char *folded)
{
	unsigned hash = 0;

	while (*folded)
		hash = hash * 31 + (unsigned char)*folded++;
	return &buckets[hash % BUCKETS];
}

static const struct mvfs_charset *find_noted(const char *folded)
{
	const struct noted *n = atomic_load_explicit(bucket_of(folded),
						     memory_order_acquire);

	while (n && strcmp(n->name, folded) != 0)
		n = n->next;
	return n ? n->charset : NULL;
}

/* Room for one more name, for note(); NULL without memory. */
static struct noted *new_noted(const char *folded)
{
	struct noted *n = mvfs__malloc(sizeof(*n) + strlen(folded) + 1);

	if (n)
		memcpy(n->name, folded, strlen(folded) + 1);
	return n;
}

static void note(struct noted *n, const struct mvfs_charset *charset)
{
	struct noted *_Atomic *bucket = bucket_of(n->name);

	n->charset = charset;
	n->next = atomic_load_explicit(bucket, memory_order_relaxed);
	atomic_store_explicit(bucket, n, memory_order_release);
	names++;
}

/* Punctuation by which the C library may know a name. */
static const char *respelled(char to[MVFS__CHARSET_NAME_MAX + 1],
			     const char *name, char punctuation)
{
	size_t n = 0;

	for (; *name && n < MVFS__CHARSET_NAME_MAX; name++)
		if (is_letter_or_digit(*name))
			to[n++] = *name;
		else if (punctuation)
			to[n++] = punctuation;
	to[n] = 0;
	return to;
}

/* A name that is nowhere listed: as it is, and with other punctuation. */
static struct mvfs__iconv *make_as_spelled(const char *name)
{
	char with_hyphens[MVFS__CHARSET_NAME_MAX + 1];
	char with_lines[MVFS__CHARSET_NAME_MAX + 1];
	char without[MVFS__CHARSET_NAME_MAX + 1];
	const char *const spellings[] = {
		name,
		respelled(with_hyphens, name, '-'),
		respelled(with_lines, name, '_'),
		respelled(without, name, 0),
		NULL
	};

	return mvfs__iconv_make(NULL, spellings);
}

/* One that is: `listed` has all its names, the preferred one first. */
static struct mvfs__iconv *make_as_listed(const char *listed)
{
	const char *spellings[SPELLINGS_MAX + 1];
	char buffer[512], *name, *rest;
	size_t n = 0;

	assert(strlen(listed) < sizeof(buffer));
	memcpy(buffer, listed, strlen(listed) + 1);
	for (name = strtok_r(buffer, " ", &rest); name && n < SPELLINGS_MAX;
	     name = strtok_r(NULL, " ", &rest))
		spellings[n++] = name;
	spellings[n] = NULL;
	return mvfs__iconv_make(spellings[0], spellings);
}

/* The name under which a listed charset is noted first. */
static void fold_first(const char *listed,
		       char folded[MVFS__CHARSET_NAME_MAX + 1])
{
	char first[MVFS__CHARSET_NAME_MAX + 1];
	size_t n = strcspn(listed, " ");
	bool folds;

	assert(n <= MVFS__CHARSET_NAME_MAX);
	memcpy(first, listed, n);
	first[n] = 0;
	folds = mvfs__charset_fold(first, folded);
	assert(folds);
	(void)folds;
}

/* Under the mutex: by its first name, which is not what was asked for. */
static const struct mvfs_charset *find_or_make_listed(const char *listed,
						      const char *first)
{
	const struct mvfs_charset *charset = find_noted(first);
	struct mvfs__iconv *made;
	struct noted *n;

	if (charset)
		return charset;
	n = new_noted(first);
	if (!n)
		return NULL;
	made = make_as_listed(listed);
	if (!made) {
		mvfs__free(n);
		return NULL;
	}
	note(n, &made->cs);
	return &made->cs;
}

/* Under the mutex; `n` is noted, or freed. */
static const struct mvfs_charset *find_or_make(const char *name,
					       struct noted *n)
{
	const struct mvfs_charset *charset = find_noted(n->name);
	const char *listed = mvfs__iana_names(n->name);
	char first[MVFS__CHARSET_NAME_MAX + 1] = "";
	struct mvfs__iconv *made = NULL;

	if (charset || names + 2 > NAMES_MAX) {
		mvfs__free(n);
		return charset;
	}
	if (listed)
		fold_first(listed, first);
	if (listed && strcmp(first, n->name) != 0) {
		charset = find_or_make_listed(listed, first);
	} else {
		made = listed ? make_as_listed(listed) : make_as_spelled(name);
		charset = made ? &made->cs : NULL;
	}
	if (charset)
		note(n, charset);
	else
		mvfs__free(n);
	return charset;
}

const struct mvfs_charset *mvfs__charset_find(const char *name)
{
	char folded[MVFS__CHARSET_NAME_MAX + 1];
	const struct mvfs_charset *charset;
	struct noted *n;

	if (!mvfs__charset_fold(name, folded))
		return NULL;
	/* no name of a built-in one is ever noted */
	charset = find_noted(folded);
	if (!charset)
		charset = find_built_in(folded);
	if (charset)
		return charset;
	/*
	 * Before the mutex: a thread's first allocation takes a lock that
	 * forks take, too, and no thread may wait for that under ours.
	 */
	n = new_noted(folded);
	if (!n)
		return NULL;
	pthread_once(&once, install);
	lock();
	charset = find_or_make(name, n);
	unlock();
	return charset;
}
