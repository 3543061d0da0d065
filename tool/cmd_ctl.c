// SPDX-License-Identifier: MIT
/*
 * memvfs ctl: faults, the log and snapshots of a mount, from a shell. What is
 * printed is meant to be read by one as well: no headings, one thing a line.
 */
#include <config.h>

#include "tool/ctl.h"
#include "tool/tool.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_help(void)
{
	printf("Usage: " CTL_NAME " DIR COMMAND\n"
	       "Speaks to the memvfs that is mounted on DIR.\n\n"
	       "  fault add RULE...     add fault rules, each one argument; "
	       "prints their numbers\n"
	       "  fault list            number and text of each rule\n"
	       "  fault count [ID]      calls that it was for, and that it "
	       "did something to\n"
	       "  fault remove ID...    remove rules\n"
	       "  fault clear           remove all of them\n"
	       "  log start [CAPACITY]  start a log, empty; of 4096 calls\n"
	       "  log stop              let it stay as it is\n"
	       "  log show              a line for each call\n"
	       "  log expect FILE       fail if it has not the calls of FILE "
	       "(-: standard input)\n"
	       "  snapshot NAME         keep the tree as it is now\n"
	       "  restore NAME          let the tree be that again\n"
	       "  snapshots             their names\n"
	       "  snapshots drop NAME...  give them up\n"
	       "  crash start [WORD]... track what a power cut leaves\n"
	       "  crash [WORD]...       cut the power: the tree becomes that\n"
	       "  crash explain [WORD]... say what that would be\n"
	       "  crash point           print the number of the present "
	       "moment\n"
	       "  crash stop            end the tracking\n"
	       "  stats                 counts of the process that serves\n\n"
	       "Faults and the log need a mount with -o cache=none or "
	       "-o fault=FILE.\n"
	       "memvfs(1) says more and what a WORD is, memvfs-fault(7) what "
	       "a RULE is.\n");
}

static int parse_id(const char *text, uint64_t *id)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || errno != 0)
		return tool_usage(CTL_NAME, "'%s': not the number of a rule",
				  text);
	*id = value;
	return TOOL_OK;
}

static int print_answer(const struct ctl *ctl)
{
	fwrite(ctl->answer, 1, ctl->len, stdout);
	return TOOL_OK;
}

/* Adds a rule, or tells which one is wrong and where. */
static int add_rule(struct ctl *ctl, const char *rule)
{
	int status = ctl_do(ctl, MVFS_CTL_FAULT_ADD, 0, rule, rule);

	if (status == TOOL_USAGE && strpbrk(rule, " \t") == NULL)
		tool_failed(CTL_NAME, "a rule is one argument: quote it, as "
			    "'write path=/db/* errno=EIO'");
	return status;
}

/* All of them, or none. */
static int fault_add(struct ctl *ctl, char **rules)
{
	size_t count = 0;
	int status = TOOL_OK;
	uint64_t *ids;

	while (rules[count] != NULL)
		count++;
	ids = calloc(count, sizeof *ids);
	if (ids == NULL)
		return tool_failed(CTL_NAME, "%s", strerror(ENOMEM));
	for (count = 0; status == TOOL_OK && rules[count] != NULL; count++) {
		status = add_rule(ctl, rules[count]);
		ids[count] = ctl->number;
	}
	if (status == TOOL_OK) {
		for (size_t i = 0; i < count; i++)
			printf("%" PRIu64 "\n", ids[i]);
	} else {
		/* The last one is the one that failed. */
		for (size_t i = 0; i + 1 < count; i++)
			ctl_ask(ctl, MVFS_CTL_FAULT_REMOVE, ids[i], NULL, 0);
	}
	free(ids);
	return status;
}

/* Calls fn for each line "ID MATCHED FIRED RULE" of the answer. */
static int each_rule(struct ctl *ctl,
		     int (*fn)(uint64_t id, const uint64_t counts[2],
			       const char *rule, const uint64_t *wanted),
		     const uint64_t *wanted)
{
	int status, found = wanted == NULL, skip;
	uint64_t id, counts[2];
	char *line, *rest;

	status = ctl_do(ctl, MVFS_CTL_FAULT_LIST, 0, NULL, NULL);
	if (status != TOOL_OK)
		return status;
	for (line = strtok_r(ctl->answer, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %n",
			   &id, &counts[0], &counts[1], &skip) == 3)
			found |= fn(id, counts, line + skip, wanted);
	}
	if (!found)
		return tool_failed(CTL_NAME, "%s: there is no rule %" PRIu64,
				   ctl->dir, *wanted);
	return TOOL_OK;
}

static int print_rule(uint64_t id, const uint64_t counts[2], const char *rule,
		      const uint64_t *wanted)
{
	(void)counts;
	(void)wanted;
	printf("%" PRIu64 " %s\n", id, rule);
	return 1;
}

static int print_counts(uint64_t id, const uint64_t counts[2],
			const char *rule, const uint64_t *wanted)
{
	(void)rule;
	if (wanted != NULL && id != *wanted)
		return 0;
	if (wanted == NULL)
		printf("%" PRIu64 " ", id);
	printf("%" PRIu64 " %" PRIu64 "\n", counts[0], counts[1]);
	return 1;
}

static int fault_list(struct ctl *ctl, char **arguments)
{
	(void)arguments;
	return each_rule(ctl, print_rule, NULL);
}

static int fault_count(struct ctl *ctl, char **arguments)
{
	uint64_t id;
	int status;

	if (arguments[0] == NULL)
		return each_rule(ctl, print_counts, NULL);
	status = parse_id(arguments[0], &id);
	return status == TOOL_OK ? each_rule(ctl, print_counts, &id) : status;
}

static int fault_remove(struct ctl *ctl, char **ids)
{
	int status = TOOL_OK, one;
	uint64_t id;

	for (size_t i = 0; ids[i] != NULL; i++) {
		one = parse_id(ids[i], &id);
		if (one != TOOL_OK)
			return one;
	}
	/* Those that are there, even if others are not. */
	for (; *ids != NULL; ids++) {
		parse_id(*ids, &id);
		one = ctl_do(ctl, MVFS_CTL_FAULT_REMOVE, id, NULL, NULL);
		if (one != TOOL_OK)
			status = one;
	}
	return status;
}

static int fault_clear(struct ctl *ctl, char **arguments)
{
	(void)arguments;
	return ctl_do(ctl, MVFS_CTL_FAULT_CLEAR, 0, NULL, NULL);
}

static int log_start(struct ctl *ctl, char **arguments)
{
	uint64_t capacity = 0;

	if (arguments[0] != NULL &&
	    (tool_parse_size(arguments[0], &capacity) < 0 || capacity == 0))
		return tool_usage(CTL_NAME, "'%s': not a number of calls",
				  arguments[0]);
	return ctl_do(ctl, MVFS_CTL_LOG_START, capacity, NULL, NULL);
}

static int log_stop(struct ctl *ctl, char **arguments)
{
	(void)arguments;
	return ctl_do(ctl, MVFS_CTL_LOG_STOP, 0, NULL, NULL);
}

static int print_by(struct ctl *ctl, unsigned command)
{
	int status = ctl_do(ctl, command, 0, NULL, NULL);

	return status == TOOL_OK ? print_answer(ctl) : status;
}

static int log_show(struct ctl *ctl, char **arguments)
{
	(void)arguments;
	return print_by(ctl, MVFS_CTL_LOG_SHOW);
}

/* The whole of a file, malloc'd; NULL, and errno. */
static char *read_whole(const char *name, size_t *len)
{
	FILE *in = strcmp(name, "-") ? fopen(name, "re") : stdin;
	char *text = NULL;
	size_t size = 0;
	ssize_t n;

	if (in == NULL)
		return NULL;
	/* To the first zero byte, which text has none of: to the end. */
	errno = 0;
	n = getdelim(&text, &size, '\0', in);
	if (n < 0 && !feof(in)) {
		free(text);
		text = NULL;
	}
	if (in != stdin)
		fclose(in);
	*len = n > 0 ? n : 0;
	return text;
}

static int log_expect(struct ctl *ctl, char **arguments)
{
	const char *name = arguments[0];
	size_t len;
	char *text = read_whole(name, &len);
	int status;

	if (text == NULL)
		return tool_failed(CTL_NAME, "%s: %s", name, strerror(errno));
	status = ctl_ask(ctl, MVFS_CTL_LOG_EXPECT, 0, text, len);
	free(text);
	return status == TOOL_OK ? ctl_tell(ctl, name) : status;
}

static int snapshot(struct ctl *ctl, char **arguments)
{
	/* What is stored through mappings counts as made. */
	syncfs(ctl->fd);
	return ctl_do(ctl, MVFS_CTL_SNAPSHOT, 0, arguments[0], NULL);
}

static int restore(struct ctl *ctl, char **arguments)
{
	return ctl_do(ctl, MVFS_CTL_RESTORE, 0, arguments[0], NULL);
}

static int snapshots(struct ctl *ctl, char **arguments)
{
	(void)arguments;
	return print_by(ctl, MVFS_CTL_SNAPSHOT_LIST);
}

static int snapshots_drop(struct ctl *ctl, char **names)
{
	int status = TOOL_OK, one;

	for (; *names != NULL; names++) {
		one = ctl_do(ctl, MVFS_CTL_SNAPSHOT_DROP, 0, *names, NULL);
		if (one != TOOL_OK)
			status = one;
	}
	return status;
}

/* The arguments as one text, with blanks between; malloc'd, NULL without
 * memory. */
static char *join(char **words)
{
	size_t len = 1;
	char *text, *at;

	for (size_t i = 0; words[i] != NULL; i++)
		len += strlen(words[i]) + 1;
	text = malloc(len);
	if (text == NULL)
		return NULL;
	*text = '\0';
	for (at = text; *words != NULL; words++) {
		at = stpcpy(at, *words);
		if (words[1] != NULL)
			at = stpcpy(at, " ");
	}
	return text;
}

static int crash_by(struct ctl *ctl, unsigned command, char **words)
{
	char *text = join(words);
	int status;

	if (text == NULL)
		return tool_failed(CTL_NAME, "%s", strerror(ENOMEM));
	status = ctl_do(ctl, command, 0, text, NULL);
	free(text);
	return status == TOOL_OK ? print_answer(ctl) : status;
}

static int crash_start(struct ctl *ctl, char **words)
{
	return crash_by(ctl, MVFS_CTL_CRASH_START, words);
}

static int crash(struct ctl *ctl, char **words)
{
	return crash_by(ctl, MVFS_CTL_CRASH, words);
}

static int crash_explain(struct ctl *ctl, char **words)
{
	return crash_by(ctl, MVFS_CTL_CRASH_EXPLAIN, words);
}

static int crash_stop(struct ctl *ctl, char **words)
{
	return crash_by(ctl, MVFS_CTL_CRASH_STOP, words);
}

static int crash_point(struct ctl *ctl, char **arguments)
{
	int status = crash_by(ctl, MVFS_CTL_CRASH_POINT, arguments);

	if (status == TOOL_OK)
		printf("%" PRIu64 "\n", ctl->number);
	return status;
}

static int stats(struct ctl *ctl, char **arguments)
{
	(void)arguments;
	return print_by(ctl, MVFS_CTL_STATS);
}

static const struct command {
	const char *name, *second; /* NULL: there is none */
	int least, most;           /* arguments; -1: any number */
	const char *wants;         /* these */
	int (*run)(struct ctl *ctl, char **arguments);
} commands[] = {
	{ "fault", "add", 1, -1, "RULE...", fault_add },
	{ "fault", "list", 0, 0, "", fault_list },
	{ "fault", "count", 0, 1, "[ID]", fault_count },
	{ "fault", "remove", 1, -1, "ID...", fault_remove },
	{ "fault", "clear", 0, 0, "", fault_clear },
	{ "log", "start", 0, 1, "[CAPACITY]", log_start },
	{ "log", "stop", 0, 0, "", log_stop },
	{ "log", "show", 0, 0, "", log_show },
	{ "log", "expect", 1, 1, "FILE", log_expect },
	{ "snapshot", NULL, 1, 1, "NAME", snapshot },
	{ "restore", NULL, 1, 1, "NAME", restore },
	{ "snapshots", "drop", 1, -1, "NAME...", snapshots_drop },
	{ "snapshots", NULL, 0, 0, "", snapshots },
	{ "crash", "start", 0, -1, "[WORD]...", crash_start },
	{ "crash", "stop", 0, 0, "", crash_stop },
	{ "crash", "point", 0, 0, "", crash_point },
	{ "crash", "explain", 0, -1, "[WORD]...", crash_explain },
	{ "crash", NULL, 0, -1, "[WORD]...", crash },
	{ "stats", NULL, 0, 0, "", stats },
};

/* NULL, when usage has been told, and the status. */
static const struct command *find(int argc, char **argv)
{
	const char *second = argc > 1 ? argv[1] : NULL;
	const struct command *c, *like = NULL;

	for (c = commands; c < commands + sizeof commands / sizeof *commands;
	     c++) {
		if (strcmp(argv[0], c->name) != 0)
			continue;
		like = c;
		if (c->second == NULL ||
		    (second != NULL && strcmp(second, c->second) == 0))
			return c;
	}
	if (like == NULL)
		tool_usage(CTL_NAME, "unknown command '%s'", argv[0]);
	else if (second == NULL)
		tool_usage(CTL_NAME, "'%s' what?", argv[0]);
	else
		tool_usage(CTL_NAME, "unknown command '%s %s'", argv[0],
			   second);
	return NULL;
}

static int run(const char *dir, int argc, char **argv)
{
	const struct command *command = find(argc, argv);
	struct ctl ctl;
	int status, words;

	if (command == NULL)
		return TOOL_USAGE;
	words = command->second != NULL ? 2 : 1;
	argc -= words;
	argv += words;
	if (argc < command->least ||
	    (command->most >= 0 && argc > command->most))
		return tool_usage(CTL_NAME, "'%s%s%s' wants %s", command->name,
				  command->second != NULL ? " " : "",
				  command->second != NULL ? command->second
							  : "",
				  *command->wants ? command->wants
						  : "no argument");
	status = ctl_open(&ctl, dir);
	if (status == TOOL_OK)
		status = command->run(&ctl, argv);
	ctl_close(&ctl);
	return status == TOOL_OK ? tool_finish(CTL_NAME) : status;
}

int cmd_ctl(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	int option;

	opterr = 0;
	/* '+': a rule or a name may begin with '-'. */
	option = getopt_long(argc, argv, "+:h", options, NULL);
	if (option == 'h') {
		print_help();
		return tool_finish(CTL_NAME);
	}
	if (option != -1)
		return tool_bad_option(CTL_NAME, option, argv);
	if (argc - optind < 2)
		return tool_usage(CTL_NAME, argc == optind
					    ? "no directory, and no command"
					    : "no command");
	return run(argv[optind], argc - optind - 1, argv + optind + 1);
}
