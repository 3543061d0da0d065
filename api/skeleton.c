// SPDX-License-Identifier: MIT
/* Keeps the library from being empty until its first call is there. */
extern const char mvfs__api_skeleton;
const char mvfs__api_skeleton = 0;
