/* SPDX-License-Identifier: MIT */
/* How many times this thread has asked the kernel to read. */
#ifndef TESTS_SYSCR_H
#define TESTS_SYSCR_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So far, without this question; or -1 where the kernel does not count. */
static inline long reads_so_far(void)
{
	char text[400];
	const char *found;
	ssize_t n = -1;
	int fd = open("/proc/thread-self/io", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	if (n <= 0)
		return -1;
	text[n] = 0;
	found = strstr(text, "syscr: ");
	return found ? strtol(found + 7, NULL, 10) : -1;
}

/* Between two questions, of which the first is counted by the second. */
static inline long reads_since(long before)
{
	return reads_so_far() - before - 1;
}

#endif
