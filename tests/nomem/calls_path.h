/* SPDX-License-Identifier: MIT */
/* Rows for memvfs/path.h and memvfs/xattrs.h; included twice, see rows.c. */

/* looking */
LOOK(stat, mvfs_stat, w->fs, "/d/text", &w->out.st)
LOOK(lstat, mvfs_lstat, w->fs, "/d/link", &w->out.st)
LOOK(fstat, mvfs_fstat, w->fs, FD_ORPHAN, &w->out.st)
LOOK(statat, mvfs_statat, w->fs, FD_LINK, "", AT_EMPTY_PATH, &w->out.st)
LOOK(access, mvfs_access, w->user, "/d/text", R_OK)
LOOK(accessat, mvfs_accessat, w->fs, FD_DIR, "text", R_OK | W_OK, 0)
LOOK(readlink, mvfs_readlink, w->fs, "/d/link", w->out.bytes, 100)
LOOK(readlinkat, mvfs_readlinkat, w->fs, FD_LINK, "", w->out.bytes, 100)
LOOK(realpath, mvfs_realpath, w->fs, "dirlink/../sub/deep", w->out.bytes, 4096)
LOOK(statfs, mvfs_statfs, w->fs, &w->out.statfs)

/* attributes */
CALL(chmod_file, mvfs_chmod, w->fs, "/d/text", 0600)
CALL(chmod_dir, mvfs_chmod, w->fs, "/d/sub", 0700)
CALL(chmod_orphan_dir, mvfs_chmod, w->stray, ".", 0700)
CALL(fchmod, mvfs_fchmod, w->fs, FD_ORPHAN, 0600)
CALL(chmodat, mvfs_chmodat, w->fs, FD_DIR, "text", 01777, 0)
CALL(chown, mvfs_chown, w->fs, "/u/setuid", 5, 6)
CALL(lchown, mvfs_lchown, w->fs, "/d/link", 5, 6)
CALL(fchown, mvfs_fchown, w->fs, FD_LARGE, 5, (uint32_t)-1)
CALL(chownat, mvfs_chownat, w->fs, FD_LINK, "", 5, 6, AT_EMPTY_PATH)
CALL(utimens_now, mvfs_utimens, w->user, "/u/mine", NULL)
CALL(utimens, mvfs_utimens, w->fs, "/d/text",
     (struct mvfs_time[]){ { 5, 6, 0 }, { 7, 8, 0 } })
CALL(futimens, mvfs_futimens, w->fs, FD_TMPFILE, NULL)
CALL(utimensat, mvfs_utimensat, w->fs, FD_DIR, "link",
     (struct mvfs_time[]){ { 5, 6, 0 }, { 0, MVFS_TIME_OMIT, 0 } },
     AT_SYMLINK_NOFOLLOW)

/* making */
CALL(mkdir, mvfs_mkdir, w->fs, "/d/new", 0777)
CALL(mkdir_among_many, mvfs_mkdir, w->fs, "/many/new", 0777)
CALL(mkdir_in_setgid, mvfs_mkdir, w->user, "new", 0777)
CALL(mkdir_first, mvfs_mkdir, w->fs, "/e/empty/new", 0777)
CALL(mkdirat, mvfs_mkdirat, w->fs, FD_DIR, "new", 0777)
CALL(mkdir_there, mvfs_mkdir, w->fs, "/d/sub", 0777)
CALL(mknod, mvfs_mknod, w->fs, "/d/new", S_IFREG | 0644, 0)
CALL(mknodat, mvfs_mknodat, w->fs, FD_DIR, "new", S_IFCHR | 0644, 0x0103)
CALL(symlink, mvfs_symlink, w->fs, "where/it/leads", "/d/new")
CALL(symlinkat, mvfs_symlinkat, w->fs, "where/it/leads", FD_DIR, "new")
CALL(link_second, mvfs_link, w->fs, "/d/text", "/e/new")
CALL(link_fourth, mvfs_link, w->fs, "/e/two", "/many/new")
CALL(link_symlink, mvfs_link, w->fs, "/d/link", "/d/new")
CALL(linkat_tmpfile, mvfs_linkat, w->fs, FD_TMPFILE, "", MVFS_AT_FDCWD,
     "/e/new", AT_EMPTY_PATH)
CALL(linkat_follow, mvfs_linkat, w->fs, FD_DIR, "link", FD_DIR, "new",
     AT_SYMLINK_FOLLOW)

/* removing */
CALL(unlink_last, mvfs_unlink, w->fs, "/d/gbk2")
CALL(unlink_held, mvfs_unlink, w->fs, "/d/large")
CALL(unlink_second, mvfs_unlink, w->fs, "/e/two")
CALL(unlink_one_of_two, mvfs_unlink, w->fs, "/d/pair")
CALL(unlink_only, mvfs_unlink, w->fs, "/e/single/name")
CALL(unlink_among_many, mvfs_unlink, w->fs, "/many/file-33")
CALL(unlinkat, mvfs_unlinkat, w->fs, FD_DIR, "link", 0)
CALL(unlinkat_dir, mvfs_unlinkat, w->fs, MVFS_AT_FDCWD, "/e/empty",
     AT_REMOVEDIR)
CALL(rmdir, mvfs_rmdir, w->fs, "/e/empty")
CALL(rmdir_held, mvfs_rmdir, w->fs, "/d/sub/deep")
CALL(rmdir_full, mvfs_rmdir, w->fs, "/d/sub")

/* renaming */
CALL(rename_file, mvfs_rename, w->fs, "/d/text", "/d/new")
CALL(rename_away, mvfs_rename, w->fs, "/d/text", "/e/new")
CALL(rename_among_many, mvfs_rename, w->fs, "/many/file-7", "/many/new")
CALL(rename_link, mvfs_rename, w->fs, "/e/two", "/many/new")
LOOK(rename_same_inode, mvfs_rename, w->fs, "/e/two", "/e/three")
CALL(rename_over, mvfs_rename, w->fs, "/d/text", "/e/file")
CALL(rename_over_held, mvfs_rename, w->fs, "/d/text", "/d/large")
CALL(rename_over_link, mvfs_rename, w->fs, "/d/text", "/e/two")
CALL(rename_dir, mvfs_rename, w->fs, "/d/sub", "/e/new")
CALL(rename_dir_over, mvfs_rename, w->fs, "/d/sub", "/e/empty")
CALL(renameat_new, mvfs_renameat, w->fs, FD_DIR, "text", FD_DIR, "new",
     MVFS_RENAME_NOREPLACE)
CALL(renameat_swap, mvfs_renameat, w->fs, MVFS_AT_FDCWD, "/d/sub",
     MVFS_AT_FDCWD, "/e/file", MVFS_RENAME_EXCHANGE)
CALL(renameat_swap_links, mvfs_renameat, w->fs, MVFS_AT_FDCWD, "/e/one",
     MVFS_AT_FDCWD, "/many/file-3", MVFS_RENAME_EXCHANGE)
CALL(renameat_swap_beside, mvfs_renameat, w->fs, FD_DIR, "text", FD_DIR,
     "large", MVFS_RENAME_EXCHANGE)

/* extended attributes */
CALL(setxattr_first, mvfs_setxattr, w->fs, "/d/large", "user.new", "value",
     5, 0)
CALL(setxattr_second, mvfs_setxattr, w->fs, "/d/text", "user.new", "value",
     5, MVFS_XATTR_CREATE)
CALL(setxattr_again, mvfs_setxattr, w->fs, "/d/text", "user.a", "other", 5,
     MVFS_XATTR_REPLACE)
CALL(fsetxattr, mvfs_fsetxattr, w->fs, FD_ORPHAN, "trusted.a", "", 0, 0)
CALL(setxattrat, mvfs_setxattrat, w->fs, FD_DIR, "link", AT_SYMLINK_NOFOLLOW,
     "trusted.a", "value", 5, 0)
LOOK(getxattr, mvfs_getxattr, w->fs, "/d/text", "user.a", w->out.bytes, 100)
LOOK(fgetxattr, mvfs_fgetxattr, w->fs, FD_TEXT, "user.a", w->out.bytes, 100)
LOOK(getxattrat, mvfs_getxattrat, w->fs, FD_DIR, "text", 0, "trusted.b",
     w->out.bytes, 1000)
LOOK(listxattr, mvfs_listxattr, w->fs, "/d/text", w->out.bytes, 100)
LOOK(flistxattr, mvfs_flistxattr, w->fs, FD_TEXT, w->out.bytes, 100)
LOOK(listxattrat, mvfs_listxattrat, w->fs, FD_DIR, "text", 0, w->out.bytes,
     100)
CALL(removexattr_one, mvfs_removexattr, w->fs, "/d/text", "user.a")
CALL(removexattr_last, mvfs_removexattr, w->fs, "/d", "user.c")
CALL(fremovexattr, mvfs_fremovexattr, w->fs, FD_TEXT, "trusted.b")
CALL(removexattrat, mvfs_removexattrat, w->fs, FD_DIR, "text", 0, "user.a")
