/* SPDX-License-Identifier: MIT */
/*
 * Filling the public `struct mvfs_error`, which callers may leave out: one
 * place, so that every failing path is one return statement.
 */
#ifndef MVFS__ERROR_H
#define MVFS__ERROR_H

#include <memvfs/types.h>

#include "vfs/base/base.h"

/*
 * Writes code, place and message where `error` is not NULL; a message that
 * is too long is cut at the start of a character. The reason is none; whoever
 * knows one sets it then. Returns `code`, a negative errno.
 */
int mvfs__fail(struct mvfs_error *error, int code, uint64_t offset,
	       uint64_t length, const char *format, ...)
	MVFS_PRINTF(5, 6);

/*
 * Puts "path: " before the message, so that it names the file. Of a long path
 * the end is kept, for that tells most, and the message has to have room.
 */
void mvfs__error_name(struct mvfs_error *error, const char *path);

#endif
