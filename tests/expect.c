/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/expect.h"

#include <stdlib.h>
#include <string.h>

int64_t expect_ok(const char *where, int64_t result)
{
	if (result < 0)
		ck_abort_msg("%s: %s", where, strerror((int)-result));
	return result;
}

void expect_failure(const char *where, int64_t result, int error)
{
	if (result >= 0)
		ck_abort_msg("%s: %lld instead of: %s", where,
			     (long long)result, strerror(error));
	if (result != -error)
		ck_abort_msg("%s: %s, instead of: %s", where,
			     strerror((int)-result), strerror(error));
}

int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
