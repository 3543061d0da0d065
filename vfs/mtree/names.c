/* SPDX-License-Identifier: MIT */
/* The names of types, and the bytes of a fill. */
#include "config.h"

#include <string.h>
#include <sys/stat.h>

#include "vfs/mtree/mtree.h"

static const struct type {
	const char *name;
	uint32_t mode;
} types[] = {
	{ "file", S_IFREG }, { "dir", S_IFDIR }, { "link", S_IFLNK },
	{ "char", S_IFCHR }, { "block", S_IFBLK }, { "fifo", S_IFIFO },
	{ "socket", S_IFSOCK },
};

enum { TYPES = sizeof(types) / sizeof(types[0]) };

const char *mvfs__mtree_type(uint32_t mode)
{
	size_t i = 0;

	while (types[i].mode != (mode & S_IFMT)) {
		i++;
		assert(i < TYPES);
	}
	return types[i].name;
}

uint32_t mvfs__mtree_mode_of(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < TYPES; i++)
		if (strlen(types[i].name) == len &&
		    !memcmp(types[i].name, name, len))
			return types[i].mode;
	return 0;
}

/* splitmix64 (Steele, Lea and Flood, 2014), the lowest byte first. */
void mvfs__mtree_fill(uint64_t seed, uint8_t *to, size_t len)
{
	uint64_t z = 0;
	size_t i;

	for (i = 0; i < len; i++, z >>= 8) {
		if (i % 8 == 0) {
			z = seed += UINT64_C(0x9e3779b97f4a7c15);
			z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
			z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
			z ^= z >> 31;
		}
		to[i] = (uint8_t)z;
	}
}
