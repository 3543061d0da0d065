/* SPDX-License-Identifier: MIT */
/* Rows for memvfs/arena.h and scratch.h; included twice, see rows.c. */

CALL_IN_ARENA(arena_more, mvfs_arena_more, 1 << 20)
CALL_IN_ARENA(arena_more_small, mvfs_arena_more, 10)
CALL_IN_ARENA(arena_aligned, mvfs_arena_aligned, 100, 1 << 16)
CALL_IN_ARENA(arena_memdup, mvfs_arena_memdup, big, BIG)
CALL_IN_ARENA(arena_strndup, mvfs_arena_strndup, big, BIG)
CALL_IN_FRAME(scratch_more, mvfs_scratch_more, 1 << 20)
CALL_IN_FRAME(scratch_more_small, mvfs_scratch_more, 10)
