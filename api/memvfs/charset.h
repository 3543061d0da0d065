/* SPDX-License-Identifier: MIT */
/*
 * Charsets: how text is bytes.
 */
#ifndef MEMVFS_CHARSET_H
#define MEMVFS_CHARSET_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A charset. There is one object for each, which lasts as long as the program
 * and may be used on any thread. Wherever a charset is asked for, NULL is
 * UTF-8.
 *
 * @since 0.1.0
 */
struct mvfs_charset;

/*
 * The charset of that name, or of that alias, in the IANA's register, or
 * commonly used ("ASCII", "CP1252"). Letters and digits count, without their
 * case ("utf8" and "UTF_8" are UTF-8).
 *
 * UTF-8, US-ASCII, ISO-8859-1, GBK, UTF-16LE, UTF-16BE and UTF-16 are the
 * library's own, the same everywhere. All others are those of the C library's
 * iconv(3), as many as it has: a name that the register does not have is tried
 * as it is spelled, and with '-', '_' or nothing for its punctuation. What the
 * bytes mean is then the C library's word. No name has a '/' or a ',' in it:
 * there is nothing like "//TRANSLIT", by which characters could be lost.
 *
 * GBK is glibc's: code page 936 with U+20AC as the single byte 80 and without
 * a private use area. ISO-8859-1 has the C1 controls at 80 to 9F; it is not
 * windows-1252.
 *
 * UTF-16 is RFC 2781's. In "UTF-16" a byte order mark (BOM, U+FEFF) at the
 * start tells the order of the bytes and is no part of the text; without one
 * the text is big-endian. Encoding to it begins with a BOM and is big-endian,
 * but that no text at all is no bytes. In UTF-16LE and UTF-16BE, where the
 * name tells the order, U+FEFF at the start is a character like any other,
 * and encoding puts none there.
 *
 * A charset of the C library's is made when it is first asked for; that one
 * time takes a lock, and some ten microseconds or what it takes to load a
 * module. Then it is found without a lock. At most 2048 names are kept.
 *
 * Returns the charset, or NULL if the name is NULL or unknown, or there is no
 * memory for making it.
 *
 * @since 0.1.0
 */
MVFS_API const struct mvfs_charset *mvfs_charset(const char *name);

/*
 * Returns the IANA's preferred name of the charset, like "UTF-8" or
 * "Shift_JIS", or, if the register does not have it, the name by which the C
 * library knows it, as it was asked for first, in capitals. It lasts as long
 * as the charset.
 *
 * @since 0.1.0
 */
MVFS_API const char *mvfs_charset_name(const struct mvfs_charset *charset);

/*
 * Whether text that has bytes below 0x80 only is the same in this charset and
 * in UTF-8, so that reading it needs no copy.
 *
 * With a charset of the C library's this is found out by trying each of them
 * when it is made: 0 for glibc's Shift_JIS (5C is a yen sign), for ISO-2022-JP
 * (1B begins a shift) and for EBCDIC; 1 for EUC-KR and for windows-1252.
 *
 * Returns 1 or 0; 0 for UTF-16 in each form.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_charset_is_ascii_compatible(const struct mvfs_charset *cs);

/*
 * Returns the name of the vector kernels that look at text and convert it:
 * the best that this processor has, or those that the environment variable
 * MVFS_CPU named at the first use of one: "avx512", "avx2", "sse", "neon" or
 * "portable". Which they are changes the speed, and never a result.
 *
 * @since 0.1.0
 */
MVFS_API const char *mvfs_text_kernels(void);

#ifdef __cplusplus
}
#endif

#endif
