/* SPDX-License-Identifier: MIT */
/* The shared library is loaded when the program runs, as a plugin is. */
#include "config.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <memvfs/memvfs.h>

#define NOT_HERE 77

static void *library;

static void *symbol(const char *name)
{
	void *found = dlsym(library, name);

	if (!found) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return found;
}

/* NULL, or the library, if it does not work. */
static void *use(void *arg)
{
	int (*create)(const struct mvfs_options *, mvfs **);
	int (*make)(mvfs *, const char *, uint32_t);
	int (*destroy)(mvfs *);
	mvfs *fs;

	(void)arg;
	*(void **)&create = symbol("mvfs_create");
	*(void **)&make = symbol("mvfs_mkdir");
	*(void **)&destroy = symbol("mvfs_destroy");
	if (create(NULL, &fs) || make(fs, "/a", 0755) ||
	    make(fs, "/a/b", 0755) || destroy(fs))
		return library;
	return NULL;
}

int main(void)
{
	const char *dir = getenv("MVFS_BUILDDIR");
	void *problem;
	pthread_t thread;
	char path[4096];

	snprintf(path, sizeof(path), "%s/.libs/libmemvfs.so", dir ? dir : ".");
	if (access(path, R_OK)) {
		puts("SKIP: there is no shared library");
		return NOT_HERE;
	}
	library = dlopen(path, RTLD_NOW);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	problem = use(NULL);
	if (!problem && !pthread_create(&thread, NULL, use, NULL))
		pthread_join(thread, &problem);
	if (problem)
		fprintf(stderr, "it is there, and does not work\n");
	return problem != NULL;
}
