// SPDX-License-Identifier: MIT
/* Keeps the library from being empty until its first module is there. */
extern const char mvfs__skeleton;
const char mvfs__skeleton = 0;
