/* SPDX-License-Identifier: MIT */
/*
 * What may differ between memvfs and the kernel's tmpfs, and nothing else:
 * the table, and the one function that asks it while a test runs. The other
 * entries are held by how results are compared (compare.c) or by what is
 * drawn (gen.c), which name them.
 */
#include "config.h"

#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

static const struct {
	const char *what, *why;
} table[LEGAL_COUNT] = {
	[LEGAL_INODE_NUMBERS] = {
		"inode numbers",
		"each file system counts its own; that the same names have "
		"the same inode is compared" },
	[LEGAL_DEVICE_NUMBERS] = {
		"st_dev", "differs between instances by definition" },
	[LEGAL_LISTING_ORDER] = {
		"the order of listings",
		"tmpfs lists the newest first; sets are compared, and that "
		"memvfs sorts" },
	[LEGAL_TIME_VALUES] = {
		"the values of times that are \"now\"",
		"two clocks; which times an operation moved is compared, and "
		"the values where they were set" },
	[LEGAL_COARSE_CLOCK] = {
		"a time that memvfs moved and the kernel maybe did",
		"before Linux 6.13 tmpfs counts in ticks, so a move within "
		"one cannot be seen; only where the tick had passed is it "
		"held against memvfs" },
	[LEGAL_ATIME] = {
		"atime after a read",
		"memvfs never moves it, as a noatime mount; where tmpfs "
		"could not be mounted so, atime is not compared" },
	[LEGAL_STATFS] = {
		"statfs",
		"tmpfs counts names as inodes and has the machine's memory "
		"as its size; memvfs's counts are held against its tree" },
	[LEGAL_OPEN_SPECIAL] = {
		"opening a fifo, a socket or a device",
		"-ENXIO in memvfs: there is nobody at the other end; "
		"permissions are compared" },
	[LEGAL_FLAGS_WITHOUT_EFFECT] = {
		"O_NONBLOCK, O_CLOEXEC, O_LARGEFILE and the like in the "
		"flags of an open file, and flags that open(2) ignores",
		"memvfs accepts those that change nothing, and refuses "
		"unknown ones" },
	[LEGAL_ZERO_RANGE] = {
		"fallocate with ZERO_RANGE",
		"works in memvfs; tmpfs is made to do the same by punching "
		"a hole and reserving it" },
	[LEGAL_CLONE_FILE] = {
		"cloning a file",
		"works in memvfs; tmpfs is made to do the same by copying "
		"what holds data; not done where the source has reserved "
		"blocks, which tmpfs does not tell" },
	[LEGAL_COPY_HOLES] = {
		"where a copied hole is",
		"copy_file_range of tmpfs writes zeros, memvfs shares what "
		"is there: layout and st_blocks of a file that was copied "
		"to are not compared until it is empty again" },
	[LEGAL_LAST_PAGE] = {
		"data in the last page below 2^63",
		"SEEK_DATA of tmpfs does not find it: its end overflows; "
		"layout of files of that size is not compared" },
	[LEGAL_RESERVED_TWICE] = {
		"SEEK_DATA after fallocate of what was reserved before",
		"tmpfs clears such blocks and calls them data from then on; "
		"in memvfs they stay reserved" },
	[LEGAL_LONG_SYMLINKS] = {
		"st_blocks of a symlink to 128 bytes or more",
		"tmpfs keeps such a target in a page; memvfs's blocks are "
		"those of files" },
	[LEGAL_LINK_EMPTY_PATH] = {
		"linkat with AT_EMPTY_PATH as an ordinary user",
		"the kernel asks for a capability, or from Linux 6.10 for "
		"the user who opened the file" },
	[LEGAL_XATTRS_OF_CWD] = {
		"listxattrat and removexattrat of AT_FDCWD with \"\" and "
		"AT_EMPTY_PATH",
		"-EBADF in Linux, which lets getxattrat and setxattrat" },
	[LEGAL_PROTECTED] = {
		"hard links to others' files, sticky directories with "
		"fs.protected_hardlinks, _symlinks, _regular, _fifos",
		"policies of the machine, not of a file system" },
	[LEGAL_ACL] = {
		"system.posix_acl_access and _default",
		"memvfs has no ACLs yet: no such attribute is drawn" },
	[LEGAL_OWN_OFD_LOCKS] = {
		"F_OFD_GETLK with F_UNLCK",
		"lists one's own locks from Linux 6.6 on, -EINVAL before and "
		"in memvfs" },
	[LEGAL_MOUNT_CHOWN] = {
		"through a mount, a chown that sets neither id",
		"the kernel answers it itself, without moving ctime; not "
		"drawn" },
	[LEGAL_AT_THE_LIMIT] = {
		"copies, whole files, ZERO_RANGE and long symlinks when the "
		"limit of bytes is tested",
		"they occupy other blocks in tmpfs (see the holes, clones and "
		"symlinks above), or are all or nothing in memvfs alone; not "
		"drawn" },
	[LEGAL_FAILED_WRITE] = {
		"times, setuid and setgid after a write without room",
		"tmpfs changes them before it writes; in memvfs what fails "
		"changes nothing" },
	[LEGAL_MOUNT_LACKS] = {
		"through a mount, FICLONE, and O_TMPFILE with libfuse before "
		"3.15",
		"FUSE has no message for it; not drawn" },
	[LEGAL_MOUNT_ORDER] = {
		"through a mount, another error than EACCES or EPERM for "
		"ordinary users",
		"the kernel asks the file system for permission last, after "
		"what it sees itself to be wrong (types, names)" },
	[LEGAL_MOUNT_DOTS] = {
		"through a mount, \".\" and \"..\" behind a directory that "
		"may not be searched",
		"the kernel walks them without asking the file system; not "
		"drawn for ordinary users" }
};

void legal_print(void)
{
	unsigned i;

	for (i = 0; i < LEGAL_COUNT; i++)
		printf("%s\n\t%s\n", table[i].what, table[i].why);
}

bool legal_refusal(const struct facts *facts, const struct op *op, int64_t ret)
{
	if (op->code != OP_LINK && op->code != OP_LINKAT)
		return false;
	if (op->user == 0 && facts->several_users)
		return false;
	if (ret == -EPERM && facts->hardlinks_guarded)
		return true; /* LEGAL_PROTECTED */
	return ret == -ENOENT && op->code == OP_LINKAT &&
	       op->flags & AT_EMPTY_PATH; /* LEGAL_LINK_EMPTY_PATH */
}

bool legal_error(const struct facts *facts, const struct op *op,
		 int64_t kernel, int64_t memvfs)
{
	if (facts->fuse && op->user && (kernel == -EACCES || kernel == -EPERM))
		return memvfs < 0; /* LEGAL_MOUNT_ORDER */
	/* LEGAL_PROTECTED: of symlinks that holds whatever the policy is */
	return (op->code == OP_OPEN || op->code == OP_OPENAT) &&
	       (op->flags & O_CREAT) && (op->flags & O_NOFOLLOW) &&
	       kernel == -EACCES && memvfs == -ELOOP;
}
