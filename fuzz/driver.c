/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target where no libFuzzer does:
 *
 *	fuzz/fuzz_decode [FILE]...
 *
 * Given files, each is one input. Else inputs are made (inputs.c) from
 * MVFS_SEED, or from a seed that is printed, for MVFS_FUZZ_SECONDS; without
 * that, for 1 second, or 20 or 600 at the level ci or long. An input at which
 * the target fails is kept in the current directory, as TARGET.failed, to be
 * given as a file.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "fuzz/inputs.h"

/* Sanitizers are to end in abort(), too, so that the input is kept. */
#define FOR_SANITIZERS __attribute__((__visibility__("default")))
FOR_SANITIZERS const char *__asan_default_options(void);
FOR_SANITIZERS const char *__ubsan_default_options(void);

const char *__asan_default_options(void)
{
	return "abort_on_error=1:allocator_may_return_null=1";
}

const char *__ubsan_default_options(void)
{
	return "abort_on_error=1:print_stacktrace=1";
}

/* The input that is running, for the handler. */
static uint8_t input[FUZZ_MAX];
static volatile size_t input_length;
static char kept_name[256];

static void say(const char *words)
{
	if (write(STDERR_FILENO, words, strlen(words)) < 0)
		return; /* there is nobody to tell */
}

static void keep(int number)
{
	int fd = open(kept_name, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd >= 0 && write(fd, input, input_length) ==
	    (ssize_t)input_length) {
		say("the input is in ");
		say(kept_name);
		say("\n");
	}
	signal(number, SIG_DFL);
	raise(number);
}

static void watch(const char *program)
{
	static const int numbers[] = { SIGABRT, SIGSEGV, SIGBUS, SIGILL,
				       SIGFPE };
	const char *slash = strrchr(program, '/');
	size_t i;

	snprintf(kept_name, sizeof(kept_name), "%.200s.failed",
		 slash ? slash + 1 : program);
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		signal(numbers[i], keep);
}

static int run_file(const char *name)
{
	FILE *file = fopen(name, "rb");
	bool failed;

	if (!file) {
		fprintf(stderr, "%s: %s\n", name, strerror(errno));
		return EXIT_FAILURE;
	}
	input_length = fread(input, 1, sizeof(input), file);
	failed = ferror(file);
	fclose(file);
	if (failed) {
		fprintf(stderr, "%s: cannot be read\n", name);
		return EXIT_FAILURE;
	}
	LLVMFuzzerTestOneInput(input, input_length);
	return EXIT_SUCCESS;
}

static uint64_t number_of(const char *variable, uint64_t other)
{
	const char *text = getenv(variable);

	return text && *text ? strtoull(text, NULL, 0) : other;
}

static uint64_t seconds(void)
{
	const char *level = getenv("MVFS_CHECK_LEVEL");
	uint64_t n = 1;

	if (level && !strcmp(level, "ci"))
		n = 20;
	if (level && !strcmp(level, "long"))
		n = 600;
	return number_of("MVFS_FUZZ_SECONDS", n);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	uint64_t seed, state, runs = 0;
	double end;
	int i, failed = 0;

	watch(argv[0]);
	if (argc > 1) {
		for (i = 1; i < argc; i++)
			failed |= run_file(argv[i]);
		return failed;
	}
	seed = number_of("MVFS_SEED", (uint64_t)time(NULL) * 1000003u +
			 (uint64_t)getpid());
	printf("MVFS_SEED=%llu\n", (unsigned long long)seed);
	fflush(stdout);
	state = seed;
	end = now() + (double)seconds();
	do {
		input_length = fuzz_next(&state, input);
		LLVMFuzzerTestOneInput(input, input_length);
		runs++;
	} while (now() < end);
	printf("%llu inputs\n", (unsigned long long)runs);
	return EXIT_SUCCESS;
}
