/* SPDX-License-Identifier: MIT */
/* Rows for memvfs/whole.h and memvfs/text.h; included twice, see rows.c. */

LOOK(read_string, mvfs_read_string, w->fs, "/d/text", NULL, 0, &w->out.string,
     &w->out.error)
LOOK(read_string_large, mvfs_read_string, w->fs, "/d/large", gbk(), 0,
     &w->out.string, &w->out.error)
LOOK(read_string_pieces, mvfs_read_string, w->fs, "/d/pieces", NULL, 0,
     &w->out.string, &w->out.error)
LOOK(read_string_reflink, mvfs_read_string, w->fs, "/d/reflink", latin(), 0,
     &w->out.string, &w->out.error)
LOOK(read_string_holes, mvfs_read_string, w->fs, "/d/holes", NULL, 0,
     &w->out.string, &w->out.error)
LOOK(read_string_gbk, mvfs_read_string, w->fs, "/d/gbk", gbk(), 0,
     &w->out.string, &w->out.error)
LOOK(read_string_replaces, mvfs_read_string, w->fs, "/d/gbk", NULL,
     MVFS_REPLACE, &w->out.string, &w->out.error)
LOOK(read_string_malformed, mvfs_read_string, w->fs, "/d/gbk", NULL, 0,
     &w->out.string, &w->out.error)
LOOK(read_string_empty, mvfs_read_string, w->fs, "/d/empty", NULL, 0,
     &w->out.string, &w->out.error)
LOOK(read_string_iconv, mvfs_read_string, w->fs, "/d/gbk", cyrillic(), 0,
     &w->out.string, &w->out.error)
LOOK(read_string_iconv_replaces, mvfs_read_string, w->fs, "/d/gbk", korean(),
     MVFS_REPLACE | MVFS_SKIP_BOM, &w->out.string, &w->out.error)
LOOK(read_string_utf16, mvfs_read_string, w->fs, "/d/gbk", utf16(),
     MVFS_REPLACE, &w->out.string, &w->out.error)
LOOK(fread_string, mvfs_fread_string, w->fs, FD_GBK, gbk(), 0, &w->out.string,
     &w->out.error)
LOOK(fread_string_orphan, mvfs_fread_string, w->fs, FD_ORPHAN, NULL, 0,
     &w->out.string, &w->out.error)
LOOK(read_file, mvfs_read_file, w->fs, "/d/text", &w->out.string)
LOOK(read_file_pieces, mvfs_read_file, w->fs, "/d/pieces", &w->out.string)
LOOK(read_file_holes, mvfs_read_file, w->fs, "/d/holes", &w->out.string)

CALL(write_string, mvfs_write_string, w->fs, "/d/large", &w->string, NULL,
     &w->out.error)
CALL(write_string_new, mvfs_write_string, w->fs, "/d/new", &w->string, NULL,
     &w->out.error)
CALL(write_string_slice, mvfs_write_string, w->fs, "/d/pieces", &w->slice,
     NULL, &w->out.error)
CALL(write_string_gbk, mvfs_write_string, w->fs, "/d/text", &w->string, gbk(),
     &w->out.error)
CALL(write_string_own_memory, mvfs_write_string, w->fs, "/d/new",
     &(struct mvfs_string){ "some text", 9, 0, NULL }, NULL, &w->out.error)
CALL(write_string_by_user, mvfs_write_string, w->user, "setuid", &w->string,
     NULL, &w->out.error)
CALL(write_file, mvfs_write_file, w->fs, "/d/pieces", block, sizeof(block))
CALL(write_file_new, mvfs_write_file, w->fs, "/many/new", block, sizeof(block))
CALL(write_file_empty, mvfs_write_file, w->fs, "/d/text", NULL, 0)
CALL_BIG(write_file_big, mvfs_write_file, w->fs, "/d/new", big, BIG)
CALL(write_adopt, mvfs_write_adopt, w->fs, "/d/pieces", block, sizeof(block),
     note_free, w)
CALL(write_adopt_new, mvfs_write_adopt, w->fs, "/d/new", block, sizeof(block),
     note_free, w)
CALL(write_adopt_empty, mvfs_write_adopt, w->fs, "/d/text", block, 0,
     note_free, w)
CALL(write_adopt_refused, mvfs_write_adopt, w->fs, "/d/fifo", block, 1,
     note_free, w)
CALL(append_string, mvfs_append_string, w->fs, "/d/large", &w->string, NULL,
     &w->out.error)
CALL(append_string_pieces, mvfs_append_string, w->fs, "/d/pieces", &w->string,
     gbk(), &w->out.error)
CALL(append_string_holes, mvfs_append_string, w->fs, "/d/holes", &w->slice,
     NULL, &w->out.error)
CALL(append_string_empty, mvfs_append_string, w->fs, "/d/empty", &w->slice,
     NULL, &w->out.error)
CALL(append_string_part, mvfs_append_string, w->fs, "/d/empty", &w->part,
     NULL, &w->out.error)
CALL(append_string_new, mvfs_append_string, w->fs, "/d/new", &w->string, NULL,
     &w->out.error)
CALL(append_string_new_gbk, mvfs_append_string, w->fs, "/many/new", &w->string,
     gbk(), &w->out.error)
CALL(append_string_own_memory, mvfs_append_string, w->fs, "/d/new",
     &(struct mvfs_string){ "some text", 9, 0, NULL }, NULL, &w->out.error)
CALL(append_string_by_user, mvfs_append_string, w->user, "setuid", &w->string,
     NULL, &w->out.error)
LOOK(read_lines, mvfs_read_lines, w->fs, "/d/text", NULL, 0, 0, UINT64_MAX,
     &w->out.lines, &w->out.error)
LOOK(read_lines_pieces, mvfs_read_lines, w->fs, "/d/pieces", latin(), 0, 0, 1,
     &w->out.lines, &w->out.error)
LOOK(fread_lines, mvfs_fread_lines, w->fs, FD_GBK, gbk(), 0, 0, UINT64_MAX,
     &w->out.lines, &w->out.error)

LOOK(host_read_string, mvfs_host_read_string, AT_FDCWD, w->host_path, NULL, 0,
     &w->out.string, &w->out.error)
LOOK(host_read_string_latin, mvfs_host_read_string, AT_FDCWD, w->host_path,
     latin(), 0, &w->out.string, &w->out.error)
LOOK(host_read_string_sizeless, mvfs_host_read_string, AT_FDCWD,
     "/proc/version", latin(), 0, &w->out.string, &w->out.error)

LOOK_STRING(string_share, mvfs_string_share, &w->string)
LOOK_STRING(string_slice, mvfs_string_slice, &w->string, 3, 20)
CALL_VOID(string_release, mvfs_string_release, &w->slice)
CALL(string_compact, mvfs_string_compact, &w->part)
LOOK(string_compact_large, mvfs_string_compact, &w->string)
LOOK(string_compare, mvfs_string_compare, &w->string, &w->slice)
LOOK(string_equal, mvfs_string_equal, &w->string, &w->slice)
CALL(string_next_line, mvfs_string_next_line, &w->slice, &w->out.string)
CALL(string_next_part, mvfs_string_next_part, &w->slice, " ", 1,
     &w->out.string)
LOOK(string_lines, mvfs_string_lines, &w->string, 0, UINT64_MAX,
     &w->out.lines)
LOOK(string_lines_none, mvfs_string_lines, &w->string, 5, 1, &w->out.lines)
CALL_VOID(lines_release, mvfs_lines_release, &w->lines)
CALL_POINTER(string_cstr, mvfs_string_cstr, &w->slice)
LOOK_POINTER(string_cstr_terminated, mvfs_string_cstr, &w->string)
CALL_MEMORY(string_steal, mvfs_string_steal, &w->string)
LOOK(string_copy, mvfs_string_copy, "some text", 9, &w->out.string)
LOOK(decode, mvfs_decode, GBK_TEXT, sizeof(GBK_TEXT) - 1, gbk(), 0,
     &w->out.string, &w->out.error)
LOOK(decode_ascii, mvfs_decode, block, sizeof(block), NULL, 0, &w->out.string,
     &w->out.error)
LOOK(decode_replaces, mvfs_decode, GBK_TEXT, sizeof(GBK_TEXT) - 1, NULL,
     MVFS_REPLACE, &w->out.string, &w->out.error)
LOOK(decode_iconv_malformed, mvfs_decode, "\xb0", 1, korean(), 0,
     &w->out.string, &w->out.error)
LOOK(encode_iconv, mvfs_encode, UTF8_TEXT, sizeof(UTF8_TEXT) - 1, cyrillic(),
     MVFS_REPLACE, &w->out.string, &w->out.error)
LOOK(encode_utf16, mvfs_encode, UTF8_TEXT, sizeof(UTF8_TEXT) - 1, utf16(), 0,
     &w->out.string, &w->out.error)
LOOK(encode, mvfs_encode, UTF8_TEXT, sizeof(UTF8_TEXT) - 1, gbk(), 0,
     &w->out.string, &w->out.error)
LOOK(encode_replaces, mvfs_encode, UTF8_TEXT, sizeof(UTF8_TEXT) - 1, latin(),
     MVFS_REPLACE, &w->out.string, &w->out.error)
