/* SPDX-License-Identifier: MIT */
/* Nodes as values: names, attributes, permissions, the table. */
#include "config.h"

#include "vfs/node/node.h"

#include "tests/core.h"
#include "vfs/node/access.h"
#include "vfs/node/table.h"
#include "vfs/node/xattr.h"

static struct mvfs__bin bin;
static const struct mvfs_time now = { 5, 6, 0 };

static struct mvfs__node *file(uint64_t ino)
{
	struct mvfs__node *node = mvfs__node_new(ino, S_IFREG | 0644, &now);

	ck_assert_ptr_nonnull(node);
	return node;
}

static void drop(struct mvfs__node *node)
{
	mvfs__obj_drop(&node->obj, &bin);
	mvfs__bin_empty(&bin);
}

static void add_link(struct mvfs__node *node, uint64_t parent)
{
	ok(mvfs__links_reserve(node, &bin));
	mvfs__links_add(node, (struct mvfs__link){ parent, parent * 10 });
	node->nlink++;
}

START_TEST(test_names_are_kept_from_none_to_many_and_back)
{
	struct mvfs__node *node = file(7);
	uint64_t i;

	for (i = 1; i <= 20; i++) {
		add_link(node, i);
		ck_assert_uint_eq(mvfs__links_count(node), i);
		mvfs__node_check(node);
	}
	for (i = 20; i >= 1; i--) {
		ok(mvfs__links_own(node, &bin));
		mvfs__links_remove(node, (struct mvfs__link){ i, i * 10 },
				   &bin);
		ck_assert_uint_eq(mvfs__links_count(node), i - 1);
	}
	node->nlink = 0;
	drop(node);
}
END_TEST

START_TEST(test_names_of_a_copy_change_alone)
{
	struct mvfs__node *node = file(7), *copy;

	add_link(node, 1);
	add_link(node, 2);
	copy = mvfs__node_copy(node);
	ok(mvfs__links_own(copy, &bin));
	mvfs__links_replace(copy, (struct mvfs__link){ 1, 10 },
			    (struct mvfs__link){ 9, 90 });
	ck_assert_uint_eq(mvfs__links_get(node, 0).parent, 1);
	ck_assert_uint_eq(mvfs__links_get(copy, 0).parent, 9);
	drop(node);
	drop(copy);
}
END_TEST

START_TEST(test_a_name_for_which_there_is_no_memory_changes_nothing)
{
	struct mvfs__node *node = file(7);

	add_link(node, 1);
	mvfs__mem_fail_at(1);
	ck_assert_int_eq(mvfs__links_reserve(node, &bin), -ENOMEM);
	ck_assert_uint_eq(mvfs__links_count(node), 1);
	mvfs__node_check(node);
	drop(node);
}
END_TEST

START_TEST(test_a_directory_without_a_name_still_knows_its_parent)
{
	struct mvfs__node *dir = mvfs__node_new(7, S_IFDIR | 0755, &now);

	mvfs__links_add(dir, (struct mvfs__link){ 3, 30 });
	mvfs__links_remove(dir, (struct mvfs__link){ 3, 30 }, &bin);
	ck_assert_uint_eq(mvfs__links_count(dir), 0);
	ck_assert_uint_eq(mvfs__node_parent(dir), 3);
	drop(dir);
}
END_TEST

static struct mvfs__obj *with(struct mvfs__obj *list, const char *name,
			      const char *value)
{
	struct mvfs__obj *changed;

	ok(mvfs__xattr_set(list, name, value, strlen(value), &changed));
	if (list)
		mvfs__obj_drop(list, &bin);
	return changed;
}

static void expect_xattr(const struct mvfs__obj *list, const char *name,
			 const char *value)
{
	const void *found;

	ck_assert_int_eq(mvfs__xattr_get(list, name, &found),
			 (int64_t)strlen(value));
	ck_assert_mem_eq(found, value, strlen(value));
}

START_TEST(test_xattrs_are_set_replaced_and_removed)
{
	struct mvfs__obj *list = with(NULL, "user.a", "1"), *less;

	list = with(list, "user.bb", "22");
	list = with(list, "user.a", "longer");
	list = with(list, "user.c", "");
	expect_xattr(list, "user.a", "longer");
	expect_xattr(list, "user.bb", "22");
	expect_xattr(list, "user.c", "");
	ok(mvfs__xattr_remove(list, "user.bb", &less));
	expect_xattr(less, "user.a", "longer");
	ck_assert_int_eq(mvfs__xattr_remove(less, "user.bb", &less), -ENODATA);
	mvfs__obj_drop(list, &bin);
	mvfs__obj_drop(less, &bin);
	mvfs__bin_empty(&bin);
}
END_TEST

START_TEST(test_the_last_xattr_leaves_no_list)
{
	struct mvfs__obj *list = with(NULL, "user.a", "1"), *less = list;

	ok(mvfs__xattr_remove(list, "user.a", &less));
	ck_assert_ptr_null(less);
	mvfs__obj_drop(list, &bin);
	mvfs__bin_empty(&bin);
}
END_TEST

/* The mask that `who` has of a node with that mode, of 1:2. */
static unsigned allowed(uint32_t uid, uint32_t gid, uint32_t mode)
{
	const uint32_t groups[] = { 40, 2 };
	struct mvfs__who who = { .uid = uid, .gid = gid };
	struct mvfs__node *node = mvfs__node_new(7, mode, &now);
	unsigned mask, all = 0;

	if (gid == 40) {
		who.groups = groups;
		who.group_count = 2;
	}
	node->uid = 1;
	node->gid = 2;
	for (mask = 1; mask <= 4; mask <<= 1)
		if (!mvfs__may(&who, node, mask))
			all |= mask;
	if (S_ISREG(mode) || S_ISDIR(mode))
		drop(node);
	return all;
}

START_TEST(test_the_first_class_that_fits_decides)
{
	ck_assert_uint_eq(allowed(1, 2, S_IFREG | 0077), 0);
	ck_assert_uint_eq(allowed(3, 2, S_IFREG | 0407), 0);
	ck_assert_uint_eq(allowed(3, 40, S_IFREG | 0060), 6);
	ck_assert_uint_eq(allowed(3, 4, S_IFREG | 0771), 1);
}
END_TEST

START_TEST(test_root_may_all_but_execute_what_nobody_may)
{
	ck_assert_uint_eq(allowed(0, 0, S_IFREG | 0), 6);
	ck_assert_uint_eq(allowed(0, 0, S_IFREG | 0010), 7);
	ck_assert_uint_eq(allowed(0, 0, S_IFDIR | 0), 7);
}
END_TEST

START_TEST(test_a_shared_node_is_copied_before_it_is_own)
{
	struct mvfs__table table, other;
	struct mvfs__node *own;

	mvfs__table_init(&table);
	ok(mvfs__table_add(&table, file(7), &bin));
	ck_assert(mvfs__table_is_own(&table, mvfs__table_get(&table, 7)));
	mvfs__table_share(&table, &other);
	ck_assert(!mvfs__table_is_own(&table, mvfs__table_get(&table, 7)));
	own = mvfs__table_own(&table, 7, &bin);
	own->uid = 99;
	ck_assert_uint_eq(mvfs__table_get(&other, 7)->uid, 0);
	ck_assert_uint_eq(mvfs__table_get(&table, 7)->uid, 99);
	mvfs__table_clear(&table, &bin);
	mvfs__table_clear(&other, &bin);
	mvfs__bin_empty(&bin);
}
END_TEST

START_TEST(test_a_held_node_outlives_its_place_in_the_table)
{
	struct mvfs__table table;
	struct mvfs__node *orphan;

	mvfs__table_init(&table);
	ok(mvfs__table_add(&table, file(7), &bin));
	ck_assert_ptr_nonnull(mvfs__table_hold(&table, 7));
	ck_assert_ptr_nonnull(mvfs__table_hold(&table, 7));
	ck_assert(!mvfs__table_remove(&table, mvfs__table_get(&table, 7),
				      &bin));
	ck_assert_uint_eq(table.nodes.count, 0);
	ck_assert_ptr_nonnull(mvfs__table_get(&table, 7));
	ck_assert_ptr_null(mvfs__table_unhold(&table, 7, 1));
	orphan = mvfs__table_unhold(&table, 7, 1);
	ck_assert_ptr_nonnull(orphan);
	ck_assert_ptr_null(mvfs__table_get(&table, 7));
	drop(orphan);
	mvfs__table_clear(&table, &bin);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("node");

	tcase_add_test(tests, test_names_are_kept_from_none_to_many_and_back);
	tcase_add_test(tests, test_names_of_a_copy_change_alone);
	tcase_add_test(tests,
		test_a_name_for_which_there_is_no_memory_changes_nothing);
	tcase_add_test(tests,
		test_a_directory_without_a_name_still_knows_its_parent);
	tcase_add_test(tests, test_xattrs_are_set_replaced_and_removed);
	tcase_add_test(tests, test_the_last_xattr_leaves_no_list);
	tcase_add_test(tests, test_the_first_class_that_fits_decides);
	tcase_add_test(tests, test_root_may_all_but_execute_what_nobody_may);
	tcase_add_test(tests, test_a_shared_node_is_copied_before_it_is_own);
	tcase_add_test(tests,
		test_a_held_node_outlives_its_place_in_the_table);
	return core_run("node", tests);
}
