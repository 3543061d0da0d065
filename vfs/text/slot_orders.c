/* SPDX-License-Identifier: MIT */
/* Where in four slots the bytes are that are used, by length - 1 of each. */
#include "config.h"

#include "vfs/text/vector.h"

#define LENGTH(m, i) (((m) >> 2 * (i) & 3) + 1)
#define END(m, i) (LENGTH(m, 0) + ((i) > 0 ? LENGTH(m, 1) : 0) + \
		   ((i) > 1 ? LENGTH(m, 2) : 0) + \
		   ((i) > 2 ? LENGTH(m, 3) : 0))
#define PLACE(m, j) ((j) < END(m, 0) ? (j) : \
		     (j) < END(m, 1) ? 4 + (j) - END(m, 0) : \
		     (j) < END(m, 2) ? 8 + (j) - END(m, 1) : \
		     (j) < END(m, 3) ? 12 + (j) - END(m, 2) : 0x80)
#define PLACE4(m, j) PLACE(m, j), PLACE(m, (j) + 1), \
		     PLACE(m, (j) + 2), PLACE(m, (j) + 3)
#define ORDER(m) { PLACE4(m, 0), PLACE4(m, 4), PLACE4(m, 8), PLACE4(m, 12) }
#define ORDER4(m) ORDER(m), ORDER((m) + 1), ORDER((m) + 2), ORDER((m) + 3)
#define ORDER16(m) ORDER4(m), ORDER4((m) + 4), \
		   ORDER4((m) + 8), ORDER4((m) + 12)
#define ORDER64(m) ORDER16(m), ORDER16((m) + 16), \
		   ORDER16((m) + 32), ORDER16((m) + 48)

_Alignas(64) const uint8_t mvfs__slot_orders[256][16] = {
	ORDER64(0), ORDER64(64), ORDER64(128), ORDER64(192)
};
