/* SPDX-License-Identifier: MIT */
/* Rows for memvfs/file.h; included twice, see rows.c. */

/* opening */
CALL(open_read, mvfs_open, w->fs, "/d/link", O_RDONLY, 0)
CALL(open_new, mvfs_open, w->fs, "/d/new", O_CREAT | O_EXCL | O_RDWR, 0666)
CALL(open_new_by_user, mvfs_open, w->user, "new", O_CREAT | O_WRONLY, 0666)
CALL(open_truncates, mvfs_open, w->fs, "/d/pieces", O_WRONLY | O_TRUNC, 0)
CALL(open_truncates_setuid, mvfs_open, w->user, "setuid", O_RDWR | O_TRUNC, 0)
CALL(open_path, mvfs_open, w->fs, "/d/fifo", O_PATH, 0)
CALL(open_dir, mvfs_open, w->fs, "/many", O_RDONLY | O_DIRECTORY, 0)
CALL(open_tmpfile, mvfs_open, w->fs, "/d", O_TMPFILE | O_RDWR, 0600)
CALL(open_refused, mvfs_open, w->fs, "/d/fifo", O_RDONLY, 0)
CALL(openat_new, mvfs_openat, w->fs, FD_DIR, "new", O_CREAT | O_RDWR, 0666)
CALL(openat_tmpfile, mvfs_openat, w->fs, FD_DIR, ".",
     O_TMPFILE | O_EXCL | O_RDWR, 0600)
CALL(close, mvfs_close, w->fs, FD_TEXT)
CALL(close_orphan, mvfs_close, w->fs, FD_ORPHAN)
CALL(dup, mvfs_dup, w->fs, FD_ORPHAN)
CALL(dup2_over, mvfs_dup2, w->fs, FD_TEXT, FD_ORPHAN)
CALL(dup2_far, mvfs_dup2, w->fs, FD_TEXT, 1000)
LOOK(dup2_itself, mvfs_dup2, w->fs, FD_TEXT, FD_TEXT)
LOOK(getfl, mvfs_getfl, w->fs, FD_APPEND)
CALL(setfl, mvfs_setfl, w->fs, FD_TEXT, O_APPEND | O_NONBLOCK)

/* reading */
CALL(read, mvfs_read, w->fs, FD_TEXT, w->out.bytes, 100)
LOOK(pread, mvfs_pread, w->fs, FD_PIECES, w->out.bytes, 8000, 70000)
CALL(readv, mvfs_readv, w->fs, FD_HOLES,
     (struct mvfs_iovec[]){ { w->out.bytes, 10 },
			    { w->out.bytes + 20, 8000 } }, 2)
LOOK(preadv, mvfs_preadv, w->fs, FD_ORPHAN,
     (struct mvfs_iovec[]){ { w->out.bytes, 10 } }, 1, 3)

/* writing; a content is one run or several, own or shared, and grows */
CALL(write, mvfs_write, w->fs, FD_TEXT, "written", 7)
CALL(write_append, mvfs_write, w->fs, FD_APPEND, block, sizeof(block))
CALL(write_by_user, mvfs_write, w->user, FD_SETUID, "written", 7)
CALL(pwrite_first, mvfs_pwrite, w->fs, FD_EMPTY, "written", 7, 0)
CALL(pwrite_behind, mvfs_pwrite, w->fs, FD_EMPTY, "written", 7, 100000)
CALL(pwrite_large, mvfs_pwrite, w->fs, FD_LARGE, "written", 7, 70000)
CALL(pwrite_large_end, mvfs_pwrite, w->fs, FD_LARGE, block, sizeof(block),
     LARGE - 5)
CALL(pwrite_hole, mvfs_pwrite, w->fs, FD_HOLES, "written", 7, 5000)
CALL(pwrite_run, mvfs_pwrite, w->fs, FD_HOLES, "written", 7, 8000)
CALL(pwrite_reserved, mvfs_pwrite, w->fs, FD_HOLES, "written", 7, 26000)
CALL(pwrite_pieces, mvfs_pwrite, w->fs, FD_PIECES, "written", 7, 80000)
CALL(pwrite_across, mvfs_pwrite, w->fs, FD_PIECES, block, sizeof(block),
     PIECE - 100)
CALL(pwrite_pieces_end, mvfs_pwrite, w->fs, FD_PIECES, block, sizeof(block),
     2 * PIECE)
CALL(pwrite_orphan, mvfs_pwrite, w->fs, FD_ORPHAN, block, sizeof(block), 4)
LOOK(pwrite_nothing, mvfs_pwrite, w->fs, FD_TEXT, "", 0, 4)
CALL_BIG(pwrite_big, mvfs_pwrite, w->fs, FD_BIG, "written", 7, 100000)
CALL_BIG(pwrite_big_end, mvfs_pwrite, w->fs, FD_BIG, block, sizeof(block), BIG)
CALL(writev, mvfs_writev, w->fs, FD_PIECES,
     (struct mvfs_iovec[]){ { block, 100 }, { block, 4000 } }, 2)
CALL(writev_many, mvfs_writev, w->fs, FD_LARGE, many_pieces, MANY)
CALL(pwritev, mvfs_pwritev, w->fs, FD_HOLES,
     (struct mvfs_iovec[]){ { block, 100 }, { block, 4000 } }, 2, 3000)
CALL(pwritev_many, mvfs_pwritev, w->fs, FD_EMPTY, many_pieces, MANY, 50)

/* seeking, sizes, ranges */
CALL(lseek, mvfs_lseek, w->fs, FD_HOLES, 0, SEEK_HOLE)
CALL(ftruncate_shorter, mvfs_ftruncate, w->fs, FD_TEXT, 3)
CALL(ftruncate_longer, mvfs_ftruncate, w->fs, FD_LARGE, 10 * LARGE)
CALL(ftruncate_pieces, mvfs_ftruncate, w->fs, FD_PIECES, PIECE + 5)
CALL(ftruncate_to_one, mvfs_ftruncate, w->fs, FD_REFLINK, PIECE / 2)
CALL(ftruncate_holes, mvfs_ftruncate, w->fs, FD_HOLES, 9000)
CALL(ftruncate_orphan, mvfs_ftruncate, w->fs, FD_ORPHAN, 3)
CALL(truncate_all, mvfs_truncate, w->fs, "/d/pieces", 0)
CALL(truncate_part, mvfs_truncate, w->fs, "/d/reflink", PIECE + 4096)
CALL(truncate_setuid, mvfs_truncate, w->user, "setuid", 1)
CALL_BIG(truncate_big, mvfs_truncate, w->fs, "/d/big", 10)
CALL(fallocate_end, mvfs_fallocate, w->fs, FD_TEXT, 0, 8192, 8192)
CALL(fallocate_empty, mvfs_fallocate, w->fs, FD_EMPTY, MVFS_KEEP_SIZE, 0, 8192)
CALL(fallocate_gaps, mvfs_fallocate, w->fs, FD_HOLES, 0, 100, 60000)
CALL(fallocate_punch, mvfs_fallocate, w->fs, FD_LARGE,
     MVFS_PUNCH_HOLE | MVFS_KEEP_SIZE, 5000, 20000)
CALL(fallocate_punch_within, mvfs_fallocate, w->fs, FD_TEXT,
     MVFS_PUNCH_HOLE | MVFS_KEEP_SIZE, 3, 5)
CALL(fallocate_punch_pieces, mvfs_fallocate, w->fs, FD_PIECES,
     MVFS_PUNCH_HOLE | MVFS_KEEP_SIZE, PIECE - 6000, 12000)
CALL(fallocate_zero, mvfs_fallocate, w->fs, FD_REFLINK, MVFS_ZERO_RANGE,
     PIECE - 6000, 2 * PIECE)
CALL(fallocate_zero_within, mvfs_fallocate, w->fs, FD_HOLES,
     MVFS_ZERO_RANGE | MVFS_KEEP_SIZE, 8200, 100)
CALL_BIG(fallocate_punch_big, mvfs_fallocate, w->fs, FD_BIG,
	 MVFS_PUNCH_HOLE | MVFS_KEEP_SIZE, 100000, 200000)
CALL_RESUMES(copy_file_range, mvfs_copy_file_range, w->fs, FD_PIECES,
	     &w->out.in_offset, FD_HOLES, &w->out.out_offset, 1 << 20, 0)
CALL(copy_file_range_shares, mvfs_copy_file_range, w->fs, FD_PIECES,
     &w->out.in_block, FD_HOLES, &w->out.out_block, 1 << 20, 0)
CALL(copy_file_range_large, mvfs_copy_file_range, w->fs, FD_LARGE, NULL,
     FD_REFLINK, &w->out.out_block, 50000, 0)
CALL_RESUMES(copy_file_range_moves, mvfs_copy_file_range, w->fs, FD_HOLES,
	     NULL, FD_ORPHAN, NULL, 1 << 20, 0)
CALL(copy_file_range_itself, mvfs_copy_file_range, w->fs, FD_LARGE,
     &(int64_t){ 0 }, FD_LARGE, &(int64_t){ 65536 }, 16384, 0)
CALL(clone_file, mvfs_clone_file, w->fs, FD_PIECES, FD_TEXT)
CALL(clone_file_holes, mvfs_clone_file, w->fs, FD_HOLES, FD_ORPHAN)
LOOK(fsync, mvfs_fsync, w->fs, FD_TEXT)
LOOK(fdatasync, mvfs_fdatasync, w->fs, FD_TEXT)
LOOK(sync, mvfs_sync, w->fs)

/* streams */
CALL_STREAM(fopen, mvfs_fopen, w->fs, "/d/text", "r")
CALL_STREAM(fopen_makes, mvfs_fopen, w->fs, "/d/new", "w")
CALL_STREAM(fopen_truncates, mvfs_fopen, w->fs, "/d/large", "w+")
CALL_STREAM(fopen_refused, mvfs_fopen, w->fs, "/d/text", "wx")
CALL_STREAM(fdopen, mvfs_fdopen, w->fs, FD_LARGE, "r")
CALL_STREAM(fdopen_appends, mvfs_fdopen, w->fs, FD_PIECES, "a")

/* routes: what they end with, they end with here */
CALL_THEN(route, (void)mvfs_unroute("/r", 0), mvfs_route, w->fs, "/r", 0)
CALL_THEN(route_thread, (void)mvfs_unroute("/r", MVFS_ROUTE_THREAD),
	  mvfs_route, w->user, "/r", MVFS_ROUTE_THREAD)
