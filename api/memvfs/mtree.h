/* SPDX-License-Identifier: MIT */
/*
 * Trees as text: to make one, to hold one against, to write one down.
 *
 * The text is mtree(5), one line a path, as libarchive writes and reads it
 * (`bsdtar -cf - --format=mtree`), with two keywords of our own:
 *
 *     # what a test begins with
 *     /set uid=0 gid=0
 *     . type=dir mode=0755
 *     ./etc/hosts mode=0644 data="127.0.0.1\tlocalhost\n"
 *     ./var/big size=1000000 fill=7
 *     ./bin/sh type=link link=dash
 *     ./dev/null type=char mode=0666 device=native,1,3
 *     ./a type=file inode=1 data="one file"
 *     ./b type=file inode=1
 *
 * Names. One with a slash is a path from the root of the view ("./etc" and
 * "/etc" are the same); one without is in the directory whose line, by a name
 * without a slash, came last, and ".." alone leaves that. Bytes that are blank
 * or not printable, '#', '=' and '\' are written as a backslash and three octal
 * digits; \n, \t, \s and the like are read, too.
 *
 * Keywords. type= is file, dir, link, char, block, fifo or socket; without it
 * what has data= or fill= is a file and what has link= a symlink. mode= is
 * octal; uid=, gid=, size=, nlink= are decimal; time=, of the last change of
 * the content, is seconds.nanoseconds (both are numbers: .5 is 5 ns); device=
 * is a number or native,MAJOR,MINOR. Lines of one inode= are names of one
 * file, whatever resdevice= says; an inode= or nlink= of 0 is unknown.
 * data="..." are the bytes, with the escapes of C; fill=SEED are `size` bytes
 * that follow from the seed (splitmix64, in little-endian order). What a size=
 * adds to the data is zeros. Other keywords of mtree(5) are read and mean
 * nothing, contents= too, for it names a file of the host; there is none for
 * extended attributes. /set gives keywords to the lines that follow, /unset
 * (keywords, or all) takes them back. A line that ends in a backslash goes on
 * in the next; what begins with # is a comment.
 */
#ifndef MEMVFS_MTREE_H
#define MEMVFS_MTREE_H

#include <memvfs/text.h>
#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes what the text says, as the user of the view, who needs the rights to:
 * all of it at once, or, if a line fails, nothing. Directories on the way that
 * have no line are made, too. What is there and is of the type that the line
 * says stays, and is given the attributes that the line names; a file with
 * data=, fill= or size= gets that content (a size alone: zeros). What has no
 * mode= is made with 0777 (directories) or 0666, less the umask. nlink=,
 * optional, ignore and nochange mean nothing here.
 *
 * `error` may be NULL. It tells the place in the text and what is wrong there.
 *
 * Returns 0, or, with nothing changed,
 * -EINVAL  `fs` is NULL, or the text is wrong: the message says line, column
 *          and what was expected there; or a line cannot be made without a
 *          keyword that it has not;
 * -EFAULT  `text` is NULL;
 * -EEXIST  what is there is of another type, or another file than inode= says;
 * -ENOSPC  a limit of the instance is reached;
 * -EACCES, -EPERM  the user may not;
 * -ENOMEM  out of memory;
 * and what resolving a path gives: see memvfs/path.h.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_build(mvfs *fs, const char *text, struct mvfs_error *error);

/*
 * Whether the tree is as the text says. Each line must be there, unless it has
 * `optional`, and each of its keywords must be right; those that are left out
 * are not compared (and with `nochange` none is). Of a directory that has a
 * line, all that is in it must have lines as well, unless it has `ignore` or
 * `nochange`; what is in others does not matter. So the text that mvfs_dump()
 * gives is all of a tree, and "./a/b mode=0600" alone is about one file.
 *
 * nlink= of a directory and mode= of a symlink are not compared. Lines of one
 * inode= must be one file and lines of two must be two; the numbers do not
 * matter. Who the view acts as does not matter: all is looked at.
 *
 * `error` may be NULL. Of the first thing that is not as expected it tells the
 * path, the keyword, what was expected and what was found, of data= and fill=
 * from which byte on, and the place of the line in the text.
 *
 * Returns 0 if it is so, or
 * -EBADMSG  it is not;
 * -EINVAL, -EFAULT  as above;
 * -ENOMEM   out of memory.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int mvfs_expect(mvfs *fs, const char *text,
					struct mvfs_error *error);

/*
 * What mvfs_dump() adds to a line: data= with all bytes of a file but zeros at
 * its end; time=.
 *
 * @since 0.1.0
 */
#define MVFS_DUMP_DATA 1u
#define MVFS_DUMP_TIMES 2u

/*
 * Gives the tree, as seen from the root of the view, as text: in the order of
 * the paths, each on one line with type, mode, uid, gid, size of a file, link
 * of a symlink, device, and, for files of several names, nlink and inode, which
 * is a number that the text counts from 1 on. Equal trees give equal texts.
 * Extended attributes are left out. The text is the caller's, to be released by
 * mvfs_string_release().
 *
 * Returns 0, or
 * -EINVAL  `fs` is NULL, or a flag is not known;
 * -EFAULT  `text` is NULL;
 * -ENOMEM  out of memory, as with the data of a file that is larger.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int mvfs_dump(mvfs *fs, unsigned flags,
				      struct mvfs_string *text);

#ifdef __cplusplus
}
#endif

#endif
