// SPDX-License-Identifier: MIT
/*
 * What memvfs/ctl.h asks for. The kernel passes an ioctl that says its size on
 * as one block each way, of less than 16 KiB: so a descriptor has a session,
 * in which long texts are gathered before, and long answers kept after.
 *
 * A session is an open directory without a file of the library, so nothing
 * but the ioctl is good with it, and no call on the tree was made for it.
 *
 * Restoring tells the kernel, which may wait for what the workers serve; so
 * that has a thread of its own, and the worker goes on.
 */
#include <config.h>

#include "fuse/ctl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <memvfs/fault.h>
#include <memvfs/log.h>
#include <memvfs/stats.h>

#define PUT_MAX (16u << 20)

int mvfs__text_add(struct mvfs__text *text, const char *bytes, size_t len)
{
	size_t capacity = 2 * (text->len + len + 1);
	char *grown = text->bytes;

	if (text->capacity <= text->len + len) {
		grown = realloc(grown, capacity);
		if (!grown)
			return -ENOMEM;
		text->bytes = grown;
		text->capacity = capacity;
	}
	if (len)
		memcpy(grown + text->len, bytes, len);
	text->len += len;
	grown[text->len] = '\0';
	return 0;
}

int mvfs__text_print(struct mvfs__text *text, const char *format, ...)
{
	va_list args;
	char *line;
	int r, len;

	va_start(args, format);
	len = vasprintf(&line, format, args);
	va_end(args);
	if (len < 0)
		return -ENOMEM;
	r = mvfs__text_add(text, line, len);
	free(line);
	return r;
}

static void text_free(struct mvfs__text *text)
{
	free(text->bytes);
	*text = (struct mvfs__text){ 0 };
}

static int fault_add(struct mvfs__order *order)
{
	return mvfs_fault_add(order->mount->fs, order->text, &order->number,
			      &order->error);
}

static int fault_remove(struct mvfs__order *order)
{
	int r = mvfs_fault_remove(order->mount->fs, order->number);

	if (r == -ENOENT)
		mvfs__fuse_error(&order->error, r, "there is no rule %llu",
				 (unsigned long long)order->number);
	return r;
}

static int fault_clear(struct mvfs__order *order)
{
	return mvfs_fault_clear(order->mount->fs);
}

static int add_fault(void *data, const struct mvfs_fault *fault)
{
	struct mvfs__order *order = data;
	size_t i, from;
	int r;

	r = mvfs__text_print(&order->answer, "%llu %llu %llu ",
			     (unsigned long long)fault->id,
			     (unsigned long long)fault->matched,
			     (unsigned long long)fault->fired);
	from = order->answer.len;
	if (!r)
		r = mvfs__text_print(&order->answer, "%s\n", fault->text);
	/* In a rule they are blanks, here they would be further lines. */
	for (i = from; !r && i + 1 < order->answer.len; i++)
		if (order->answer.bytes[i] == '\n')
			order->answer.bytes[i] = ' ';
	return r;
}

static int fault_list(struct mvfs__order *order)
{
	return mvfs_fault_list(order->mount->fs, add_fault, order);
}

static int log_start(struct mvfs__order *order)
{
	int r = mvfs_log_start(order->mount->fs, order->number);

	if (r == -EBUSY)
		mvfs__fuse_error(&order->error, r, "the mount was made "
				 "without -o cache=none, so the kernel answers "
				 "calls that the log would lack: mount again "
				 "with it");
	else if (r == -EINVAL)
		mvfs__fuse_error(&order->error, r, "room for %llu calls is "
				 "too much: at most 16777216 can be",
				 (unsigned long long)order->number);
	return r;
}

static int log_stop(struct mvfs__order *order)
{
	return mvfs_log_stop(order->mount->fs);
}

static int log_show(struct mvfs__order *order)
{
	struct mvfs_string text;
	int r = mvfs_log_text(order->mount->fs, &text);

	if (r)
		return r;
	r = mvfs__text_add(&order->answer, text.data, text.len);
	mvfs_string_release(&text);
	return r;
}

static int log_expect(struct mvfs__order *order)
{
	return mvfs_expect_log(order->mount->fs, order->text, &order->error);
}

static int stats(struct mvfs__order *order)
{
	static const struct {
		const char *name;
		size_t at;
	} members[] = {
#define MEMBER(name) { #name, offsetof(struct mvfs_stats, name) }
		MEMBER(allocations), MEMBER(copies), MEMBER(copied_bytes),
		MEMBER(classified_bytes), MEMBER(shares),
		MEMBER(tree_copies),
	};
	struct mvfs_stats all = { .size = sizeof all };
	uint64_t value;
	size_t i;
	int r;

	r = mvfs_stats(MVFS_STATS_PROCESS, &all);
	for (i = 0; !r && i < sizeof members / sizeof *members; i++) {
		memcpy(&value, (const char *)&all + members[i].at,
		       sizeof value);
		r = mvfs__text_print(&order->answer, "%s %llu\n",
				     members[i].name,
				     (unsigned long long)value);
	}
	return r;
}

static const struct command {
	mvfs__order_fn *serve;
	int tells; /* the kernel */
} commands[] = {
	[MVFS_CTL_FAULT_ADD] = { fault_add, 0 },
	[MVFS_CTL_FAULT_REMOVE] = { fault_remove, 0 },
	[MVFS_CTL_FAULT_CLEAR] = { fault_clear, 0 },
	[MVFS_CTL_FAULT_LIST] = { fault_list, 0 },
	[MVFS_CTL_LOG_START] = { log_start, 0 },
	[MVFS_CTL_LOG_STOP] = { log_stop, 0 },
	[MVFS_CTL_LOG_SHOW] = { log_show, 0 },
	[MVFS_CTL_LOG_EXPECT] = { log_expect, 0 },
	[MVFS_CTL_SNAPSHOT] = { mvfs__ctl_snapshot, 0 },
	[MVFS_CTL_RESTORE] = { mvfs__ctl_restore, 1 },
	[MVFS_CTL_SNAPSHOT_DROP] = { mvfs__ctl_drop, 0 },
	[MVFS_CTL_SNAPSHOT_LIST] = { mvfs__ctl_names, 0 },
	[MVFS_CTL_STATS] = { stats, 0 },
	[MVFS_CTL_CRASH_START] = { mvfs__ctl_crash_start, 0 },
	[MVFS_CTL_CRASH_STOP] = { mvfs__ctl_crash_stop, 0 },
	[MVFS_CTL_CRASH_POINT] = { mvfs__ctl_crash_point, 0 },
	[MVFS_CTL_CRASH] = { mvfs__ctl_crash, 1 },
	[MVFS_CTL_CRASH_EXPLAIN] = { mvfs__ctl_crash_explain, 0 },
};

static const struct command *find(uint32_t number)
{
	static const struct command none;

	return number < sizeof commands / sizeof *commands ? &commands[number]
							   : &none;
}

/* The part of the answer that begins at ctl->number. */
static void reply_part(const struct mvfs__text *answer, struct mvfs_ctl *ctl)
{
	uint64_t from = ctl->number < answer->len ? ctl->number : answer->len;
	size_t len = answer->len - from;

	if (len > sizeof ctl->text)
		len = sizeof ctl->text;
	if (len)
		memcpy(ctl->text, answer->bytes + from, len);
	ctl->length = len;
	ctl->total = answer->len;
}

static void reply_error(int code, const struct mvfs_error *error,
			struct mvfs_ctl *ctl)
{
	const char *message = error->code ? error->message : strerror(-code);

	ctl->code = code;
	ctl->error_offset = error->offset;
	ctl->error_length = error->length;
	ctl->length = strlen(message);
	memcpy(ctl->text, message, ctl->length);
}

static int put(struct mvfs__session *session, const struct mvfs_ctl *ctl,
	       struct mvfs_error *error)
{
	if (session->put.len + ctl->length > PUT_MAX)
		return mvfs__fuse_error(error, -E2BIG, "a text of more than "
					"16 MiB is too long");
	return mvfs__text_add(&session->put, ctl->text, ctl->length);
}

/* Any other command than to put or to get more. */
static int obey(struct mvfs__order *order, struct mvfs__session *session,
		const struct mvfs_ctl *ctl)
{
	mvfs__order_fn *serve = find(ctl->command)->serve;
	int r;

	text_free(&session->answer);
	r = put(session, ctl, &order->error);
	if (!r && !serve)
		r = mvfs__fuse_error(&order->error, -EINVAL, "this mount "
				     "knows no command %u: is it of another "
				     "version?", ctl->command);
	if (!r && strlen(session->put.bytes) < session->put.len)
		r = mvfs__fuse_error(&order->error, -EINVAL,
				     "the text has a zero byte");
	if (!r) {
		order->text = session->put.bytes;
		order->number = ctl->number;
		r = serve(order);
	}
	text_free(&session->put);
	if (r)
		text_free(&order->answer);
	session->answer = order->answer;
	return r;
}

/* The request becomes the reply. */
static void serve(struct mvfs_mount *mount, struct mvfs__session *session,
		  struct mvfs_ctl *ctl)
{
	struct mvfs__order order = { .mount = mount };
	struct mvfs_ctl asked = *ctl;
	int r = 0;

	memset(ctl, 0, sizeof *ctl);
	ctl->command = asked.command;
	/* Waiting would take the worker away that a restore may wait for. */
	if (pthread_mutex_trylock(&session->lock)) {
		(void)mvfs__fuse_error(&order.error, -EBUSY, "the descriptor "
				       "is still busy with another request");
		reply_error(-EBUSY, &order.error, ctl);
		return;
	}
	if (asked.command == MVFS_CTL_MORE) {
		ctl->number = asked.number;
		reply_part(&session->answer, ctl);
	} else if (asked.command == MVFS_CTL_PUT) {
		r = put(session, &asked, &order.error);
		if (r)
			text_free(&session->put);
	} else {
		r = obey(&order, session, &asked);
		if (!r)
			reply_part(&session->answer, ctl);
		ctl->number = order.number;
	}
	pthread_mutex_unlock(&session->lock);
	if (r)
		reply_error(r, &order.error, ctl);
}

/* A request that a thread of its own serves. */
struct errand {
	fuse_req_t req;
	struct mvfs_mount *mount;
	struct mvfs__session *session;
	struct mvfs_ctl ctl;
};

static void *run(void *data)
{
	struct errand *errand = data;
	struct mvfs_mount *mount = errand->mount;

	serve(mount, errand->session, &errand->ctl);
	fuse_reply_ioctl(errand->req, 0, &errand->ctl, sizeof errand->ctl);
	free(errand);
	pthread_mutex_lock(&mount->lock);
	mount->errands--;
	pthread_cond_signal(&mount->errand_done);
	pthread_mutex_unlock(&mount->lock);
	return NULL;
}

static int start(struct errand *errand)
{
	struct mvfs_mount *mount = errand->mount;
	pthread_t thread;
	int r;

	pthread_mutex_lock(&mount->lock);
	r = mount->no_errands ? -ENOTCONN : 0;
	/* A worker's signals are blocked, so this thread's are. */
	if (!r)
		r = -pthread_create(&thread, NULL, run, errand);
	if (!r) {
		pthread_detach(thread);
		mount->errands++;
	}
	pthread_mutex_unlock(&mount->lock);
	return r;
}

void mvfs__ctl_stop(struct mvfs_mount *mount)
{
	pthread_mutex_lock(&mount->lock);
	mount->no_errands = 1;
	while (mount->errands)
		pthread_cond_wait(&mount->errand_done, &mount->lock);
	pthread_mutex_unlock(&mount->lock);
}

static int is_owner(fuse_req_t req)
{
	uid_t uid = fuse_req_ctx(req)->uid;

	return uid == 0 || uid == mvfs__mount(req)->owner;
}

int mvfs__ctl_wanted(fuse_ino_t node, int flags)
{
	return node == FUSE_ROOT_ID &&
	       (flags & MVFS_CTL_OPEN) == MVFS_CTL_OPEN;
}

void mvfs__ctl_open(fuse_req_t req, struct fuse_file_info *fi)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	struct mvfs__session *session;
	struct mvfs__handle *handle;

	if (!is_owner(req)) {
		fuse_reply_err(req, EPERM);
		return;
	}
	session = calloc(1, sizeof *session);
	handle = session ? mvfs__handle_new(mount, NULL, 0) : NULL;
	if (!handle) {
		free(session);
		fuse_reply_err(req, ENOMEM);
		return;
	}
	pthread_mutex_init(&session->lock, NULL);
	handle->session = session;
	fi->fh = (uintptr_t)handle;
	if (fuse_reply_open(req, fi) < 0)
		mvfs__handle_close(mount, handle);
}

void mvfs__ctl_close(struct mvfs__session *session)
{
	if (!session)
		return;
	text_free(&session->put);
	text_free(&session->answer);
	pthread_mutex_destroy(&session->lock);
	free(session);
}

/* 0 or an errno: what the ioctl itself fails with. */
static int check(fuse_req_t req, unsigned number, const void *in,
		 size_t in_size, size_t out_size)
{
	const struct mvfs_ctl *ctl = in;

	if (!is_owner(req))
		return EPERM;
	if (number != (unsigned)MVFS_CTL || in_size != sizeof *ctl ||
	    out_size != sizeof *ctl)
		return ENOTTY;
	return ctl->length > sizeof ctl->text ? EINVAL : 0;
}

void mvfs__op_ioctl(fuse_req_t req, fuse_ino_t node, unsigned number,
		    void *arg, struct fuse_file_info *fi, unsigned flags,
		    const void *in, size_t in_size, size_t out_size)
{
	struct mvfs__session *session = mvfs__handle(fi)->session;
	struct errand *errand = NULL;
	int r;

	(void)node, (void)arg, (void)flags;
	r = session ? check(req, number, in, in_size, out_size) : ENOTTY;
	if (!r) {
		errand = malloc(sizeof *errand);
		r = errand ? 0 : ENOMEM;
	}
	if (r) {
		fuse_reply_err(req, r);
		return;
	}
	errand->req = req;
	errand->mount = mvfs__mount(req);
	errand->session = session;
	memcpy(&errand->ctl, in, sizeof errand->ctl);
	if (find(errand->ctl.command)->tells) {
		r = start(errand);
		if (!r)
			return;
		fuse_reply_err(req, -r);
	} else {
		serve(errand->mount, session, &errand->ctl);
		fuse_reply_ioctl(req, 0, &errand->ctl, sizeof errand->ctl);
	}
	free(errand);
}
