/* SPDX-License-Identifier: MIT */
/* The POSIX cases through the library: by path and by descriptor. */
#include "config.h"

#include "tests/posix/cases.h"
#include "tests/posix/library.h"

int main(void)
{
	return posix_run(&posix_library);
}
