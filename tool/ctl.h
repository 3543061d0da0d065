/* SPDX-License-Identifier: MIT */
/* The client's side of memvfs/ctl.h, for memvfs ctl. */
#ifndef TOOL_CTL_H
#define TOOL_CTL_H

#include <stddef.h>
#include <stdint.h>

#include <memvfs/ctl.h>

#define CTL_NAME "memvfs ctl"

struct ctl {
	const char *dir;
	int fd;
	/* Of the last command: */
	int code;          /* 0 or a negative errno */
	uint64_t number;
	char *answer;      /* or what is wrong; with a zero byte behind */
	size_t len;
};

/* TOOL_OK, or the status to exit with; standard error says why. */
int ctl_open(struct ctl *ctl, const char *dir);
void ctl_close(struct ctl *ctl);

/* The same; what the command itself came to is in ctl->code. */
int ctl_ask(struct ctl *ctl, unsigned command, uint64_t number,
	    const char *text, size_t len);

/* ctl_ask(), and ctl->code told as something that went wrong with `what`
 * (NULL: with the mount): TOOL_USAGE for what was asked wrongly. */
int ctl_do(struct ctl *ctl, unsigned command, uint64_t number,
	   const char *text, const char *what);
int ctl_tell(const struct ctl *ctl, const char *what);

#endif
