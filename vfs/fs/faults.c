/* SPDX-License-Identifier: MIT */
/* An instance's fault rules and its log, as they are asked for. */
#include "config.h"

#include <errno.h>

#include "vfs/base/error.h"
#include "vfs/content/string.h"
#include "vfs/fs/op.h"
#include "vfs/mem/mem.h"

#define CACHES "a mount of this instance lets the kernel answer from its " \
	"caches, which no rule can fail: mount with -o cache=none"

void mvfs__fs_set_hooks(mvfs *view, const struct mvfs__hooks *hooks)
{
	atomic_store(&view->fs->hooks, hooks);
	if (hooks)
		atomic_fetch_or(&view->fs->listening, MVFS__EAR_HOOKS);
	else
		atomic_fetch_and(&view->fs->listening,
				 ~(unsigned)MVFS__EAR_HOOKS);
}

/* Exclusively: these are the rules now; the old set goes. */
static void put_rules(struct mvfs__op *op, struct mvfs__rules *rules)
{
	if (op->fs->rules)
		mvfs__obj_drop(&op->fs->rules->obj, &op->bin);
	op->fs->rules = rules;
	if (rules && rules->count)
		atomic_fetch_or(&op->fs->listening, MVFS__EAR_FAULT);
	else
		atomic_fetch_and(&op->fs->listening,
				 ~(unsigned)MVFS__EAR_FAULT);
}

/* The number that the next rule gets, taken. */
static uint64_t take_number(struct mvfs__op *op)
{
	uint64_t number;

	mvfs__op_exclusive(op);
	number = ++op->fs->rule_number;
	mvfs__op_unlock(op);
	return number;
}

/* Takes the rule over in any case. */
static int add_rule(struct mvfs__op *op, struct mvfs__rule *rule)
{
	struct mvfs__rules *rules = NULL;
	int rc;

	mvfs__op_exclusive(op);
	rc = op->fs->caching ? -EBUSY : 0;
	if (!rc)
		rules = mvfs__rules_with(op->fs->rules, rule);
	if (rules)
		put_rules(op, rules);
	else
		mvfs__obj_drop(&rule->obj, &op->bin);
	mvfs__op_unlock(op);
	return rules || rc ? rc : -ENOMEM;
}

int mvfs__fs_fault_add(mvfs *view, const char *text, uint64_t *id,
		       struct mvfs_error *error)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__rule *rule;
	struct mvfs__op op;
	uint64_t number;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_SYNC);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	number = take_number(&op);
	rule = mvfs__rule_parse(text, number, op.fs->seed.k0, &rc, error);
	if (rc == -ENOMEM)
		(void)mvfs__fail(error, rc, 0, 0, "out of memory");
	if (!rule)
		return (int)mvfs__op_end(&op, rc);
	rc = add_rule(&op, rule);
	if (!rc && id)
		*id = number;
	if (rc)
		(void)mvfs__fail(error, rc, 0, 0, "%s", rc == -EBUSY ?
				 CACHES : "out of memory");
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_fault_remove(mvfs *view, uint64_t id)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__rules *rules = NULL;
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_SYNC);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	if (!mvfs__rules_find(op.fs->rules, id))
		rc = -ENOENT;
	else
		rules = mvfs__rules_without(op.fs->rules, id);
	if (rules)
		put_rules(&op, rules);
	else if (!rc)
		rc = -ENOMEM;
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_fault_clear(mvfs *view)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_SYNC);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	put_rules(&op, NULL);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, 0);
}

/* The rules as they are now: a reference, or NULL. */
static int take_rules(mvfs *view, struct mvfs__rules **rules)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_SYNC);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_shared(&op);
	*rules = op.fs->rules;
	if (*rules)
		mvfs__obj_retain(&(*rules)->obj);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, 0);
}

static void drop_rules(struct mvfs__rules *rules)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;

	if (rules)
		mvfs__obj_drop(&rules->obj, &bin);
	mvfs__bin_empty(&bin);
}

int mvfs__fs_fault_count(mvfs *view, uint64_t id, uint64_t *matched,
			 uint64_t *fired)
{
	struct mvfs__rules *rules;
	struct mvfs__rule *rule;
	int rc = take_rules(view, &rules);

	if (rc)
		return rc;
	rule = mvfs__rules_find(rules, id);
	if (rule && matched)
		*matched = atomic_load(&rule->matched);
	if (rule && fired)
		*fired = atomic_load(&rule->fired);
	drop_rules(rules);
	return rule ? 0 : -ENOENT;
}

int mvfs__fs_fault_list(mvfs *view, mvfs_fault_fn *fn, void *ctx)
{
	struct mvfs__rules *rules;
	int rc = take_rules(view, &rules);
	size_t i;

	if (rc)
		return rc;
	for (i = 0; !rc && rules && i < rules->count; i++) {
		const struct mvfs__rule *rule = rules->rule[i];
		const struct mvfs_fault fault = {
			.id = rule->obj.key,
			.text = rule->text,
			.matched = atomic_load(&rules->rule[i]->matched),
			.fired = atomic_load(&rules->rule[i]->fired),
		};

		rc = fn(ctx, &fault);
	}
	drop_rules(rules);
	return rc;
}

int mvfs__fs_log_start(mvfs *view, size_t capacity)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_SYNC);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	rc = op.fs->caching ? -EBUSY : mvfs__log_start(&op.fs->log, capacity);
	if (!rc)
		atomic_fetch_or(&op.fs->listening, MVFS__EAR_LOG);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_log_stop(mvfs *view)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_SYNC);

	if (!rc)
		atomic_fetch_and(&op.fs->listening, ~(unsigned)MVFS__EAR_LOG);
	return (int)mvfs__op_end(&op, rc);
}

static int take_log(mvfs *view, struct mvfs__log_copy **copy)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_SYNC);

	if (!rc) {
		*copy = mvfs__log_copy(&op.fs->log);
		rc = *copy ? 0 : -ENOMEM;
	}
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_log_each(mvfs *view, mvfs_log_fn *fn, void *ctx)
{
	struct mvfs__log_copy *copy;
	int rc = take_log(view, &copy);
	size_t i;

	if (rc)
		return rc;
	for (i = 0; !rc && i < copy->count; i++) {
		const struct mvfs__log_entry *e = &copy->entry[i];
		const struct mvfs_log_entry entry = {
			.number = e->number,
			.call = mvfs__op_name(e->op),
			.path = e->path,
			.path2 = e->path2,
			.ino = e->ino,
			.offset = e->offset,
			.bytes = e->bytes,
			.rule = e->rule,
			.result = e->result,
			.uid = e->uid,
		};

		rc = fn(ctx, &entry);
	}
	mvfs__free(copy);
	return rc;
}

int mvfs__fs_log_text(mvfs *view, struct mvfs_string *string)
{
	struct mvfs__log_text text = { 0 };
	struct mvfs__log_copy *copy;
	int rc = take_log(view, &copy);
	size_t i;

	if (rc)
		return rc;
	if (copy->dropped)
		mvfs__log_text_add(&text, "# %llu dropped\n",
				   (unsigned long long)copy->dropped);
	for (i = 0; i < copy->count; i++) {
		mvfs__log_line(&text, &copy->entry[i]);
		mvfs__log_text_add(&text, "\n");
	}
	rc = text.failed ? -ENOMEM :
			   mvfs__string_copy(text.bytes, text.len, string);
	mvfs__log_text_free(&text);
	mvfs__free(copy);
	return rc;
}

int mvfs__fs_expect_log(mvfs *view, const char *text,
			struct mvfs_error *error)
{
	struct mvfs__log_copy *copy;
	int rc = take_log(view, &copy);

	if (rc)
		return mvfs__fail(error, rc, 0, 0, "cannot copy the log");
	rc = mvfs__log_expect(copy, text, error);
	mvfs__free(copy);
	return rc;
}
