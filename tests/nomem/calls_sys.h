/* SPDX-License-Identifier: MIT */
/* Rows for memvfs/sys.h; included twice, see rows.c. */

CALL(sys_attach, mvfs_sys_attach, w->fs, 0, &w->out.view)
CALL(sys_attach_caching, mvfs_sys_attach, w->fs, MVFS_SYS_CACHES, &w->out.view)
LOOK(sys_listen, mvfs_sys_listen, w->adapter,
     &(struct mvfs_sys_listener){ .after = ignore_change })
LOOK(sys_root, mvfs_sys_root, w->fs)
CALL_VOID(sys_unpin, mvfs_sys_unpin, w->adapter, w->text, 1)
CALL_VOID(sys_unpin_orphan, mvfs_sys_unpin, w->adapter, w->pinned, 1)
LOOK(sys_lookup, mvfs_sys_lookup, w->adapter, &actor, w->d, "text", 0,
     &w->out.st)
CALL(sys_lookup_pins, mvfs_sys_lookup, w->adapter, &actor, w->d, "link", 1,
     &w->out.st)
CALL(sys_lookup_pins_again, mvfs_sys_lookup, w->adapter, &actor, w->d, "text",
     1, &w->out.st)
CALL(sys_lookup_first_pin, mvfs_sys_lookup, w->fs, NULL, w->e, "file", 3,
     &w->out.st)
LOOK(sys_stat, mvfs_sys_stat, w->adapter, w->pinned, &w->out.st)
LOOK(sys_access, mvfs_sys_access, w->adapter, &actor, w->text, R_OK)
CALL(sys_setattr, mvfs_sys_setattr, w->adapter, NULL, w->text, NULL,
     MVFS_SET_MODE | MVFS_SET_UID | MVFS_SET_SIZE | MVFS_SET_MTIME,
     &(struct mvfs_stat){ .mode = 0600, .uid = 9, .size = 3,
			  .mtime = { 4, 5, 0 } }, &w->out.st)
CALL(sys_setattr_file, mvfs_sys_setattr, w->adapter, &actor, w->pieces,
     w->file[FILE_PIECES], MVFS_SET_SIZE,
     &(struct mvfs_stat){ .size = PIECE + 10 }, NULL)
CALL(sys_setattr_pinned, mvfs_sys_setattr, w->adapter, NULL, w->pinned, NULL,
     MVFS_SET_MODE, &(struct mvfs_stat){ .mode = 0600 }, &w->out.st)
LOOK(sys_readlink, mvfs_sys_readlink, w->adapter, w->link, w->out.bytes, 100)
CALL(sys_mknod, mvfs_sys_mknod, w->adapter, NULL, w->d, "new",
     S_IFREG | 0644, 0, 1, &w->out.st)
CALL(sys_mknod_unpinned, mvfs_sys_mknod, w->adapter, NULL, w->d, "new",
     S_IFIFO | 0644, 0, 0, NULL)
CALL(sys_mknod_there, mvfs_sys_mknod, w->adapter, NULL, w->d, "text",
     S_IFREG | 0644, 0, 1, &w->out.st)
CALL(sys_mkdir, mvfs_sys_mkdir, w->adapter, &actor, w->u, "new", 0755, 1,
     &w->out.st)
CALL(sys_symlink, mvfs_sys_symlink, w->adapter, NULL, "target", w->d, "new",
     2, &w->out.st)
CALL(sys_unlink, mvfs_sys_unlink, w->adapter, NULL, w->d, "text")
CALL(sys_rmdir, mvfs_sys_rmdir, w->adapter, NULL, w->e, "empty")
CALL(sys_rename, mvfs_sys_rename, w->adapter, NULL, w->d, "text", w->e,
     "file", 0)
CALL(sys_link, mvfs_sys_link, w->adapter, NULL, w->text, w->e, "new", 1,
     &w->out.st)
CALL(sys_link_symlink, mvfs_sys_link, w->adapter, NULL, w->link, w->e, "new",
     0, NULL)
CALL(sys_link_tmpfile, mvfs_sys_link, w->adapter, NULL, w->tmpfile, w->e,
     "new", 1, &w->out.st)
CALL(sys_open, mvfs_sys_open, w->adapter, &actor, w->text, O_RDONLY,
     &w->out.file)
CALL(sys_open_dir, mvfs_sys_open, w->adapter, NULL, w->e, O_DIRECTORY,
     &w->out.file)
CALL(sys_open_pinned, mvfs_sys_open, w->adapter, NULL, w->pinned,
     O_RDWR | O_TRUNC, &w->out.file)
CALL(sys_create_new, mvfs_sys_create, w->adapter, NULL, w->d, "new", 0644,
     O_RDWR, 1, &w->out.st, &w->out.created, &w->out.file)
CALL(sys_create_there, mvfs_sys_create, w->adapter, NULL, w->d, "pieces",
     0644, O_RDWR | O_TRUNC, 1, &w->out.st, &w->out.created, &w->out.file)
CALL(sys_tmpfile, mvfs_sys_tmpfile, w->adapter, NULL, w->d, 0600, O_RDWR, 0,
     &w->out.st, &w->out.file)
CALL(sys_tmpfile_pinned, mvfs_sys_tmpfile, w->adapter, NULL, w->d, 0600,
     O_RDWR, 1, &w->out.st, &w->out.file)
CALL_THEN(sys_close, w->file[FILE_TEXT] = NULL, mvfs_sys_close, w->adapter,
	  w->file[FILE_TEXT])
CALL_THEN(sys_close_tmpfile, w->file[FILE_TMPFILE] = NULL, mvfs_sys_close,
	  w->adapter, w->file[FILE_TMPFILE])
LOOK(sys_read, mvfs_sys_read, w->adapter, w->file[FILE_PIECES], w->out.bytes,
     8000, 100)
CALL(sys_write, mvfs_sys_write, w->adapter, NULL, w->file[FILE_HOLES], block,
     sizeof(block), 3000, 0)
CALL(sys_write_append, mvfs_sys_write, w->adapter, &actor,
     w->file[FILE_PIECES], block, sizeof(block), 0, 1)
CALL(sys_write_setuid, mvfs_sys_write, w->adapter, &actor,
     w->file[FILE_SETUID], "x", 1, 0, 0)
LOOK(sys_extents, mvfs_sys_extents, w->adapter, w->file[FILE_HOLES], 100,
     100000, w->out.extents, 8)
CALL_VOID(sys_extents_release, mvfs_sys_extents_release, w->extents,
	  w->extent_count)
LOOK(sys_seek, mvfs_sys_seek, w->adapter, w->file[FILE_HOLES], 0, SEEK_HOLE)
CALL(sys_fallocate, mvfs_sys_fallocate, w->adapter, NULL,
     w->file[FILE_HOLES], MVFS_ZERO_RANGE, 3000, 30000)
CALL_RESUMES_THEN(sys_copy_range, move_offsets(w, rc), mvfs_sys_copy_range,
		  w->adapter, NULL, w->file[FILE_PIECES], w->out.in_offset,
		  w->file[FILE_HOLES], w->out.out_offset, 1 << 20)
CALL(sys_copy_range_shares, mvfs_sys_copy_range, w->adapter, &actor,
     w->file[FILE_PIECES], 4096, w->file[FILE_SETUID], 8192, 20000)
LOOK(sys_fsync, mvfs_sys_fsync, w->adapter, w->file[FILE_TEXT], 0)
LOOK(sys_list, mvfs_sys_list, w->adapter, w->file[FILE_DIR], 0,
     w->out.entries, 8)
CALL(sys_setxattr, mvfs_sys_setxattr, w->adapter, NULL, w->text, "user.new",
     "value", 5, 0)
LOOK(sys_getxattr, mvfs_sys_getxattr, w->adapter, NULL, w->text, "user.a",
     w->out.bytes, 100)
LOOK(sys_listxattr, mvfs_sys_listxattr, w->adapter, NULL, w->text,
     w->out.bytes, 100)
CALL(sys_removexattr, mvfs_sys_removexattr, w->adapter, NULL, w->text,
     "user.a")
CALL(sys_flock_weaker, mvfs_sys_flock, w->adapter, w->file[FILE_PIECES],
     LOCK_SH)
CALL(sys_flock_converts, mvfs_sys_flock, w->adapter, w->file[FILE_HOLES],
     LOCK_EX)
CALL(sys_setlk, mvfs_sys_setlk, w->adapter, w->file[FILE_TEXT], OWNER,
     &(struct mvfs_lock){ .type = F_RDLCK, .start = 350, .len = 10 })
LOOK(sys_getlk, mvfs_sys_getlk, w->adapter, w->file[FILE_TEXT], OWNER + 1,
     &w->out.lock)
CALL(sys_flush, mvfs_sys_flush, w->adapter, w->file[FILE_TEXT], OWNER)
LOOK(sys_locks_wait, mvfs_sys_locks_wait, w->adapter, 0, 0)
CALL_VOID(sys_locks_wake, mvfs_sys_locks_wake, w->adapter)
