/* SPDX-License-Identifier: MIT */
/* The second tier: the POSIX cases by inode number and name, and pins. */
#include "config.h"

#include "tests/sys/sys.h"

int main(void)
{
	Suite *suite = suite_create("sys");

	add_name_tests(suite);
	add_pin_tests(suite);
	add_file_tests(suite);
	add_user_tests(suite);
	add_xattr_tests(suite);
	add_lock_tests(suite);
	add_list_tests(suite);
	return run_suite(suite);
}
