/* SPDX-License-Identifier: MIT */
/* See spec.h. */
#include "config.h"

#include "vfs/fs/spec.h"

#include <errno.h>
#include <string.h>

static struct mvfs__buffer *bytes_of(const struct mvfs__mtree *tree,
				     const struct mvfs__spec *spec,
				     uint64_t len)
{
	struct mvfs__buffer *buffer;

	if (len > SIZE_MAX)
		return NULL;
	buffer = mvfs__buffer_new((size_t)len);
	if (!buffer)
		return NULL;
	if (mvfs__spec_has(spec, MVFS__KEY_FILL))
		mvfs__mtree_fill(spec->fill, mvfs__buffer_bytes(buffer),
				 (size_t)len);
	else
		memcpy(mvfs__buffer_bytes(buffer),
		       mvfs__mtree_text(tree, spec->data), (size_t)len);
	mvfs__buffer_set_used(buffer, len);
	return buffer;
}

int mvfs__spec_content(const struct mvfs__mtree *tree,
		       const struct mvfs__spec *spec,
		       struct mvfs__content *content, struct mvfs__bin *bin)
{
	uint64_t size = mvfs__spec_size(spec), len = 0;
	struct mvfs__buffer *buffer;

	if (mvfs__spec_has(spec, MVFS__KEY_DATA))
		len = spec->data_len;
	else if (mvfs__spec_has(spec, MVFS__KEY_FILL))
		len = size;
	if (len) {
		buffer = bytes_of(tree, spec, len);
		if (!buffer)
			return -ENOMEM;
		/* from its start on, so it needs no memory */
		if (mvfs__content_set(content, buffer, 0, len, bin))
			assert(!"a whole buffer needs no array");
	}
	/* growing cannot fail */
	return mvfs__content_truncate(content, size, bin);
}
