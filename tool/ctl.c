// SPDX-License-Identifier: MIT
#include <config.h>

#include "tool/ctl.h"
#include "tool/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failed(const struct ctl *ctl, int error)
{
	const char *why = strerror(error);

	if (error == EPERM)
		why = "only the user who mounted it, and root, may do that";
	else if (error == EACCES)
		why = "Permission denied (the kernel keeps all but the user "
		      "who mounted out, even root, unless it was with "
		      "-o allow_other)";
	else if (error == ENOTCONN || error == ECONNABORTED)
		why = "the process that served it is gone (fusermount3 -u "
		      "removes the dead mount)";
	else if (error == EPROTO)
		why = "what is mounted there does not answer as memvfs does";
	else if (error == ENOTTY)
		why = "no memvfs is mounted there (a directory below a mount "
		      "is not meant, but the one that it is mounted on)";
	return tool_failed(CTL_NAME, "%s: %s", ctl->dir, why);
}

int ctl_open(struct ctl *ctl, const char *dir)
{
	*ctl = (struct ctl){ .dir = dir };
	ctl->fd = open(dir, MVFS_CTL_OPEN | O_CLOEXEC);
	return ctl->fd < 0 ? failed(ctl, errno) : TOOL_OK;
}

void ctl_close(struct ctl *ctl)
{
	if (ctl->fd >= 0)
		close(ctl->fd);
	free(ctl->answer);
}

static int send_one(const struct ctl *ctl, struct mvfs_ctl *request)
{
	while (ioctl(ctl->fd, MVFS_CTL, request) < 0)
		if (errno != EINTR)
			return failed(ctl, errno);
	/* whoever serves that directory may be nobody of ours */
	if (request->length > sizeof request->text)
		return failed(ctl, EPROTO);
	return TOOL_OK;
}

/* Adds what is in the reply to the answer. */
static int add(struct ctl *ctl, const struct mvfs_ctl *reply)
{
	char *grown = realloc(ctl->answer, ctl->len + reply->length + 1);

	if (grown == NULL)
		return tool_failed(CTL_NAME, "%s", strerror(ENOMEM));
	memcpy(grown + ctl->len, reply->text, reply->length);
	ctl->answer = grown;
	ctl->len += reply->length;
	grown[ctl->len] = '\0';
	return TOOL_OK;
}

/* Sends all of the text but what has room in the last request. */
static int put(const struct ctl *ctl, struct mvfs_ctl *request,
	       const char **text, size_t *len)
{
	int status = TOOL_OK;

	while (status == TOOL_OK && !request->code &&
	       *len > sizeof request->text) {
		request->command = MVFS_CTL_PUT;
		request->length = sizeof request->text;
		memcpy(request->text, *text, request->length);
		*text += request->length;
		*len -= request->length;
		status = send_one(ctl, request);
	}
	return status;
}

int ctl_ask(struct ctl *ctl, unsigned command, uint64_t number,
	    const char *text, size_t len)
{
	struct mvfs_ctl request = { .code = 0 };
	int status;

	ctl->len = 0;
	status = put(ctl, &request, &text, &len);
	if (status == TOOL_OK && !request.code) {
		request.command = command;
		request.number = number;
		request.length = len;
		if (len > 0)
			memcpy(request.text, text, len);
		status = send_one(ctl, &request);
	}
	if (status == TOOL_OK)
		status = add(ctl, &request);
	ctl->code = request.code;
	ctl->number = request.number;
	while (status == TOOL_OK && !request.code &&
	       ctl->len < request.total) {
		request.command = MVFS_CTL_MORE;
		request.number = ctl->len;
		request.length = 0;
		status = send_one(ctl, &request);
		if (status == TOOL_OK && !request.code && !request.length)
			status = failed(ctl, EPROTO);
		if (status == TOOL_OK)
			status = add(ctl, &request);
	}
	return status;
}

int ctl_tell(const struct ctl *ctl, const char *what)
{
	if (!ctl->code)
		return TOOL_OK;
	tool_failed(CTL_NAME, "%s: %s", what != NULL ? what : ctl->dir,
		    ctl->answer);
	return ctl->code == -EINVAL ? TOOL_USAGE : TOOL_FAILED;
}

int ctl_do(struct ctl *ctl, unsigned command, uint64_t number,
	   const char *text, const char *what)
{
	int status = ctl_ask(ctl, command, number, text,
			     text != NULL ? strlen(text) : 0);

	return status == TOOL_OK ? ctl_tell(ctl, what) : status;
}
