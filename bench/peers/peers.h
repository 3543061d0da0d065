// SPDX-License-Identifier: MIT
/*
 * memvfs beside what people use today, in one process: each group of rows is
 * measured in turns, and what is claimed is the ratio of their best samples.
 *
 * Peers are shared libraries that are loaded when they are there (dlopen, so
 * that nothing of theirs gets into the library or its dependencies), programs
 * that are run, and the C library. What is missing is left out, with the
 * Debian package that has it.
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <memvfs/memvfs.h>

#include "bench/report.h"

#define PEERS_ROWS_MAX 96

extern const char *const bench_peers_columns[];

/* One group at a time: its rows, until they are measured. */
struct peers {
	const struct bench_plan *plan;
	struct bench_report *report;
	uint64_t seed;
	struct bench_row *rows[PEERS_ROWS_MAX];
	size_t count;
	int failed; /* a row that there was no memory for */
};

/* What can be measured, by name; NULL ends. */
extern const char *const bench_peers_groups[];
#define PEERS_GROUPS 6

/* The groups that are wanted. 0, -EINTR, -ENOMEM, or what making files gave. */
int bench_peers(const int wanted[PEERS_GROUPS], uint64_t seed,
		const struct bench_plan *plan, struct bench_report *report);

/*
 * A row of the group: who does it, on how many bytes of what text ("-": does
 * not matter). `copied` and `kept` are bytes per operation. Never NULL: where
 * memory is out the group fails.
 */
struct bench_row *peers_row(struct peers *p, const char *name, const char *by,
			    size_t length, const char *text,
			    const struct bench_ops *ops, void *ctx);
void peers_bytes(struct bench_row *row, double copied, double kept);

/* Takes the samples of the rows there are, and begins a new group. */
int peers_measure(struct peers *p);

/* ns of the best sample; NaN without one. */
double peers_best(const struct bench_row *row);

/* Claims by best of run; nothing where a row is missing. */
BENCH_PRINTF(6, 7)
void peers_ratio(struct peers *p, const struct bench_row *above,
		 const struct bench_row *below, enum bench_bound bound,
		 double target, const char *what, ...);
BENCH_PRINTF(6, 7)
void peers_speed(struct peers *p, const struct bench_row *row, size_t length,
		 enum bench_bound bound, double target, const char *what, ...);
BENCH_PRINTF(5, 6)
void peers_time(struct peers *p, const struct bench_row *row,
		enum bench_bound bound, double target, const char *what, ...);

/* The groups. Each returns 0 or a negative errno. */
int peers_strings(struct peers *p);
int peers_texts(struct peers *p);
int peers_files(struct peers *p);
int peers_threads(struct peers *p);
int peers_memory(struct peers *p);
int peers_streams(struct peers *p);

/* libraries.c: what is loaded, or NULL with the reason left out. */
struct peers_glib {
	int (*validate)(const char *text, ssize_t length, const char **end);
	int (*get_contents)(const char *path, char **text, size_t *length,
			    void **error);
	void (*release)(void *memory);
};
struct peers_icu {
	void *(*open)(const char *name, int *error);
	int32_t (*to_uchars)(void *converter, uint16_t *to, int32_t capacity,
			     const char *from, int32_t length, int *error);
	char *(*to_utf8)(char *to, int32_t capacity, int32_t *length,
			 const uint16_t *from, int32_t from_length,
			 int *error);
	void (*close)(void *converter);
};
struct peers_mimalloc {
	void *(*zalloc)(size_t size);
	void (*release)(void *memory);
};
/* p NULL: what an earlier call found. */
const struct peers_glib *peers_load_glib(struct peers *p);
const struct peers_icu *peers_load_icu(struct peers *p);
const struct peers_mimalloc *peers_load_mimalloc(struct peers *p);

/* jdk.c: rows measured by a Java program of ours; NULL where it has none. */
struct peers_jdk {
	double ints_each; /* ns for 4 kB of ints, DataOutputStream */
};
int peers_run_jdk(struct peers *p, struct peers_jdk *jdk);

/* Reads all of it, and is not optimised away: what a pass costs at least. */
uint64_t peers_read_pass(const void *bytes, size_t length);

#endif
