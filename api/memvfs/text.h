/* SPDX-License-Identifier: MIT */
/*
 * Owned strings, and text that becomes bytes and back.
 *
 * A string stays valid and unchanged whatever happens to the file that it was
 * read from, or to the instance: its owner keeps the bytes. Strings are UTF-8
 * unless a call says "bytes"; they may hold zeros, so `len` counts. One struct
 * is for one thread at a time; strings that share an owner are each on
 * whichever thread.
 *
 * Text is UTF-8 as Unicode has it (table 3-7): no overlong form, no surrogate,
 * nothing above U+10FFFF. What is not text in its charset is an error, or
 * U+FFFD where the caller says so; nothing is ever left out. The offending
 * bytes are counted by Unicode's rule of maximal subparts (section 3.9): those
 * that could have become a character, or one byte. In charsets of several
 * bytes a pair that is well-formed and has no character is unmappable as such;
 * a byte that cannot follow the first is not counted, and may be a line's end.
 * With the C library's charsets all of that is found out by trying.
 */
#ifndef MEMVFS_TEXT_H
#define MEMVFS_TEXT_H

#include <memvfs/charset.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Flag of a string: data[len] is a 0 that stays there. Without it, what is
 * behind the bytes is not the string's and must not be read.
 *
 * @since 0.1.0
 */
#define MVFS_STRING_TERMINATED 1u

/*
 * Flag of a string: all its bytes are known to be below 0x80. Without it they
 * may be all the same, if nobody had to look: in bytes that were not decoded,
 * and in a string that is a part of a longer text.
 *
 * @since 0.1.0
 */
#define MVFS_STRING_ASCII 2u

/*
 * Flag of a string: nothing was copied to make it; its bytes are the very
 * bytes of the file, of which it holds a reference.
 *
 * @since 0.1.0
 */
#define MVFS_STRING_SHARED 4u

/*
 * A string, by value. Whoever gets one from a call owns it, and releases it
 * once with mvfs_string_release(). {0} is an empty string.
 *
 * To pass bytes of one's own to a call that takes a string, set `data` and
 * `len` and leave the rest 0: such a string is not released.
 *
 * @since 0.1.0
 */
struct mvfs_string {
	const char *data; /* never NULL in a string that a call returned */
	size_t len;       /* in bytes; a 0 behind them is not counted */
	unsigned flags;   /* MVFS_STRING_* */
	void *owner;      /* what keeps the bytes, not to be touched; NULL:
			   * they are static */
};

/*
 * Gives up the string: the bytes are freed with the last one that refers to
 * them, be it a string or a file. Any thread may do it, also after the
 * instance has ended. The struct is {0} afterwards, so that releasing it twice
 * is harmless; NULL is fine, too. Where the bytes were adopted, this may call
 * the function that frees them.
 *
 * @since 0.1.0
 */
MVFS_API void mvfs_string_release(struct mvfs_string *string);

/*
 * Another string of the same bytes, for which no memory is needed. The two
 * are released each on its own. The string is not changed, so several threads
 * may share one at the same time.
 *
 * Returns the string; an empty one for NULL and for {0}. It cannot fail.
 *
 * @since 0.1.0
 */
MVFS_API struct mvfs_string mvfs_string_share(const struct mvfs_string *string);

/*
 * A string of at most `len` bytes of `string`, from the byte `start` on: fewer
 * if it ends before, none if it ends at `start` or before. It shares the
 * owner, so it keeps all of the bytes in memory, not just its own; where a
 * small part of a large text is to stay, mvfs_string_compact() lets go of it.
 * Positions are bytes: nothing keeps a slice from cutting a character in two.
 *
 * Returns the string; it cannot fail. It is released on its own, before or
 * after the whole one.
 *
 * @since 0.1.0
 */
MVFS_API struct mvfs_string mvfs_string_slice(const struct mvfs_string *string,
					      size_t start, size_t len);

/*
 * Stops holding a large memory for a short string: if a copy takes less than
 * half the memory that the owner keeps, the string is replaced by one. Else,
 * and for a string that is the caller's own memory, nothing is done. What the
 * string says stays the same; `data` may move.
 *
 * Returns 0, or
 * -ENOMEM  out of memory, with the string unchanged;
 * -EFAULT  the string is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_string_compact(struct mvfs_string *string);

/*
 * Compares as memcmp(3) does, and where one is the beginning of the other the
 * shorter is less. In UTF-8 that is the order of code points. Strings of the
 * same bytes in memory are found equal without looking at them.
 *
 * Returns less than, equal to or more than 0. NULL and {0} are empty strings.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_string_compare(const struct mvfs_string *a,
				 const struct mvfs_string *b);

/*
 * The same where only equality is asked for: strings of different lengths are
 * not looked at.
 *
 * Returns 1 or 0.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_string_equal(const struct mvfs_string *a,
			       const struct mvfs_string *b);

/*
 * A hash of the bytes: SipHash-1-3 with the key (seed, 0), in every process
 * and on every machine the same. With a seed that others do not know, they
 * cannot choose strings that collide.
 *
 * Returns the hash; NULL and {0} are empty strings.
 *
 * @since 0.1.0
 */
MVFS_API uint64_t mvfs_string_hash(const struct mvfs_string *string,
				   uint64_t seed);

/*
 * Takes the first line off `rest`, and stores it in *line: a slice, without
 * the end of the line, that is released on its own. Lines end with LF, CR LF,
 * or a CR alone. What is behind the last end is a line unless it is empty, so
 * that "a\n" and "a" are one line each, "\n" is an empty one, and an empty
 * text has none. A CR that ends a slice ends a line, even if an LF followed
 * where the slice was cut: cut behind lines.
 *
 * `rest` is a string of its own, say from mvfs_string_share(). It is {0} when
 * nothing is left, its reference has gone to the last line; who stops before
 * releases it.
 *
 * Each line costs a reference; mvfs_string_lines() takes one for all.
 *
 * Returns 1, or
 * 0        there is no more line, and *line is unchanged;
 * -EFAULT  `rest` or `line` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_string_next_line(struct mvfs_string *rest,
				   struct mvfs_string *line);

/*
 * The same with any separator, of `len` bytes, which stands between parts:
 * there is one part more than there are separators, and each may be empty.
 * An empty string is one empty part, and {0} is none: that is what `rest` is
 * in the end.
 *
 * Returns 1, or
 * 0        there is no more part, and *part is unchanged;
 * -EINVAL  `len` is 0;
 * -EFAULT  `rest`, `separator` or `part` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_string_next_part(struct mvfs_string *rest,
				   const void *separator, size_t len,
				   struct mvfs_string *part);

/*
 * A line in a table: bytes of its text, without the end of the line, and not
 * terminated.
 *
 * @since 0.1.0
 */
struct mvfs_line {
	const char *data;
	size_t len;
};

/*
 * Lines of a text, as places in it: they are good as long as the table. It is
 * released as one, by mvfs_lines_release().
 *
 * @since 0.1.0
 */
struct mvfs_lines {
	struct mvfs_string text; /* all of it, whichever lines were asked for */
	struct mvfs_line *line;  /* `count` of them; NULL if there are none */
	size_t count;
};

/*
 * Stores in *lines a table of at most `count` lines of the string, from the
 * one with the number `first` on, counted from 0: fewer, or none, where the
 * text ends before. UINT64_MAX is all. Of lines before and behind, nothing is
 * made. What a line is mvfs_string_next_line() says. The text is shared, not
 * copied; the table takes 16 bytes a line.
 *
 * Of a string that is the caller's own memory (`owner` NULL), the table is
 * good only as long as that.
 *
 * Returns 0, or
 * -ENOMEM  out of memory;
 * -EFAULT  `string` or `lines` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_string_lines(const struct mvfs_string *string,
			       uint64_t first, uint64_t count,
			       struct mvfs_lines *lines);

/*
 * Gives up a table and its text. The struct is {0} afterwards, so that
 * releasing it twice is harmless; NULL is fine, too.
 *
 * @since 0.1.0
 */
MVFS_API void mvfs_lines_release(struct mvfs_lines *lines);

/*
 * The string as a C string. If it is terminated these are its own bytes;
 * otherwise the string is first replaced by a terminated copy, which costs a
 * copy once. A 0 inside the text is kept: for strlen() the text ends there.
 *
 * Returns the bytes, which belong to the string and are valid until it is
 * released, or NULL: out of memory, with the string unchanged; or the string
 * is NULL.
 *
 * @since 0.1.0
 */
MVFS_API const char *mvfs_string_cstr(struct mvfs_string *string);

/*
 * Hands the text out as memory of the C library: `len` bytes and a 0, for the
 * caller to keep, to change and to free() in the end. The string is {0}
 * afterwards. Nothing is copied where nobody else refers to the bytes and they
 * have memory of their own, which is so from 128 KiB on and below 4 MiB: text
 * of that size that was decoded, say, or whose file is gone. Else this copies.
 *
 * Returns the memory, or NULL: out of memory, with the string unchanged; or
 * the string is NULL.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD char *mvfs_string_steal(struct mvfs_string *string);

/*
 * Stores in *string a terminated copy of `len` bytes. Whether they are UTF-8
 * is not looked at: mvfs_decode() with NULL for the charset does that.
 *
 * Returns 0, or
 * -EFAULT  `string` is NULL, or `bytes` is and `len` is not 0;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_string_copy(const void *bytes, size_t len,
			      struct mvfs_string *string);

/*
 * Flag of the calls that decode and encode: what is malformed or unmappable
 * becomes U+FFFD, once for each flaw, instead of failing with -EILSEQ. In
 * encoding, charsets without U+FFFD have '?' there.
 *
 * @since 0.1.0
 */
#define MVFS_REPLACE 1u

/*
 * Flag of the calls that decode: a byte order mark (BOM), which is U+FEFF in
 * the text's charset at its very start, is left out; nothing is copied for
 * that, the string begins behind it. One is left out at most, and a text
 * without one is read as ever. In the charset "UTF-16" the BOM is never part
 * of the text, so there the flag changes nothing. Places in errors count from
 * the first byte, a BOM included.
 *
 * @since 0.1.0
 */
#define MVFS_SKIP_BOM 2u

/*
 * Decodes `len` bytes of that charset to a string, which is terminated and
 * has its own memory. `flags` is 0 or a sum of MVFS_REPLACE and MVFS_SKIP_BOM.
 * The bytes are the caller's, and are not used after the call.
 *
 * Returns 0, or a negative errno, with *string unchanged and what is known in
 * *error, if that is not NULL:
 * -EILSEQ  the bytes are no text in that charset: `offset` and `length` tell
 *          the place, and `reason` whether they are malformed, truncated (cut
 *          off at the end), or well-formed but unmappable, which means that
 *          the charset has no character there;
 * -ENOMEM  out of memory;
 * -EMFILE, -ENFILE  the C library could not open its converter;
 * -EINVAL  an unknown flag;
 * -EFAULT  `string` is NULL, or `bytes` is and `len` is not 0.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_decode(const void *bytes, size_t len,
			 const struct mvfs_charset *charset, unsigned flags,
			 struct mvfs_string *string, struct mvfs_error *error);

/*
 * Encodes `len` bytes of UTF-8 in that charset. The result comes as a string
 * because that is what owns bytes, but its bytes are the charset's; it is
 * terminated by a 0 that is not counted. `flags` is 0 or MVFS_REPLACE. All
 * else is as in mvfs_decode(): `offset` counts in the UTF-8, where malformed
 * and truncated is what is not UTF-8, and unmappable a character that the
 * charset does not have.
 *
 * Returns 0, or what mvfs_decode() does; -EINVAL also for MVFS_SKIP_BOM.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_encode(const void *utf8, size_t len,
			 const struct mvfs_charset *charset, unsigned flags,
			 struct mvfs_string *bytes, struct mvfs_error *error);

#ifdef __cplusplus
}
#endif

#endif
