/* SPDX-License-Identifier: MIT */
/*
 * Paths of trees that do not change, gathered from here and there, then
 * sorted, each once.
 */
#ifndef MVFS__PATHS_H
#define MVFS__PATHS_H

#include "vfs/fs/still.h"

struct mvfs__paths {
	struct mvfs__grow bytes;  /* each terminated, one behind the other */
	struct mvfs__grow places; /* where each begins: size_t */
	struct mvfs__grow path;   /* of a walk down */
	struct mvfs__grow levels; /* of it */
	const char **sorted;      /* after sorting */
	size_t count;
};

/* All paths of a node. */
void mvfs__paths_add_node(struct mvfs__paths *paths,
			  const struct mvfs__still *tree,
			  const struct mvfs__node *node);
/* All paths below a directory that has one itself; of what has several names
 * also those elsewhere. */
void mvfs__paths_add_below(struct mvfs__paths *paths,
			   const struct mvfs__still *tree,
			   const struct mvfs__node *dir);
/* All paths of the tree, "/" too, if it has a root. */
void mvfs__paths_add_tree(struct mvfs__paths *paths,
			  const struct mvfs__still *tree);

/* Whether memory has run out; what is added then is nothing. */
bool mvfs__paths_failed(const struct mvfs__paths *paths);

/* 0 or -ENOMEM. */
int mvfs__paths_sort(struct mvfs__paths *paths);
void mvfs__paths_free(struct mvfs__paths *paths);

/* The order of paths: a directory, then all in it. */
int mvfs__path_order(const char *a, const char *b);

#endif
