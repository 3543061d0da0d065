/* SPDX-License-Identifier: MIT */
/* What a thread keeps, and its end: see kept.h. */
#include "config.h"

#include "vfs/mem/kept.h"

#include <pthread.h>

#include "vfs/mem/arena.h"
#include "vfs/mem/scratch.h"
#include "vfs/mem/watched.h"

MVFS__SMALL_TLS _Thread_local struct mvfs__kept mvfs__kept;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool installed; /* written once, read after pthread_once() */

void mvfs__kept_drop(void)
{
	mvfs__arena_drop_blocks();
	mvfs__scratch_drop_stack();
}

/* Destructors that run after this one may still allocate. */
static void end_thread(void *arg)
{
	(void)arg;
	mvfs__kept_drop();
	mvfs__kept.room = 0;
	mvfs__kept.keeping = MVFS__KEEPS_NOTHING;
}

static void install(void)
{
	installed = !pthread_key_create(&key, end_thread);
}

/* Where the library is unloaded, threads must not come back to it. */
static __attribute__((__destructor__)) void uninstall(void)
{
	if (installed)
		(void)pthread_key_delete(key);
}

static enum mvfs__keeping ask(void)
{
	if (mvfs__watched())
		return MVFS__KEEPS_WATCHED;
	pthread_once(&once, install);
	if (!installed || pthread_setspecific(key, &mvfs__kept))
		return MVFS__KEEPS_NOTHING;
	mvfs__kept.room = MVFS__ARENA_KEPT;
	return MVFS__KEEPS;
}

bool mvfs__keeps(void)
{
	struct mvfs__kept *kept = &mvfs__kept;

	if (kept->keeping == MVFS__KEEPS_UNASKED)
		kept->keeping = (uint8_t)ask();
	return kept->keeping == MVFS__KEEPS;
}
