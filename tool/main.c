// SPDX-License-Identifier: MIT
/* memvfs(1): finds the subcommand. */
#include <config.h>

#include "tool/tool.h"

#include <memvfs/memvfs.h>

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{"bench", cmd_bench, "measure: readstring, tree"},
	{"ctl", cmd_ctl, "speak to a mount: faults, log, snapshots"},
	{"mount", cmd_mount, "mount a tree in memory on a directory"},
};

static void print_help(void)
{
	printf("Usage: memvfs COMMAND [ARGUMENT]...\n"
	       "File systems in memory.\n\n");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		printf("  %-8s %s\n", commands[i].name, commands[i].help);
	printf("\n  --help     this text; 'memvfs COMMAND --help' for each\n"
	       "  --version  the version\n\n"
	       "memvfs(1) says more.\n");
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{NULL, 0, NULL, 0}};
	const char *name;
	int option;

	opterr = 0;
	/* '+': what follows the command is the command's. */
	option = getopt_long(argc, argv, "+hV", options, NULL);
	if (option == 'h') {
		print_help();
		return tool_finish("memvfs");
	}
	if (option == 'V') {
		printf("memvfs %s\n", mvfs_version());
		return tool_finish("memvfs");
	}
	if (option != -1)
		return tool_bad_option("memvfs", option, argv);
	if (optind == argc)
		return tool_usage("memvfs", "no command given");
	name = argv[optind];
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(name, commands[i].name) != 0)
			continue;
		argc -= optind;
		argv += optind;
		optind = 0; /* start over: GNU's word for it */
		return commands[i].run(argc, argv);
	}
	return tool_usage("memvfs", "unknown command '%s'", name);
}
