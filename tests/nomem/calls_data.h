/* SPDX-License-Identifier: MIT */
/* Rows for memvfs/data.h; included twice, see rows.c. */

CALL_ON_OUT(data_put_nothing, mvfs_data_do_more, 8)
CALL_ON_OUT(data_put_bytes, mvfs_data_do_bytes, big, BIG)
CALL_ON_OUT(data_put_array, mvfs_data_do_array, big, BIG / 8, 8, 0)
CALL_ON_OUT(data_put_utf, mvfs_data_do_utf, "a\0b", 3, NULL)
CALL_ON_OUT(data_put_chars, mvfs_data_do_units, UTF8_TEXT,
	    sizeof(UTF8_TEXT) - 1, 0, NULL)
CALL_ON_FILE(data_put_bytes_to_file, FD_PIECES, mvfs_data_do_bytes, block,
	     sizeof(block))
CALL_ON_FILE(data_put_array_to_file, FD_HOLES, mvfs_data_do_array, block,
	     sizeof(block) / 2, 2, 0)
CALL_ON_FILLED(data_out_string, mvfs_data_do_string, &w->out.string)
CALL_ON_FILLED(data_out_file, mvfs_data_do_file, w->fs, "/d/pieces")
CALL_ON_FILLED(data_out_file_new, mvfs_data_do_file, w->user, "new")
LOOK(data_in_file, read_stream, w, "/d/pieces")
LOOK(data_in_file_holes, read_stream, w, "/d/holes")
CALL_ON_IN(data_get_string, mvfs_data_get_string, 5, &w->out.string)
CALL_ON_IN(data_get_utf, mvfs_data_get_utf, &w->out.string, &w->out.error)
CALL_ON_IN(data_get_line, mvfs_data_get_line, &w->out.string)
