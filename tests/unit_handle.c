/* SPDX-License-Identifier: MIT */
/* Descriptors and locks, the latter against an array of bytes. */
#include "config.h"

#include "vfs/handle/file.h"
#include "vfs/handle/lock.h"

#include "tests/core.h"
#include "tests/random.h"

START_TEST(test_the_lowest_free_descriptor_is_taken)
{
	struct mvfs__fds fds = { NULL };
	struct mvfs_file *file = mvfs__file_new(1, O_RDONLY);
	int i;

	for (i = 0; i < 200; i++) {
		ok(mvfs__fds_reserve(&fds, 0));
		ck_assert_int_eq(mvfs__fds_take(&fds, file), i);
	}
	mvfs__fds_drop(&fds, 130);
	mvfs__fds_drop(&fds, 7);
	ok(mvfs__fds_reserve(&fds, 0));
	ck_assert_int_eq(mvfs__fds_take(&fds, file), 7);
	ok(mvfs__fds_reserve(&fds, 0));
	ck_assert_int_eq(mvfs__fds_take(&fds, file), 130);
	ok(mvfs__fds_reserve(&fds, 0));
	ck_assert_int_eq(mvfs__fds_take(&fds, file), 200);
	mvfs__fds_clear(&fds);
	mvfs__file_free(file);
}
END_TEST

START_TEST(test_a_chosen_descriptor_can_be_far_away)
{
	struct mvfs__fds fds = { NULL };
	struct mvfs_file *file = mvfs__file_new(1, O_RDONLY);

	ok(mvfs__fds_reserve(&fds, 1000));
	mvfs__fds_put(&fds, 1000, file);
	ck_assert_ptr_eq(mvfs__fds_get(&fds, 1000), file);
	ck_assert_ptr_null(mvfs__fds_get(&fds, 999));
	ck_assert_ptr_null(mvfs__fds_get(&fds, -1));
	ck_assert_ptr_null(mvfs__fds_get(&fds, 1 << 30));
	fails(mvfs__fds_reserve(&fds, 1 << 20), EMFILE);
	mvfs__fds_clear(&fds);
	mvfs__file_free(file);
}
END_TEST

enum { BYTES = 24, OWNERS = 3 };

/* What each owner holds of each byte. */
typedef enum mvfs__lock_type model[OWNERS][BYTES];

static bool model_conflicts(model m, const struct mvfs__range_lock *want)
{
	uint64_t b, owner;

	for (owner = 0; owner < OWNERS; owner++)
		for (b = want->start; b <= want->end; b++)
			if (owner != want->owner && m[owner][b] &&
			    want->type && (m[owner][b] == MVFS__WRITE_LOCK ||
					   want->type == MVFS__WRITE_LOCK))
				return true;
	return false;
}

/* The list says what the model says, in as few locks as that takes. */
static void compare(const struct mvfs__range_lock *list, model m)
{
	const struct mvfs__range_lock *l;
	model seen = { { MVFS__UNLOCK } };
	unsigned locks = 0, runs = 0;
	uint64_t b, owner;

	for (l = list; l; l = l->next, locks++)
		for (b = l->start; b <= l->end; b++) {
			must(seen[l->owner][b] == MVFS__UNLOCK);
			seen[l->owner][b] = l->type;
		}
	must(!memcmp(seen, m, sizeof(model)));
	for (owner = 0; owner < OWNERS; owner++)
		for (b = 0; b < BYTES; b++)
			runs += m[owner][b] &&
				(!b || m[owner][b - 1] != m[owner][b]);
	must(locks == runs);
}

START_TEST(test_ranges_against_an_array_of_bytes)
{
	struct mvfs__range_lock *list = NULL;
	model m = { { MVFS__UNLOCK } };
	uint64_t state = seed_of_run(), b;
	unsigned i;

	for (i = 0; i < 20000; i++) {
		struct mvfs__range_lock want = {
			.space = MVFS__RECORD,
			.type = (enum mvfs__lock_type)below(&state, 3),
			.owner = below(&state, OWNERS),
			.start = below(&state, BYTES),
		};
		bool changed, conflict = false;

		want.end = want.start + below(&state, BYTES - want.start);
		conflict = mvfs__lock_conflict(list, &want);
		must(conflict == model_conflicts(m, &want));
		if (conflict)
			continue;
		must(!mvfs__lock_set(&list, &want, &changed));
		for (b = want.start; b <= want.end; b++)
			m[want.owner][b] = want.type;
		compare(list, m);
	}
	mvfs__lock_drop_all(&list);
}
END_TEST

START_TEST(test_a_lock_without_memory_changes_nothing)
{
	struct mvfs__range_lock want = {
		.space = MVFS__RECORD, .type = MVFS__WRITE_LOCK, .owner = 1,
		.start = 0, .end = 99,
	};
	struct mvfs__range_lock *list = NULL;
	bool changed;
	unsigned n;

	ok(mvfs__lock_set(&list, &want, &changed));
	want.type = MVFS__READ_LOCK;
	want.start = 10;
	want.end = 19;
	for (n = 1; n <= 2; n++) {
		mvfs__mem_fail_at(n);
		fails(mvfs__lock_set(&list, &want, &changed), ENOMEM);
		ck_assert_uint_eq(list->end, 99);
		ck_assert_ptr_null(list->next);
	}
	mvfs__mem_fail_at(0);
	mvfs__lock_drop_all(&list);
}
END_TEST

START_TEST(test_the_two_spaces_do_not_see_each_other)
{
	struct mvfs__range_lock flock = {
		.space = MVFS__FLOCK, .type = MVFS__WRITE_LOCK, .owner = 1,
		.end = UINT64_MAX,
	}, record = flock;
	struct mvfs__range_lock *list = NULL;
	bool changed;

	record.space = MVFS__RECORD;
	record.owner = 2;
	ok(mvfs__lock_set(&list, &flock, &changed));
	ck_assert_ptr_null(mvfs__lock_conflict(list, &record));
	flock.owner = 2;
	ck_assert_ptr_nonnull(mvfs__lock_conflict(list, &flock));
	mvfs__lock_drop_all(&list);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("handle");

	tcase_add_test(tests, test_the_lowest_free_descriptor_is_taken);
	tcase_add_test(tests, test_a_chosen_descriptor_can_be_far_away);
	tcase_add_test(tests, test_ranges_against_an_array_of_bytes);
	tcase_add_test(tests, test_a_lock_without_memory_changes_nothing);
	tcase_add_test(tests, test_the_two_spaces_do_not_see_each_other);
	return core_run("handle", tests);
}
