/* SPDX-License-Identifier: MIT */
/* Rows for memvfs/instance.h, listing.h and locks.h; included twice, see
 * rows.c. */

LOOK(create, mvfs_create,
     &(struct mvfs_options){ .size = sizeof(struct mvfs_options),
			     .clock = fixed_clock },
     &w->out.view)
LOOK(create_seeded, mvfs_create,
     &(struct mvfs_options){ .size = sizeof(struct mvfs_options),
			     .flags = MVFS_SEEDED,
			     .max_inodes = 10, .clock = fixed_clock },
     &w->out.view)
LOOK(clone, mvfs_clone, w->fs, &w->out.view)
LOOK(clone_user, mvfs_clone, w->user, &w->out.view)
LOOK(clone_stray, mvfs_clone, w->stray, &w->out.view)
CALL(view, mvfs_view, w->user, NULL, &w->out.view)
CALL(view_with, mvfs_view, w->fs,
     &(struct mvfs_view_options){
	.size = sizeof(struct mvfs_view_options),
	.set = MVFS_VIEW_CRED | MVFS_VIEW_UMASK, .uid = 7, .gid = 8,
	.umask = 077, .groups = (uint32_t[]){ 1, 2, 3 }, .group_count = 3,
	.root = "/d", .cwd = "sub/deep" },
     &w->out.view)
CALL(view_nowhere, mvfs_view, w->fs,
     &(struct mvfs_view_options){
	.size = sizeof(struct mvfs_view_options), .root = "/d",
	.cwd = "missing" },
     &w->out.view)
CALL_THEN(destroy, w->user = NULL, mvfs_destroy, w->user)
CALL_THEN(destroy_stray, w->stray = NULL, mvfs_destroy, w->stray)
CALL_THEN(destroy_adapter, forget_adapter(w), mvfs_destroy, w->adapter)
CALL(chdir, mvfs_chdir, w->fs, "/d/sub")
CALL(chdir_from_removed, mvfs_chdir, w->stray, "/many")
CALL(chdir_refused, mvfs_chdir, w->fs, "/d/text")
CALL(fchdir, mvfs_fchdir, w->user, FD_DIR)
CALL(umask, mvfs_umask, w->fs, 077)
CALL(set_limits, mvfs_set_limits, w->fs, 1 << 20, 50)
CALL(set_clock, mvfs_set_clock, w->fs, fixed_clock, NULL)
CALL(clock_manual, mvfs_clock_manual, w->fs,
     &(struct mvfs_time){ 77, 7, 0 }, 0)
CALL(clock_set, mvfs_clock_set, w->fs, &(struct mvfs_time){ 77, 7, 0 })
CALL(clock_advance, mvfs_clock_advance, w->fs, 5)

CALL(opendir, mvfs_opendir, w->fs, "/many", 0, &w->out.dir)
CALL(opendir_removed, mvfs_opendir, w->stray, ".", MVFS_LIST_DOTS,
     &w->out.dir)
CALL(opendirat, mvfs_opendirat, w->fs, FD_DIR, "",
     MVFS_LIST_DOTS | MVFS_LIST_UNSORTED, &w->out.dir)
CALL(opendir_shuffled, mvfs_opendir, w->fs, "/many", MVFS_LIST_SHUFFLED,
     &w->out.dir)
CALL(readdir, mvfs_readdir, w->dir, w->out.entries)
CALL(seekdir, mvfs_seekdir, w->dir, 0)
CALL_ENDS_LISTING(rewinddir, mvfs_rewinddir, w->dir)
CALL_THEN(closedir, w->dir = NULL, mvfs_closedir, w->dir)
LOOK(walk, mvfs_walk, w->fs, "/", MVFS_WALK_BOTH, note_name, w)
LOOK(walk_file, mvfs_walk, w->fs, "/d/text", 0, note_name, w)

CALL(flock, mvfs_flock, w->fs, FD_LARGE, LOCK_EX)
CALL(flock_converts, mvfs_flock, w->fs, FD_TEXT, LOCK_EX)
CALL(flock_refused, mvfs_flock, w->fs, FD_PIECES, LOCK_EX | LOCK_NB)
CALL(flock_unlocks, mvfs_flock, w->fs, FD_TEXT, LOCK_UN)
CALL(setlk, mvfs_setlk, w->fs, FD_LARGE,
     &(struct mvfs_lock){ .type = F_WRLCK, .start = 500, .len = 10 }, 0)
CALL(setlk_wait, mvfs_setlk, w->user, FD_PIECES,
     &(struct mvfs_lock){ .type = F_WRLCK, .start = 5, .len = 10 },
     MVFS_LOCK_WAIT)
CALL(setlk_splits, mvfs_setlk, w->fs, FD_TEXT,
     &(struct mvfs_lock){ .type = F_RDLCK, .start = 50, .len = 10 }, 0)
CALL(setlk_unlocks_middle, mvfs_setlk, w->fs, FD_TEXT,
     &(struct mvfs_lock){ .type = F_UNLCK, .start = 50, .len = 10 }, 0)
CALL(setlk_unlocks_all, mvfs_setlk, w->fs, FD_TEXT,
     &(struct mvfs_lock){ .type = F_UNLCK }, 0)
CALL(setlk_ofd, mvfs_setlk, w->fs, FD_LARGE,
     &(struct mvfs_lock){ .type = F_WRLCK, .start = 150, .len = 100 },
     MVFS_LOCK_OFD)
LOOK(getlk, mvfs_getlk, w->user, FD_TEXT, &w->out.lock, 0)

CALL(snapshot, mvfs_snapshot, w->fs, &w->out.snapshot)
LOOK(snapshot_clone, mvfs_snapshot_clone, w->late, &w->out.view)
CALL(restore, mvfs_restore, w->fs, w->late)
CALL(restore_told, mvfs_restore, told(w), w->late)
CALL(restore_early, mvfs_restore, w->user, w->early)
CALL_VOID_THEN(snapshot_release, w->early = NULL, mvfs_snapshot_release,
	       w->early)

LOOK(diff, mvfs_diff, w->fs, w->other, &diff_all, note_difference, w)
LOOK(diff_text, mvfs_diff_text, w->user, w->other, NULL, &w->out.string)
LOOK(diff_strangers, mvfs_diff, w->fs, w->stranger, &diff_all,
     note_difference, w)

CALL(build, mvfs_build, w->fs, tree_text, &w->out.error)
CALL(build_user, mvfs_build, w->user, "./u/new/file data=\"x\"", NULL)
CALL(build_fails_late, mvfs_build, w->fs,
     "./new type=dir\n./new/sub/file data=\"x\"\n./d/text type=dir",
     &w->out.error)
CALL(build_wrong, mvfs_build, w->fs, "x type=none", &w->out.error)
LOOK(expect, mvfs_expect, w->fs, world_text, &w->out.error)
LOOK(expect_other, mvfs_expect, w->fs, "./d/text data=\"other\"",
     &w->out.error)
LOOK(dump, mvfs_dump, w->fs, MVFS_DUMP_DATA | MVFS_DUMP_TIMES,
     &w->out.string)

LOOK(fault_add, mvfs_fault_add, w->fs, "read path=/nowhere errno=EIO", NULL,
     &w->out.error)
LOOK(fault_add_more, mvfs_fault_add, heard(w), "read path=/nowhere short=1",
     NULL, NULL)
LOOK(fault_remove, mvfs_fault_remove, heard(w), 1)
LOOK(fault_clear, mvfs_fault_clear, heard(w))
LOOK(fault_count, mvfs_fault_count, heard(w), 1, NULL, NULL)
LOOK(fault_list, mvfs_fault_list, heard(w), note_fault, w)
LOOK(log_start, mvfs_log_start, w->fs, 10)
LOOK(log_restart, mvfs_log_start, heard(w), 10)
LOOK(log_stop, mvfs_log_stop, heard(w))
LOOK(log_each, mvfs_log_each, heard(w), note_call, w)
LOOK(log_text, mvfs_log_text, heard(w), &w->out.string)
LOOK(expect_log, mvfs_expect_log, heard(w), "! unlink\nstat /", NULL)
LOOK(heard_stat, mvfs_stat, heard(w), "/d/text", &w->out.st)
CALL(heard_unlink, mvfs_unlink, heard(w), "/d/text")
CALL(heard_rename, mvfs_rename, heard(w), "/d/text", "/d/renamed")
CALL(heard_close, mvfs_close, heard(w), FD_TEXT)
CALL(heard_write, mvfs_write_file, heard(w), "/d/text", block, 4096)

LOOK(set_report, mvfs_set_report, w->fs, 0, note_report, w)
LOOK(each_open, mvfs_each_open, w->user, note_report, w)
CALL_VOID(here, mvfs_here, NULL)
LOOK(set_report_strings, mvfs_set_report, w->fs, MVFS_REPORT_STRINGS,
     note_report, w)
LOOK(held_read_string, mvfs_read_string, holding(w), "/d/text", NULL, 0,
     &w->out.string, &w->out.error)
LOOK(held_read_string_gbk, mvfs_read_string, holding(w), "/d/gbk", gbk(), 0,
     &w->out.string, &w->out.error)
LOOK(held_read_file, mvfs_read_file, holding(w), "/d/large", &w->out.string)
CALL(reported_close_again, mvfs_close, reported(w), FD_NEXT)
CALL(reported_open, mvfs_open, reported(w), "/d/text", O_RDONLY, 0)
CALL_PLACED(placed_open, mvfs_open, "/d/text", O_RDWR | O_TRUNC, 0)
CALL_PLACED(placed_dup, mvfs_dup, FD_TEXT)
CALL_PLACED(placed_dup2, mvfs_dup2, FD_TEXT, FD_LARGE)
CALL(crash_start, mvfs_crash_start, w->fs, NULL)
CALL(crash_stop, mvfs_crash_stop, tracked(w))
CALL(crash_point, mvfs_crash_point, tracked(w))
CALL(crash, mvfs_crash, tracked(w), &torn, NULL, &w->out.view)
CALL(crash_first, mvfs_crash, tracked(w), NULL,
     &(struct mvfs_crash_state){ .point = 0 }, &w->out.view)
CALL(crash_snapshot, mvfs_crash_snapshot, tracked(w), NULL, NULL,
     &w->out.snapshot)
/* its text has numbers of inodes, which go on */
CALL_THEN(crash_explain,
	  (mvfs_string_release(&w->out.string),
	   w->out.string = w->fresh.string),
	  mvfs_crash_explain, tracked(w), &torn, NULL, &w->out.string)
CALL(crash_each, mvfs_crash_each, tracked(w), &torn, note_crash, w)
CALL(tracked_rename, mvfs_rename, tracked(w), "/d/pieces", "/d/renamed")
CALL(tracked_fsync, mvfs_fsync, tracked(w), FD_TEXT)
CALL(tracked_sync, mvfs_sync, tracked(w))
CALL(tracked_close, mvfs_close, tracked(w), FD_ORPHAN)
CALL(tracked_write, mvfs_write_file, tracked(w), "/d/text", block, 100)
