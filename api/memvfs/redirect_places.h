/* SPDX-License-Identifier: MIT */
/*
 * Of memvfs/places.h, which includes this behind memvfs/redirect.h: the calls
 * of a redirected object say where they stand.
 */
#include <memvfs/redirect.h>

#ifndef MEMVFS_REDIRECT_PLACES_H
#define MEMVFS_REDIRECT_PLACES_H

#include <memvfs/places.h>

#pragma GCC system_header

#define MVFS__REDIRECT_PLACED(call) \
	__extension__({ \
		const char *mvfs__before = mvfs_here(MVFS_HERE); \
		__typeof__(call) mvfs__result = (call); \
		\
		(void)mvfs_here(mvfs__before); \
		mvfs__result; \
	})

#undef close
#define close(...) \
	MVFS__REDIRECT_PLACED(mvfs__redirect_close(__VA_ARGS__))
#undef closedir
#define closedir(...) \
	MVFS__REDIRECT_PLACED(mvfs__redirect_closedir(__VA_ARGS__))
#undef creat
#define creat(...) \
	MVFS__REDIRECT_PLACED(mvfs__redirect_creat(__VA_ARGS__))
#undef dup
#define dup(...) \
	MVFS__REDIRECT_PLACED(mvfs__redirect_dup(__VA_ARGS__))
#undef dup2
#define dup2(...) \
	MVFS__REDIRECT_PLACED(mvfs__redirect_dup2(__VA_ARGS__))
#undef fcntl
#define fcntl(...) \
	MVFS__REDIRECT_PLACED(mvfs__redirect_fcntl(__VA_ARGS__))
#undef fdopendir
#define fdopendir(...) \
	MVFS__REDIRECT_PLACED(mvfs__redirect_fdopendir(__VA_ARGS__))
#undef fopen
#define fopen(...) \
	MVFS__REDIRECT_PLACED(mvfs__redirect_fopen(__VA_ARGS__))
#undef mkostemp
#define mkostemp(...) \
	MVFS__REDIRECT_PLACED(mvfs__redirect_mkostemp(__VA_ARGS__))
#undef mkstemp
#define mkstemp(...) \
	MVFS__REDIRECT_PLACED(mvfs__redirect_mkstemp(__VA_ARGS__))
#undef open
#define open(...) \
	MVFS__REDIRECT_PLACED(mvfs__redirect_open(__VA_ARGS__))
#undef openat
#define openat(...) \
	MVFS__REDIRECT_PLACED(mvfs__redirect_openat(__VA_ARGS__))
#undef opendir
#define opendir(...) \
	MVFS__REDIRECT_PLACED(mvfs__redirect_opendir(__VA_ARGS__))
#undef flock
#define flock(fd, operation) \
	MVFS__REDIRECT_PLACED(mvfs__redirect_flock(fd, operation))

#endif
