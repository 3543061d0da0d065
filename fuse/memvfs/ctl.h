/* SPDX-License-Identifier: MIT */
/*
 * Speaking to a mount: faults, the log, snapshots and counts of the process
 * that serves it, from another process. memvfs(1), `memvfs ctl`, is made of
 * this; others may speak it too.
 *
 *	struct mvfs_ctl c = { .command = MVFS_CTL_SNAPSHOT, .length = 5 };
 *
 *	memcpy(c.text, "clean", 5);
 *	fd = open("/mnt", MVFS_CTL_OPEN);
 *	if (fd < 0 || ioctl(fd, MVFS_CTL, &c) < 0)
 *		perror("/mnt");
 *	else if (c.code)
 *		fprintf(stderr, "%.*s\n", (int)c.length, c.text);
 *
 * Only the user who mounted, and root, may do that; all others get EPERM, or
 * where the mount was made without allow_other EACCES, root as well. The
 * descriptor, which must be one of the directory that is mounted on, is good
 * for nothing else. To have it is no call on the tree: no fault rule meets
 * it, and no log has it; so a rule that fails everything can be removed.
 *
 * Nothing here is called in the library: it is about the kernel's types and
 * one ioctl. Linux only.
 */
#ifndef MEMVFS_CTL_H
#define MEMVFS_CTL_H

#include <stdint.h>

#include <fcntl.h>
#include <sys/ioctl.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How the directory is opened. Flags that nobody opens a directory with tell
 * that it is for this. Without the last two, the descriptor is an ordinary
 * one, and the ioctl ENOTTY.
 *
 * @since 0.1.0
 */
#define MVFS_CTL_OPEN (O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_SYNC)

/*
 * What is wanted. `text` in and out is without a terminating zero byte; of
 * those that have a long answer, the first part is in the reply, and
 * MVFS_CTL_MORE gives the rest.
 *
 * @since 0.1.0
 */
/* The next part of the last answer: from byte `number` on. */
#define MVFS_CTL_MORE 1u
/* The text stands before that of the next request of another kind: for what
 * is longer than a request has room for. At most 16 MiB in all. */
#define MVFS_CTL_PUT 2u
/* Adds the rule `text`; its number is in `number`. */
#define MVFS_CTL_FAULT_ADD 3u
/* Removes rule `number`. */
#define MVFS_CTL_FAULT_REMOVE 4u
#define MVFS_CTL_FAULT_CLEAR 5u
/* Answers with a line for each rule: its number, how many calls it was for,
 * to how many it did something, and its text, with blanks between. */
#define MVFS_CTL_FAULT_LIST 6u
/* Starts a log with room for `number` calls; 0: mvfs_log_start()'s own. */
#define MVFS_CTL_LOG_START 7u
#define MVFS_CTL_LOG_STOP 8u
/* Answers with mvfs_log_text(). */
#define MVFS_CTL_LOG_SHOW 9u
/* mvfs_expect_log() of `text`. */
#define MVFS_CTL_LOG_EXPECT 10u
/* Takes a snapshot, and names it: 1 to 255 bytes, none of which is a control
 * character. It lives until it is dropped, or the mount ends. */
#define MVFS_CTL_SNAPSHOT 11u
/* mvfs_restore() of the snapshot of that name. */
#define MVFS_CTL_RESTORE 12u
#define MVFS_CTL_SNAPSHOT_DROP 13u
/* Answers with the names, one on a line, in the order in which they were
 * taken. */
#define MVFS_CTL_SNAPSHOT_LIST 14u
/* Answers with mvfs_stats() of the process, a line a member, as
 * "copies 17". */
#define MVFS_CTL_STATS 15u
/*
 * Power cuts (memvfs/crash.h). `text` is words with blanks between: of START
 * policy=ordered|posix, data= (of lost, kept, torn, garbage, with commas
 * between), fsync=stays|forgotten|reverted, sector=BYTES, states=N, seed=N,
 * which are the members of struct mvfs_crash_options. CRASH cuts the power:
 * the tree becomes what is found then, as by mvfs_crash_snapshot() and
 * mvfs_restore(); at point=N in the state choice=N, where these are left out
 * now, and all that is in doubt is lost. Other words are those of START, and
 * hold for this cut alone. EXPLAIN takes the same, changes nothing, and
 * answers with mvfs_crash_explain(). POINT: `number` is the last point.
 */
#define MVFS_CTL_CRASH_START 16u
#define MVFS_CTL_CRASH_STOP 17u
#define MVFS_CTL_CRASH_POINT 18u
#define MVFS_CTL_CRASH 19u
#define MVFS_CTL_CRASH_EXPLAIN 20u

#define MVFS_CTL_TEXT_MAX 16000

/*
 * A request, which becomes the reply. What a command does not use is 0.
 *
 * @since 0.1.0
 */
struct mvfs_ctl {
	uint32_t command;
	/* Out: 0, or a negative errno, as the call of the library that the
	 * command stands for returns it; then `text` says more. -EINVAL also
	 * if the command is not known or a name cannot be one, -ENOENT and
	 * -EEXIST of names of snapshots, -E2BIG of a text that is too long,
	 * -EBUSY where the descriptor has not answered the last request. */
	int32_t code;
	uint64_t number;
	/* Out: how many bytes the whole answer has. */
	uint64_t total;
	/* Out, where `code` is -EINVAL or -EBADMSG: what is wrong in the text
	 * that was sent, as mvfs_error has it, in bytes. */
	uint64_t error_offset, error_length;
	/* Of `text`, in and out. */
	uint32_t length;
	uint32_t unused;
	char text[MVFS_CTL_TEXT_MAX];
};

/*
 * ioctl(fd, MVFS_CTL, &request): 0 when it was answered, whatever the code
 * is; or -1, and errno is
 * ENOTTY   the descriptor is none of the root of a memvfs mount, or was not
 *          opened with MVFS_CTL_OPEN;
 * EPERM    the caller may not;
 * EAGAIN   there is no thread to be had for it;
 * EINVAL   `length` is more than there is room for;
 * ENOTCONN the mount's process has gone;
 * ENOMEM   it is out of memory.
 *
 * @since 0.1.0
 */
#define MVFS_CTL _IOWR(0xb6, 1, struct mvfs_ctl)

#ifdef __cplusplus
}
#endif

#endif
