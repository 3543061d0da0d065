/* SPDX-License-Identifier: MIT */
/* What an instance holds of its nodes, and what letting go of it sets free. */
#include "config.h"

#include <errno.h>

#include "vfs/fs/instance.h"
#include "vfs/fs/op.h"
#include "vfs/mem/mem.h"

void mvfs__fs_free_blocks(struct mvfs__fs *fs, uint64_t blocks)
{
	if (blocks)
		atomic_fetch_sub(&fs->blocks, blocks);
}

void mvfs__fs_unhold(struct mvfs__fs *fs, uint64_t ino, uint64_t count,
		     struct mvfs__bin *bin)
{
	struct mvfs__hold *hold = mvfs__table_hold_get(&fs->table, ino);
	struct mvfs__node *orphan;

	/* those of owners that never closed, as an adapter's may be */
	if (hold->count == count)
		mvfs__lock_drop_all(&hold->locks);
	orphan = mvfs__table_unhold(&fs->table, ino, count);
	if (!orphan)
		return;
	if (mvfs__node_is_reg(orphan))
		mvfs__fs_free_blocks(fs,
				     mvfs__content_blocks(&orphan->u.content));
	/* a name that leads elsewhere now may have been cached for it */
	fs->table.generation = mvfs__unique();
	mvfs__obj_drop(&orphan->obj, bin);
}

void mvfs__fs_drop_locks(struct mvfs__fs *fs, struct mvfs__hold *hold,
			 enum mvfs__lock_kind kind, uint64_t owner)
{
	if (hold->locks && mvfs__lock_drop_owner(&hold->locks, MVFS__RECORD,
						 kind, owner))
		mvfs__fs_wake(fs);
}

void mvfs__fs_release_file(struct mvfs__fs *fs, struct mvfs_file *file,
			   struct mvfs__bin *bin)
{
	struct mvfs__hold *hold;

	if (--file->refs)
		return;
	hold = mvfs__table_hold_get(&fs->table, file->ino);
	if (mvfs__lock_drop_via(&hold->locks, file->serial))
		mvfs__fs_wake(fs);
	mvfs__fs_unhold(fs, file->ino, 1, bin);
	mvfs__file_free(file);
}

void mvfs__fs_release_files(struct mvfs__fs *fs, struct mvfs *view,
			    struct mvfs__bin *bin)
{
	struct mvfs_file *file;

	while ((file = view->files)) {
		view->files = file->next;
		mvfs__fs_release_file(fs, file, bin);
	}
}

int mvfs__op_pin(struct mvfs__op *op, uint64_t ino, unsigned count)
{
	struct mvfs *view = op->view;
	struct mvfs__pin *pin;

	assert(op->exclusive);
	HASH_FIND(hh, view->pins, &ino, sizeof(ino), pin);
	if (pin) {
		pin->count += count;
		return 0;
	}
	pin = mvfs__calloc(1, sizeof(*pin));
	if (!pin)
		return -ENOMEM;
	if (!mvfs__table_hold(&op->fs->table, ino)) {
		mvfs__free(pin);
		return -ENOMEM;
	}
	pin->ino = ino;
	pin->count = count;
	HASH_ADD(hh, view->pins, ino, sizeof(pin->ino), pin);
	if (pin->count)
		return 0;
	mvfs__fs_unhold(op->fs, ino, 1, &op->bin);
	mvfs__free(pin);
	return -ENOMEM;
}

void mvfs__op_unpin(struct mvfs__op *op, uint64_t ino, uint64_t count)
{
	struct mvfs__pin *pin;

	assert(op->exclusive);
	HASH_FIND(hh, op->view->pins, &ino, sizeof(ino), pin);
	if (!pin)
		return;
	if (pin->count > count) {
		pin->count -= count;
		return;
	}
	HASH_DEL(op->view->pins, pin);
	mvfs__free(pin);
	mvfs__fs_unhold(op->fs, ino, 1, &op->bin);
}

void mvfs__fs_unpin(mvfs *view, uint64_t ino, uint64_t count)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;

	(void)mvfs__op_begin_aside(&op, &from, MVFS__OP_CLOSE);
	mvfs__op_exclusive(&op);
	mvfs__op_unpin(&op, ino, count);
	mvfs__op_unlock(&op);
	mvfs__op_end(&op, 0);
}
