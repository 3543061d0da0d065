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
 * The charset of that name: one of UTF-8, US-ASCII, ISO-8859-1, GBK,
 * UTF-16LE, UTF-16BE and UTF-16, by its name or an alias in the IANA's
 * register, "ASCII", or "MS936". Letters and digits count, without their case
 * ("utf8" and "UTF_8" are UTF-8).
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
 * Returns the charset, or NULL if the name is NULL or unknown.
 *
 * @since 0.1.0
 */
MVFS_API const struct mvfs_charset *mvfs_charset(const char *name);

/*
 * Returns the IANA's name of the charset, which is static: "UTF-8",
 * "US-ASCII", "ISO-8859-1", "GBK", "UTF-16LE", "UTF-16BE" or "UTF-16".
 *
 * @since 0.1.0
 */
MVFS_API const char *mvfs_charset_name(const struct mvfs_charset *charset);

/*
 * Whether text that has bytes below 0x80 only is the same in this charset and
 * in UTF-8, so that reading it needs no copy.
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
