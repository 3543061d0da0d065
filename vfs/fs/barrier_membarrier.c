/* SPDX-License-Identifier: MIT */
/*
 * By membarrier(2): with one thread in the process it is an empty system
 * call, else an interrupt for each processor that runs another one.
 *
 * The child of a fork(2) may have to register again. Where a sandbox forbids
 * the call after it has worked, a page whose protection is taken away does
 * the same, for each processor that runs the process has to hear of that.
 */
#include "config.h"

#include "vfs/fs/barrier.h"

#include <linux/membarrier.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { UNKNOWN, READY, MISSING };
static atomic_int state = UNKNOWN;

static bool call(int command)
{
	return syscall(SYS_membarrier, command, 0, 0) == 0;
}

bool mvfs__barrier_ready(void)
{
	int known = atomic_load_explicit(&state, memory_order_relaxed);

	if (known == UNKNOWN) {
		known = call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) ?
			READY : MISSING;
		atomic_store_explicit(&state, known, memory_order_relaxed);
	}
	return known == READY;
}

static void by_protection(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *page = mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* there is no way to go on without the others' stores */
	if (page == MAP_FAILED)
		abort();
	*page = 1;
	if (mprotect((void *)(uintptr_t)page, size, PROT_NONE))
		abort();
	munmap((void *)(uintptr_t)page, size);
}

void mvfs__barrier_all(void)
{
	if (mvfs__likely(call(MEMBARRIER_CMD_PRIVATE_EXPEDITED)))
		return;
	if (call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
	    call(MEMBARRIER_CMD_PRIVATE_EXPEDITED))
		return;
	atomic_store_explicit(&state, MISSING, memory_order_relaxed);
	by_protection();
}
