/* SPDX-License-Identifier: MIT */
#ifndef TESTS_REDIRECT_KEEPER_H
#define TESTS_REDIRECT_KEEPER_H

#ifdef __cplusplus
extern "C" {
#endif

/* Saves a text beside the old one and renames it; 0, or -1 and errno. */
int keeper_save(const char *path, const char *text);

/* How many lines a file has, -1 and errno. */
int keeper_lines(const char *path);

/* How many names a directory has, "." and ".." apart; -1 and errno. */
int keeper_count(const char *path);

#ifdef __cplusplus
}
#endif

#endif
