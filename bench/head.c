// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/head.h"

#include <memvfs/memvfs.h>

#include "bench/built.h"
#include "bench/place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* The first line of a file, or "unknown". */
static void first_line(const char *path, char *to, size_t size)
{
	FILE *file = fopen(path, "re");

	snprintf(to, size, "unknown");
	if (file == NULL)
		return;
	if (fgets(to, (int)size, file) != NULL)
		to[strcspn(to, "\n")] = '\0';
	fclose(file);
}

/* What /proc/cpuinfo calls the processor. Its key differs by architecture. */
static void cpu_model(char *to, size_t size)
{
	static const char *const keys[] = {"model name", "cpu model", "uarch",
					   "cpu", "CPU part"};
	char line[512];

	snprintf(to, size, "unknown processor");
	for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
		FILE *file = fopen("/proc/cpuinfo", "re");
		size_t length = strlen(keys[k]);

		if (file == NULL)
			return;
		while (fgets(line, sizeof(line), file) != NULL) {
			char *colon = strchr(line, ':');

			if (strncmp(line, keys[k], length) != 0 ||
			    colon == NULL ||
			    strchr(" \t:", line[length]) == NULL)
				continue;
			colon[strcspn(colon, "\n")] = '\0';
			snprintf(to, size, "%s",
				 colon + 1 + strspn(colon + 1, " "));
			fclose(file);
			return;
		}
		fclose(file);
	}
}

uint64_t bench_meminfo(const char *key)
{
	FILE *file = fopen("/proc/meminfo", "re");
	size_t length = strlen(key);
	uint64_t bytes = 0;
	char line[128];

	if (file == NULL)
		return 0;
	while (bytes == 0 && fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, key, length) == 0 && line[length] == ':')
			bytes = strtoull(line + length + 1, NULL, 10) * 1024;
	fclose(file);
	return bytes;
}

uint64_t bench_seed(void)
{
	const char *text = getenv("MVFS_SEED");

	return text != NULL && *text != '\0' ? strtoull(text, NULL, 0) : 1;
}

static void head_build(struct bench_report *report)
{
	bench_report_head(report, "version", "memvfs %s, commit %s",
			  mvfs_version(), BUILT_COMMIT);
#if defined __clang__
	bench_report_head(report, "compiler", "%s, %s", __VERSION__,
			  BUILT_FLAGS);
#else
	bench_report_head(report, "compiler", "gcc %s, %s", __VERSION__,
			  BUILT_FLAGS);
#endif
#if defined NDEBUG
	bench_report_head(report, "assertions", "off");
#else
	bench_report_head(report, "assertions",
			  "ON: configured with --enable-assertions, these "
			  "figures are not the library's");
#endif
}

static void head_machine(struct bench_report *report)
{
	struct utsname system;
	char model[80], line[128];
	double load[3] = {0, 0, 0};

	memset(&system, 0, sizeof(system));
	uname(&system);
	cpu_model(model, sizeof(model));
	bench_report_head(report, "machine", "%s, %ld CPUs online, %.1f GB, %s",
			  model, sysconf(_SC_NPROCESSORS_ONLN),
			  (double)bench_meminfo("MemTotal") / 1e9,
			  system.machine);
	bench_report_head(report, "kernel", "%s %s", system.sysname,
			  system.release);
	first_line("/sys/kernel/mm/transparent_hugepage/enabled", line,
		   sizeof(line));
	bench_report_head(report, "huge pages", "%s", line);
	if (getloadavg(load, 3) < 1)
		load[0] = -1;
	bench_report_head(report, "load", "%.2f %.2f %.2f", load[0], load[1],
			  load[2]);
}

void bench_head(struct bench_report *report, const struct bench_clock *clock,
		uint64_t seed)
{
	char now[40] = "unknown";
	time_t seconds = time(NULL);
	struct tm utc;

	if (gmtime_r(&seconds, &utc) != NULL)
		strftime(now, sizeof(now), "%Y-%m-%d %H:%M:%S UTC", &utc);
	bench_report_head(report, "date", "%s", now);
	head_build(report);
	head_machine(report);
	bench_report_head(report, "vector kernels", "%s",
			  mvfs_text_kernels());
	bench_report_head(report, "libfuse", "%s", bench_fuse_version());
	bench_report_head(report, "mount cache", "%s", bench_fuse_cache());
	bench_report_head(report, "system call",
			  "%.0f ns (getppid); clocks: wall %.0f ns, CPU %.0f "
			  "ns a reading, subtracted",
			  bench_syscall_cost(clock), clock->wall_cost,
			  clock->cpu_cost);
	bench_report_head(report, "seed", "%llu (MVFS_SEED)",
			  (unsigned long long)seed);
}
