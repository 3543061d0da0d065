/* SPDX-License-Identifier: MIT */
/* Saves a text as a file; 0, or -1 and errno. */
int save(const char *path, const char *text);
