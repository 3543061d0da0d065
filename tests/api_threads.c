/* SPDX-License-Identifier: MIT */
/* Many threads on one instance, and on instances that share values. */
#include "config.h"

#include "tests/threads/threads.h"

int main(void)
{
	Suite *suite = suite_create("threads");

	add_storm_tests(suite);
	add_hot_tests(suite);
	add_descriptor_tests(suite);
	add_lock_tests(suite);
	add_life_tests(suite);
	return run_suite(suite);
}
