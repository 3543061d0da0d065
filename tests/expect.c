/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/expect.h"

#include <string.h>

#include <check.h>

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
