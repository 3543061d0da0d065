/* SPDX-License-Identifier: MIT */
/*
 * The inline part of memvfs/data.h, which includes it and says what the
 * functions do:
 *
 *     int mvfs_data_put_TYPE(struct mvfs_data_out *out, TYPE value);
 *     int mvfs_data_put_TYPEs(struct mvfs_data_out *out, const TYPE *values,
 *                             size_t count);
 *         0, or the first error of the stream
 *     int mvfs_data_get_TYPE(struct mvfs_data_in *in, TYPE *value);
 *     int mvfs_data_get_TYPEs(struct mvfs_data_in *in, TYPE *values,
 *                             size_t count);
 *         0, or -ENODATA: fewer bytes are left, position and values stay
 *
 * Bytes are stored and loaded as whole numbers at any address. They are not
 * stored as characters, for these might be the struct itself, and a compiler
 * would have to look at its members again for each value.
 */
#ifndef MEMVFS_DATA_INLINE_H
#define MEMVFS_DATA_INLINE_H

#include <errno.h>
#include <string.h>

#include <memvfs/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What the inline functions hand over to the library: the names and results
 * are those of mvfs_data_put_*() and mvfs_data_out_*(). They are for these
 * alone, which pass a copy of the stream, so that the struct itself has no
 * address. mvfs_data_do_more() makes room for `size` bytes, 8 at most.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_data_do_open(struct mvfs_data_out *out, mvfs *view, int fd);
MVFS_API MVFS_COLD int mvfs_data_do_more(struct mvfs_data_out *out,
					 size_t size);
MVFS_API int mvfs_data_do_bytes(struct mvfs_data_out *out, const void *bytes,
				size_t len);
MVFS_API int mvfs_data_do_array(struct mvfs_data_out *out, const void *values,
				size_t count, unsigned width, int little);
MVFS_API int mvfs_data_do_utf(struct mvfs_data_out *out, const char *utf8,
			      size_t len, struct mvfs_error *error);
MVFS_API int mvfs_data_do_units(struct mvfs_data_out *out, const char *utf8,
				size_t len, int low, struct mvfs_error *error);
MVFS_API uint64_t mvfs_data_do_size(const struct mvfs_data_out *out);
MVFS_API int mvfs_data_do_flush(struct mvfs_data_out *out);
MVFS_API int mvfs_data_do_string(struct mvfs_data_out *out,
				 struct mvfs_string *bytes);
MVFS_API int mvfs_data_do_file(struct mvfs_data_out *out, mvfs *view,
			       const char *path);
MVFS_API int mvfs_data_do_reset(struct mvfs_data_out *out);
MVFS_API int mvfs_data_do_close(struct mvfs_data_out *out);

static inline void mvfs_data_out_memory(struct mvfs_data_out *out)
{
	out->next = NULL;
	out->last = NULL;
	out->state = NULL;
}

static inline int mvfs_data_out_fd(struct mvfs_data_out *out, mvfs *view,
				   int fd)
{
	struct mvfs_data_out copy;
	int error = mvfs_data_do_open(&copy, view, fd);

	if (!error)
		*out = copy;
	return error;
}

static inline uint64_t mvfs_data_out_size(const struct mvfs_data_out *out)
{
	struct mvfs_data_out copy = *out;

	return mvfs_data_do_size(&copy);
}

static inline int mvfs_data_out_flush(struct mvfs_data_out *out)
{
	struct mvfs_data_out copy = *out;
	int error = mvfs_data_do_flush(&copy);

	*out = copy;
	return error;
}

static inline int mvfs_data_out_string(struct mvfs_data_out *out,
				       struct mvfs_string *bytes)
{
	struct mvfs_data_out copy = *out;
	int error = mvfs_data_do_string(&copy, bytes);

	*out = copy;
	return error;
}

static inline int mvfs_data_out_file(struct mvfs_data_out *out, mvfs *view,
				     const char *path)
{
	struct mvfs_data_out copy = *out;
	int error = mvfs_data_do_file(&copy, view, path);

	*out = copy;
	return error;
}

static inline int mvfs_data_out_reset(struct mvfs_data_out *out)
{
	struct mvfs_data_out copy = *out;
	int error = mvfs_data_do_reset(&copy);

	*out = copy;
	return error;
}

static inline int mvfs_data_out_close(struct mvfs_data_out *out)
{
	struct mvfs_data_out copy = *out;

	mvfs_data_out_memory(out);
	return mvfs_data_do_close(&copy);
}

static inline int mvfs_data_put_bytes(struct mvfs_data_out *out,
				      const void *bytes, size_t len)
{
	struct mvfs_data_out copy = *out;
	int error = mvfs_data_do_bytes(&copy, bytes, len);

	*out = copy;
	return error;
}

static inline int mvfs_data_put_utf(struct mvfs_data_out *out,
				    const char *utf8, size_t len,
				    struct mvfs_error *error)
{
	struct mvfs_data_out copy = *out;
	int code = mvfs_data_do_utf(&copy, utf8, len, error);

	*out = copy;
	return code;
}

static inline int mvfs_data_put_chars(struct mvfs_data_out *out,
				      const char *utf8, size_t len,
				      struct mvfs_error *error)
{
	struct mvfs_data_out copy = *out;
	int code = mvfs_data_do_units(&copy, utf8, len, 0, error);

	*out = copy;
	return code;
}

static inline int mvfs_data_put_low_bytes(struct mvfs_data_out *out,
					  const char *utf8, size_t len,
					  struct mvfs_error *error)
{
	struct mvfs_data_out copy = *out;
	int code = mvfs_data_do_units(&copy, utf8, len, 1, error);

	*out = copy;
	return code;
}

#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define MVFS_DATA_BIG(bits, value) (value)
#define MVFS_DATA_LITTLE(bits, value) __builtin_bswap##bits(value)
#else
#define MVFS_DATA_BIG(bits, value) __builtin_bswap##bits(value)
#define MVFS_DATA_LITTLE(bits, value) (value)
#endif

#define MVFS_DATA_RARELY(condition) __builtin_expect(condition, 0)

struct mvfs_data_bytes_16 {
	uint16_t value;
} __attribute__((__packed__));

struct mvfs_data_bytes_32 {
	uint32_t value;
} __attribute__((__packed__));

struct mvfs_data_bytes_64 {
	uint64_t value;
} __attribute__((__packed__));

/* One of the types, in one of the orders; `bits` is an unsigned of its size. */
#define MVFS_DATA_ONE(name, type, bits, ORDER)                                \
	static inline int mvfs_data_put_##name(struct mvfs_data_out *out,     \
					       type value)                    \
	{                                                                     \
		struct mvfs_data_out copy;                                    \
		uint##bits##_t raw;                                           \
		int error;                                                    \
									      \
		if (MVFS_DATA_RARELY(out->next >= out->last)) {               \
			copy = *out;                                          \
			error = mvfs_data_do_more(&copy, sizeof(raw));        \
			*out = copy;                                          \
			if (error)                                            \
				return error;                                 \
		}                                                             \
		memcpy(&raw, &value, sizeof(raw));                            \
		((struct mvfs_data_bytes_##bits *)(void *)out->next)->value = \
			MVFS_DATA_##ORDER(bits, raw);                         \
		out->next += sizeof(raw);                                     \
		return 0;                                                     \
	}                                                                     \
	static inline int mvfs_data_get_##name(struct mvfs_data_in *in,       \
					       type *value)                   \
	{                                                                     \
		const struct mvfs_data_bytes_##bits *at;                      \
		uint##bits##_t raw;                                           \
									      \
		if (MVFS_DATA_RARELY((size_t)(in->end - in->next) <           \
				     sizeof(raw))) {                          \
			in->error = in->error ? in->error : -ENODATA;         \
			return -ENODATA;                                      \
		}                                                             \
		at = (const struct mvfs_data_bytes_##bits *)                  \
			(const void *)in->next;                               \
		raw = MVFS_DATA_##ORDER(bits, at->value);                     \
		memcpy(value, &raw, sizeof(raw));                             \
		in->next += sizeof(raw);                                      \
		return 0;                                                     \
	}

#define MVFS_DATA_ARRAY(name, type, little)                                   \
	static inline int mvfs_data_put_##name(struct mvfs_data_out *out,     \
					       const type *values,            \
					       size_t count)                  \
	{                                                                     \
		struct mvfs_data_out copy = *out;                             \
		int error = mvfs_data_do_array(&copy, values, count,          \
					       sizeof(type), little);         \
									      \
		*out = copy;                                                  \
		return error;                                                 \
	}                                                                     \
	static inline int mvfs_data_get_##name(struct mvfs_data_in *in,       \
					       type *values, size_t count)    \
	{                                                                     \
		return mvfs_data_get_array(in, values, count, sizeof(type),   \
					   little);                           \
	}

#define MVFS_DATA_TYPE(name, type, bits)             \
	MVFS_DATA_ONE(name, type, bits, BIG)         \
	MVFS_DATA_ONE(name##_le, type, bits, LITTLE) \
	MVFS_DATA_ARRAY(name##s, type, 0)            \
	MVFS_DATA_ARRAY(name##s_le, type, 1)

MVFS_DATA_TYPE(i16, int16_t, 16)
MVFS_DATA_TYPE(u16, uint16_t, 16)
MVFS_DATA_TYPE(i32, int32_t, 32)
MVFS_DATA_TYPE(u32, uint32_t, 32)
MVFS_DATA_TYPE(i64, int64_t, 64)
MVFS_DATA_TYPE(u64, uint64_t, 64)
MVFS_DATA_TYPE(f32, float, 32)
MVFS_DATA_TYPE(f64, double, 64)

#undef MVFS_DATA_ONE
#undef MVFS_DATA_ARRAY
#undef MVFS_DATA_TYPE
#undef MVFS_DATA_BIG
#undef MVFS_DATA_LITTLE

static inline int mvfs_data_put_u8(struct mvfs_data_out *out, uint8_t value)
{
	struct mvfs_data_out copy;
	int error;

	if (MVFS_DATA_RARELY(out->next >= out->last)) {
		copy = *out;
		error = mvfs_data_do_more(&copy, 1);
		*out = copy;
		if (error)
			return error;
	}
	*out->next++ = value;
	return 0;
}

static inline int mvfs_data_put_i8(struct mvfs_data_out *out, int8_t value)
{
	return mvfs_data_put_u8(out, (uint8_t)value);
}

/* Anything but 0 is true, and is put as 1. */
static inline int mvfs_data_put_bool(struct mvfs_data_out *out, int value)
{
	return mvfs_data_put_u8(out, value ? 1 : 0);
}

static inline int mvfs_data_get_u8(struct mvfs_data_in *in, uint8_t *value)
{
	if (MVFS_DATA_RARELY(in->end == in->next)) {
		in->error = in->error ? in->error : -ENODATA;
		return -ENODATA;
	}
	*value = *in->next++;
	return 0;
}

static inline int mvfs_data_get_i8(struct mvfs_data_in *in, int8_t *value)
{
	uint8_t byte;
	int error = mvfs_data_get_u8(in, &byte);

	if (!error)
		*value = (int8_t)byte;
	return error;
}

/* Anything but 0 is true, and is got as 1. */
static inline int mvfs_data_get_bool(struct mvfs_data_in *in, int *value)
{
	uint8_t byte;
	int error = mvfs_data_get_u8(in, &byte);

	if (!error)
		*value = byte ? 1 : 0;
	return error;
}

#undef MVFS_DATA_RARELY

#ifdef __cplusplus
}
#endif

#endif
