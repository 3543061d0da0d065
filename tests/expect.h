/* SPDX-License-Identifier: MIT */
/* What a call that returns a negative errno must give, in tests with Check;
 * and how a program of tests runs. */
#ifndef TESTS_EXPECT_H
#define TESTS_EXPECT_H

#include <stdint.h>

#include <check.h>

#define EXPECT_STRING(x) #x
#define EXPECT_LINE(x) EXPECT_STRING(x)
#define EXPECT_WHERE(call) __FILE__ ":" EXPECT_LINE(__LINE__) ": " #call

/* The call succeeds; gives its result. */
#define ok(call) expect_ok(EXPECT_WHERE(call), (call))
/* The call gives exactly this errno. */
#define fails(call, error) expect_failure(EXPECT_WHERE(call), (call), (error))

int64_t expect_ok(const char *where, int64_t result);
void expect_failure(const char *where, int64_t result, int error);

/* Runs the suite and frees it; the exit status of the program. */
int run_suite(Suite *suite);

#endif
