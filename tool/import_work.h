/* SPDX-License-Identifier: MIT */
/* The parts of the copier: import.c walks, import_data.c copies bytes,
 * import_attrs.c attributes, import_links.c knows what was linked before. */
#ifndef TOOL_IMPORT_WORK_H
#define TOOL_IMPORT_WORK_H

#include "tool/import.h"

#include <sys/stat.h>

struct import_link;

struct import {
	mvfs *fs;
	dev_t dev;                 /* of the source: to stay in it */
	struct import_link *links; /* a uthash table */
	char *path;                /* of what is being copied, from the source
				      on; malloc'd */
	size_t path_len, path_room;
	char *buffer;              /* for data, xattrs and targets */
	struct import_left *left;
	struct mvfs_error *error;
};

#define IMPORT_BUFFER (1024 * 1024)

/* "PATH: message", or "PATH: message: what the code means". */
int import_error(struct import *import, int code, const char *message);

/* The bytes of an open host file to an open file of the tree. */
int import_data(struct import *import, int from, int to);

/* Owner, mode, xattrs and times of `name` in a host directory to the same
 * name (or `to`) in a directory of the tree. */
int import_attrs(struct import *import, int from_dir, const char *name,
		 int to_dir, const char *to, const struct stat *st);

/* 1 if the inode had a name before, of which this is made a link now. */
int import_link_again(struct import *import, const struct stat *st, int to_dir,
		      const char *name);
/* Remembers an inode with further names to come. */
int import_link_first(struct import *import, const struct stat *st, int to_dir,
		      const char *name);
void import_links_free(struct import *import);

#endif
