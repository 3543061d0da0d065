// SPDX-License-Identifier: MIT
/* Keeps the library from being empty until its first file is there. */
extern const char mvfs__fuse_skeleton;
const char mvfs__fuse_skeleton = 0;
