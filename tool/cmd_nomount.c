// SPDX-License-Identifier: MIT
/* memvfs mount and ctl where configure found no libfuse3: they say so. */
#include <config.h>

#include "tool/tool.h"

static int missing(const char *command)
{
	return tool_failed(command,
			   "this memvfs was built without libfuse3 (Debian: "
			   "apt install libfuse3-dev fuse3, then configure "
			   "again)");
}

int cmd_ctl(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return missing("memvfs ctl");
}

int cmd_mount(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return missing("memvfs mount");
}
