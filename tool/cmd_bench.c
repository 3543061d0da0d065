// SPDX-License-Identifier: MIT
/* memvfs bench: finds the benchmark; what all of them share. */
#include <config.h>

#include "tool/tool.h"

#include "bench/head.h"
#include "tool/bench.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static volatile sig_atomic_t stop; /* by a signal: clear away, then end */

static void on_signal(int number)
{
	stop = number;
}

void bench_command_init(struct bench_command *command, const char *name,
			const char *const columns[], double seconds)
{
	memset(command, 0, sizeof(*command));
	command->name = name;
	command->plan.seconds = seconds;
	command->plan.stop = &stop;
	command->plan.progress = bench_progress;
	command->report.benchmark = strrchr(name, ' ') + 1;
	for (size_t i = 0; columns[i] != NULL; i++)
		command->report.columns[i] = columns[i];
}

void bench_command_free(struct bench_command *command)
{
	bench_report_free(&command->report);
	bench_old_free(command->old);
}

static int choose(const struct bench_command *command, const char *option,
		  const char *value, const char *zero, const char *one)
{
	if (strcmp(value, zero) == 0)
		return 0;
	if (strcmp(value, one) == 0)
		return 1;
	tool_usage(command->name, "--%s '%s': must be %s or %s", option, value,
		   zero, one);
	return -1;
}

static int load_old(struct bench_command *command, const char *path)
{
	char message[256];
	int result;

	bench_old_free(command->old);
	command->old = NULL;
	result = bench_old_load(path, &command->old, message);
	if (result == -ENOTSUP)
		return tool_usage(command->name, "%s", message);
	if (result < 0)
		return tool_failed(command->name, "--compare: %s", message);
	return TOOL_OK;
}

static int take_option(struct bench_command *command, int option,
		       const char *value)
{
	double seconds;
	char *end;
	int one;

	switch (option) {
	case OPTION_TIME:
		seconds = strtod(value, &end);
		if (end == value || *end != '\0' || !(seconds >= 0) ||
		    isinf(seconds))
			return tool_usage(command->name,
					  "--time '%s': not a number of "
					  "seconds",
					  value);
		command->plan.seconds = seconds;
		return TOOL_OK;
	case OPTION_MODE:
		one = choose(command, "mode", value, "avgt", "thrpt");
		command->report.throughput = one;
		return one < 0 ? TOOL_USAGE : TOOL_OK;
	case OPTION_FORMAT:
		one = choose(command, "format", value, "text", "json");
		command->json = one;
		return one < 0 ? TOOL_USAGE : TOOL_OK;
	default:
		return load_old(command, value);
	}
}

int bench_command_parse(struct bench_command *command, int argc, char **argv,
			const struct option *options,
			int (*own)(void *ctx, int option, const char *value),
			void *ctx)
{
	int option, status = TOOL_OK;

	while (status == TOOL_OK &&
	       (option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		if (option == 'h')
			return -1;
		if (option == '?' || option == ':')
			status = tool_bad_option(command->name, option, argv);
		else if (option < OPTION_TIME)
			status = own(ctx, option, optarg);
		else
			status = take_option(command, option, optarg);
	}
	if (status == TOOL_OK && optind < argc)
		status = tool_usage(command->name,
				    "'%s': options only, please",
				    argv[optind]);
	return status;
}

int bench_parse_count(const char *name, const char *option, const char *value,
		      uint64_t least, uint64_t most, uint64_t *number)
{
	char *end;

	*number = strtoull(value, &end, 10);
	if (*value < '0' || *value > '9' || *end != '\0' || *number < least ||
	    *number > most)
		return tool_usage(name, "--%s '%s': must be %llu to %llu",
				  option, value, (unsigned long long)least,
				  (unsigned long long)most);
	return TOOL_OK;
}

void bench_command_begin(struct bench_command *command, uint64_t seed)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	sigemptyset(&action.sa_mask);
	action.sa_flags = SA_RESTART;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	command->plan.clock = bench_clock();
	bench_head(&command->report, &command->plan.clock, seed);
	bench_progress_begin(command->report.benchmark);
}

/* Ends as the signal would have ended it. */
static int die_of_signal(const struct bench_command *command)
{
	tool_failed(command->name,
		    "stopped by signal %d, nothing is left "
		    "mounted",
		    (int)stop);
	signal(stop, SIG_DFL);
	raise(stop);
	return TOOL_FAILED;
}

int bench_command_end(struct bench_command *command, int result)
{
	struct bench_report *report = &command->report;

	bench_progress_end();
	if (result == -EINTR && stop != 0)
		return die_of_signal(command);
	if (result < 0) {
		for (size_t i = 0; i < report->left_out_count; i++)
			tool_failed(command->name, "%s: %s",
				    report->left_out[i].what,
				    report->left_out[i].reason);
		return tool_failed(command->name, "%s", strerror(-result));
	}
	bench_report_drop_failed(report);
	if (command->old != NULL)
		bench_old_compare(command->old, report);
	if (report->failed)
		return tool_failed(command->name, "%s", strerror(ENOMEM));
	if (command->json)
		bench_report_json(report, stdout);
	else
		bench_report_text(report, stdout);
	return tool_finish(command->name);
}

static void print_help(void)
{
	printf("Usage: memvfs bench BENCHMARK [OPTION]...\n"
	       "Measures memvfs beside what else there is.\n\n"
	       "  readstring  whole files as strings: in memory, by a mount, "
	       "on tmpfs, on disk\n"
	       "  tree        calls on names in trees of a thousand and of a "
	       "million files\n"
	       "  clone       a tree of its own for each test: snapshots, "
	       "clones, comparisons\n"
	       "  crash       every state that a power cut may leave\n"
	       "  peers       beside what is used for the same today\n\n"
	       "'memvfs bench BENCHMARK --help' for the options of each.\n");
}

int cmd_bench(int argc, char **argv)
{
	static const struct option options[] = {
		{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} benchmarks[] = {{"readstring", cmd_bench_readstring},
			  {"tree", cmd_bench_tree},
			  {"clone", cmd_bench_clone},
			  {"crash", cmd_bench_crash},
			  {"peers", cmd_bench_peers}};
	int option = getopt_long(argc, argv, "+h", options, NULL);
	const char *name;

	if (option == 'h') {
		print_help();
		return tool_finish("memvfs bench");
	}
	if (option != -1)
		return tool_bad_option("memvfs bench", option, argv);
	if (optind == argc)
		return tool_usage("memvfs bench", "no benchmark given");
	name = argv[optind];
	for (size_t i = 0; i < sizeof(benchmarks) / sizeof(*benchmarks); i++) {
		if (strcmp(name, benchmarks[i].name) != 0)
			continue;
		argc -= optind;
		argv += optind;
		optind = 0;
		return benchmarks[i].run(argc, argv);
	}
	return tool_usage("memvfs bench", "unknown benchmark '%s'", name);
}
