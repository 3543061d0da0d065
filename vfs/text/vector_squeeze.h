/* SPDX-License-Identifier: MIT */
/* Rows for a shuffle that leaves out some of eight bytes. */
#ifndef MVFS__VECTOR_SQUEEZE_H
#define MVFS__VECTOR_SQUEEZE_H

#include <stdint.h>

/* A row is bytes, each a place in a vector; the first is the lowest. */
#define BIT(m, i) ((uint64_t)(m) >> (i) & 1)
#define BELOW_1(m) BIT(m, 0)
#define BELOW_2(m) (BELOW_1(m) + BIT(m, 1))
#define BELOW_3(m) (BELOW_2(m) + BIT(m, 2))
#define BELOW_4(m) (BELOW_3(m) + BIT(m, 3))
#define BELOW_5(m) (BELOW_4(m) + BIT(m, 4))
#define BELOW_6(m) (BELOW_5(m) + BIT(m, 5))
#define BELOW_7(m) (BELOW_6(m) + BIT(m, 6))

/* Those of eight bytes that are not in m. */
#define KEEP(m, i, below) \
	((1 - BIT(m, i)) * (uint64_t)(i) << 8 * ((i) - (below)))
#define SQUEEZE(m) \
	(KEEP(m, 1, BELOW_1(m)) | KEEP(m, 2, BELOW_2(m)) | \
	 KEEP(m, 3, BELOW_3(m)) | KEEP(m, 4, BELOW_4(m)) | \
	 KEEP(m, 5, BELOW_5(m)) | KEEP(m, 6, BELOW_6(m)) | \
	 KEEP(m, 7, BELOW_7(m)))
#define SQUEEZE_4(m) SQUEEZE(m), SQUEEZE(m + 1), SQUEEZE(m + 2), SQUEEZE(m + 3)
#define SQUEEZE_16(m) \
	SQUEEZE_4(m), SQUEEZE_4(m + 4), SQUEEZE_4(m + 8), SQUEEZE_4(m + 12)
#define SQUEEZE_64(m) \
	SQUEEZE_16(m), SQUEEZE_16(m + 16), SQUEEZE_16(m + 32), \
	SQUEEZE_16(m + 48)

static const uint64_t squeeze[256] = {
	SQUEEZE_64(0), SQUEEZE_64(64), SQUEEZE_64(128), SQUEEZE_64(192)
};

#endif
