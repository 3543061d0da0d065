// SPDX-License-Identifier: MIT
/* memvfs mount where configure found no libfuse3: says so. */
#include <config.h>

#include "tool/tool.h"

int cmd_mount(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return tool_failed("memvfs mount",
			   "this memvfs was built without libfuse3 (Debian: "
			   "apt install libfuse3-dev fuse3, then configure "
			   "again)");
}
