/* SPDX-License-Identifier: MIT */
/* The command: tests/oracle. */
#include "config.h"

#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum against { LIBRARY, MOUNT, KERNEL };

struct settings {
	uint64_t seed, seeds, ops, max_bytes;
	unsigned every;
	enum against against;
	const char *mount;    /* a directory where memvfs is mounted */
	int plant;
	bool lenient, no_shrink, verbose, counts;
};

static const char usage[] =
	"usage: tests/oracle [OPTION]...\n"
	"Runs random operations on memvfs and on a tmpfs and compares.\n"
	"  --seed N      of the first sequence [MVFS_SEED, or 1]\n"
	"  --seeds N     how many sequences [1]\n"
	"  --ops N       operations in each [20000]\n"
	"  --every N     operations between readings of the whole tree [400]\n"
	"  --limit N     the bytes that both have room for [no limit]\n"
	"  --mount       memvfs behind a mount of this process\n"
	"  --mount=DIR   memvfs as mounted there\n"
	"  --kernel      tmpfs against itself: must show no difference\n"
	"  --plant N     with a bug planted: must show one\n"
	"  --lenient     go on after another error, print it once\n"
	"  --no-shrink   print the difference, not the shortest way to it\n"
	"  --counts      how often each call worked and failed\n"
	"  --verbose     print each operation before it is run\n"
	"  --legal       what may differ, and why\n"
	"Exits with 0, 1 after a difference, 77 if something is missing.\n";

static uint64_t parse(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 0);

	if (*end || end == text) {
		fprintf(stderr, "oracle: \"%s\" is no number\n", text);
		exit(2);
	}
	return n;
}

static void parse_options(int argc, char **argv, struct settings *s)
{
	static const struct option options[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "seeds", required_argument, NULL, 'S' },
		{ "ops", required_argument, NULL, 'o' },
		{ "every", required_argument, NULL, 'e' },
		{ "limit", required_argument, NULL, 'b' },
		{ "mount", optional_argument, NULL, 'm' },
		{ "kernel", no_argument, NULL, 'k' },
		{ "plant", required_argument, NULL, 'p' },
		{ "no-shrink", no_argument, NULL, 'n' },
		{ "lenient", no_argument, NULL, 'L' },
		{ "counts", no_argument, NULL, 'c' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "legal", no_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (c) {
		case 's':
			s->seed = parse(optarg);
			break;
		case 'S':
			s->seeds = parse(optarg);
			break;
		case 'o':
			s->ops = parse(optarg);
			break;
		case 'e':
			s->every = (unsigned)parse(optarg);
			break;
		case 'b':
			s->max_bytes = parse(optarg);
			break;
		case 'm':
			s->against = MOUNT;
			s->mount = optarg;
			break;
		case 'k':
			s->against = KERNEL;
			break;
		case 'p':
			s->plant = (int)parse(optarg);
			break;
		case 'n':
			s->no_shrink = true;
			break;
		case 'L':
			s->lenient = true;
			break;
		case 'c':
			s->counts = true;
			break;
		case 'v':
			s->verbose = true;
			break;
		case 'l':
			legal_print();
			exit(0);
		case 'h':
			fputs(usage, stdout);
			exit(0);
		default:
			fputs(usage, stderr);
			exit(2);
		}
	if (s->every == 0 || s->ops == 0) {
		fputs(usage, stderr);
		exit(2);
	}
}

static void skip(const char *why)
{
	printf("SKIP: %s\n", why);
	exit(77);
}

/* Root of a container may lack what it takes to be somebody else. */
static bool can_switch_users(void)
{
	int status = 1;
	pid_t pid = fork();

	if (pid == 0) {
		gid_t groups[2] = { 2000, 1000 };

		_exit(geteuid() != 0 || setgroups(2, groups) < 0 ||
		      setresgid(1001, 1001, 1001) < 0 ||
		      setresuid(1001, 1001, 0) < 0 ||
		      setresuid(0, 0, 0) < 0 || setresuid(1000, 1000, 0) < 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return false;
	return status == 0;
}

/* What both can do. */
static struct facts common(const struct facts *a, const struct facts *b)
{
	struct facts both = *a;

	both.chrooted = a->chrooted && b->chrooted;
	both.user_xattr = a->user_xattr && b->user_xattr;
	both.trusted_xattr = a->trusted_xattr && b->trusted_xattr;
	both.security_xattr = a->security_xattr && b->security_xattr;
	both.xattrat = a->xattrat && b->xattrat;
	both.chmodat_flags = a->chmodat_flags && b->chmodat_flags;
	both.devices = a->devices && b->devices;
	both.tmpfile = a->tmpfile && b->tmpfile;
	both.creat_directory = a->creat_directory && b->creat_directory;
	both.realpath = a->realpath && b->realpath;
	both.clones = b->clones;
	both.fuse = b->fuse;
	return both;
}

enum { ERRNOS = 134 };

struct counts {
	uint64_t worked[OP_COUNT], failed[OP_COUNT][ERRNOS];
};

static void count(struct counts *counts, const struct op *op, int64_t ret)
{
	if (ret >= 0)
		counts->worked[op->code]++;
	else if (ret > -ERRNOS)
		counts->failed[op->code][-ret]++;
}

static void print_counts(const struct counts *counts)
{
	unsigned code, i;

	for (code = 0; code < OP_COUNT; code++) {
		printf("%7" PRIu64 " %-21.*s", counts->worked[code],
		       (int)strcspn(op_calls[code], "("), op_calls[code]);
		for (i = 0; i < ERRNOS; i++)
			if (counts->failed[code][i])
				printf(" %" PRIu64 " %s",
				       counts->failed[code][i],
				       mvfs_errno_name((int)i));
		printf("\n");
	}
}

static void print_op(const struct op *op)
{
	struct text text = { 0 };

	op_print(op, &text);
	printf("%s\n", text.data);
	fflush(stdout);
	free(text.data);
}

/* A difference: what it is, and the shortest way there. */
static void report(struct engine *engine, struct op *ops, size_t count,
		   uint64_t seed, const struct settings *settings)
{
	printf("seed %" PRIu64 ": a difference at operation %zu:\n  ", seed,
	       count);
	print_op(&ops[count - 1]);
	printf("%s", engine->differ.text);
	fflush(stdout);
	if (settings->no_shrink)
		return;
	printf("shrinking ...\n");
	fflush(stdout);
	print_test(engine, ops, shrink(engine, ops, count), seed);
}

static bool run_seed(struct engine *engine, uint64_t seed,
		     const struct settings *settings, struct counts *counts)
{
	struct op *ops = calloc(settings->ops + 1, sizeof(*ops));
	struct op last = { .code = OP_CLONE, .xflags = 1 };
	struct gen *gen;
	bool same = true;
	size_t i;

	if (!ops)
		abort();
	engine->sides[1].seed = seed;
	engine->sides[1].inner_root = seed % 4 == 3;
	engine->every = settings->every;
	gen = gen_new(seed, &engine->facts, engine->sides[0].users);
	engine_reset(engine);
	gen_see(gen, &engine->last);
	for (i = 0; same && i < settings->ops; i++) {
		gen_op(gen, &ops[i]);
		if (settings->verbose)
			print_op(&ops[i]);
		same = engine_step(engine, &ops[i]);
		gen_learn(gen, &ops[i], engine->reports[0]);
		ops[i].failed = engine->reports[0]->result.ret < 0;
		count(counts, &ops[i], engine->reports[0]->result.ret);
		if (engine->done % settings->every == 0)
			gen_see(gen, &engine->last);
	}
	if (same && engine->facts.clones) {
		ops[i++] = last;
		same = engine_step(engine, &last);
	} else if (same) {
		same = engine_whole(engine);
	}
	if (!same)
		report(engine, ops, i, seed, settings);
	gen_free(gen);
	free(ops);
	return same;
}

static void name_users(struct side *side, bool several)
{
	unsigned user;

	side->facts.several_users = several;
	side->facts.uid = geteuid();
	side->facts.gid = getegid();
	for (user = 0; user < USERS; user++)
		side->users[user] = several ? several_users[user]
					    : (struct user){ geteuid(),
							     getegid(),
							     { 0, 0 }, 0 };
}

static bool run_all(struct engine *engine, const struct settings *settings)
{
	struct counts counts = { 0 };
	bool same = true;
	uint64_t i;

	engine->facts = common(&engine->sides[0].facts,
			       &engine->sides[1].facts);
	engine->facts.limited = settings->max_bytes != 0;
	engine->differ.facts[0] = engine->sides[0].facts;
	engine->differ.facts[1] = engine->sides[1].facts;
	engine->differ.lenient = settings->lenient;
	engine->differ.names[0] = "tmpfs";
	engine->differ.names[1] = settings->against == KERNEL ? "the other"
				  : settings->against == MOUNT ? "the mount"
							       : "memvfs";
	engine->reports[0] = report_new();
	engine->reports[1] = report_new();
	for (i = 0; same && i < settings->seeds; i++) {
		same = run_seed(engine, settings->seed + i, settings, &counts);
		if (same)
			printf("seed %" PRIu64 ": %" PRIu64 " operations, "
			       "no difference\n", settings->seed + i,
			       settings->ops);
		fflush(stdout);
	}
	if (settings->counts)
		print_counts(&counts);
	dump_free(&engine->last);
	differ_reset(&engine->differ);
	report_free(engine->reports[0]);
	report_free(engine->reports[1]);
	return same;
}

static void say_facts(const struct engine *engine)
{
	const struct facts *f = &engine->facts;

	printf("left out:%s%s%s%s%s%s%s%s%s%s%s\n",
	       f->several_users ? "" : " other users (needs root);",
	       f->chrooted ? "" : " absolute paths and \"..\" (no chroot);",
	       f->user_xattr ? "" : " user attributes (tmpfs before 6.6);",
	       f->trusted_xattr ? "" : " trusted attributes;",
	       f->xattrat ? "" : " attributes with AT_EMPTY_PATH (Linux "
				 "before 6.13);",
	       f->chmodat_flags ? "" : " flags of chmodat (Linux before 6.6);",
	       f->devices ? "" : " devices;",
	       f->tmpfile ? "" : " O_TMPFILE (not there);",
	       f->realpath ? "" : " realpath (no /proc or chroot);",
	       f->clones ? "" : " clones;",
	       f->sticky_guarded ? " sticky directories open to all "
				   "(fs.protected_*);" : "");
}

int main(int argc, char **argv)
{
	struct settings settings = { .seed = 1, .seeds = 1, .ops = 20000,
				     .every = 400 };
	struct tmpfs tmpfs[2] = { { -1, NULL }, { -1, NULL } };
	struct side sides[2] = { { .driver = &kernel_driver },
				 { .driver = &kernel_driver } };
	struct engine engine = { .sides = sides };
	struct mounted mounted;
	const char *why = "";
	bool same = false, several = can_switch_users(), threads;

	if (getenv("MVFS_SEED"))
		settings.seed = parse(getenv("MVFS_SEED"));
	parse_options(argc, argv, &settings);
	threads = settings.against != LIBRARY;
	signal(SIGXFSZ, SIG_IGN);
	if (settings.against == MOUNT && !settings.mount &&
	    (sides[1].dir = mount_open(&mounted, settings.max_bytes, &why)) < 0)
		skip(why);
	if (settings.against == MOUNT && settings.mount &&
	    (sides[1].dir = open(settings.mount, O_RDONLY | O_DIRECTORY |
							 O_CLOEXEC)) < 0)
		skip(strerror(errno));
	sides[0].dir = tmpfs_open(&tmpfs[0], settings.against != MOUNT,
				  settings.max_bytes, &why);
	if (settings.against == KERNEL)
		sides[1].dir = tmpfs_open(&tmpfs[1], false, settings.max_bytes,
					  &why);
	if (sides[0].dir < 0 || sides[1].dir < 0)
		skip(why);
	if (settings.against == LIBRARY)
		sides[1].driver = &library_driver;
	sides[1].plant = settings.plant;
	sides[1].max_bytes = settings.max_bytes;
	name_users(&sides[0], several);
	name_users(&sides[1], several);
	if (side_start(&sides[0], threads) < 0 ||
	    side_start(&sides[1], threads) < 0)
		return 2;
	if (threads)
		close(sides[1].dir);
	engine.facts = common(&sides[0].facts, &sides[1].facts);
	say_facts(&engine);
	same = run_all(&engine, &settings);
	side_stop(&sides[1]);
	side_stop(&sides[0]);
	if (settings.against == MOUNT && !settings.mount)
		mount_close(&mounted);
	tmpfs_close(&tmpfs[0]);
	tmpfs_close(&tmpfs[1]);
	return !same;
}
