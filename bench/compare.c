// SPDX-License-Identifier: MIT
/* --compare: reads an earlier JSON output, with jansson. */
#include <config.h>

#include "bench/report.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct bench_old {
	json_t *root;
	char path[128];
};

static int refuse(char *message, int code, const char *path, const char *why)
{
	snprintf(message, 256, "%.120s: %.120s", path, why);
	return code;
}

int bench_old_load(const char *path, struct bench_old **old, char *message)
{
	struct bench_old *o;
	json_error_t error;
	FILE *file = fopen(path, "re");

	if (file == NULL)
		return refuse(message, -errno, path, strerror(errno));
	o = calloc(1, sizeof(*o));
	if (o != NULL)
		o->root = json_loadf(file, 0, &error);
	fclose(file);
	if (o == NULL)
		return refuse(message, -ENOMEM, path, strerror(ENOMEM));
	if (o->root == NULL) {
		free(o);
		return refuse(message, -EINVAL, path, error.text);
	}
	if (json_integer_value(json_object_get(o->root, "memvfs_bench")) != 1 ||
	    !json_is_array(json_object_get(o->root, "rows"))) {
		bench_old_free(o);
		return refuse(message, -EINVAL, path,
			      "not the JSON output of a memvfs benchmark");
	}
	snprintf(o->path, sizeof(o->path), "%s", path);
	*old = o;
	return 0;
}

void bench_old_free(struct bench_old *old)
{
	if (old == NULL)
		return;
	json_decref(old->root);
	free(old);
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text != NULL ? text : "unknown";
}

static int same_row(const struct bench_report *report,
		    const struct bench_row *row, const json_t *old)
{
	const json_t *params = json_object_get(old, "params");

	if (strcmp(row->name, text_of(old, "name")) != 0)
		return 0;
	for (size_t i = 0; report->columns[i] != NULL; i++)
		if (strcmp(row->params[i],
			   text_of(params, report->columns[i])) != 0)
			return 0;
	return 1;
}

static void compare_row(const struct bench_old *old,
			struct bench_report *report,
			const struct bench_row *row)
{
	struct bench_compared *c = &report->compared[report->compared_count];
	const json_t *rows = json_object_get(old->root, "rows"), *candidate;
	size_t i;

	json_array_foreach(rows, i, candidate)
	{
		if (!same_row(report, row, candidate))
			continue;
		c->row = row;
		c->old_median = json_number_value(
			json_object_get(candidate, "median_ns"));
		c->old_error = json_number_value(
			json_object_get(candidate, "error_ns"));
		if (c->old_median > 0)
			report->compared_count++;
		return;
	}
}

void bench_old_compare(const struct bench_old *old, struct bench_report *report)
{
	const json_t *head = json_object_get(old->root, "head");
	const char *machine = text_of(head, "machine");

	if (strcmp(text_of(old->root, "benchmark"), report->benchmark) != 0) {
		snprintf(report->compared_with, sizeof(report->compared_with),
			 "nothing: %.100s is of another benchmark (%.60s)",
			 old->path, text_of(old->root, "benchmark"));
		return;
	}
	if (strcmp(machine, bench_report_key(report, "machine")) != 0) {
		snprintf(report->compared_with, sizeof(report->compared_with),
			 "nothing: %.80s is of another machine (%.120s); "
			 "measure it here first",
			 old->path, machine);
		return;
	}
	snprintf(report->compared_with, sizeof(report->compared_with),
		 "%.100s (%.100s); absolute times do not hold from run to run",
		 old->path, text_of(head, "version"));
	report->compared =
		calloc(report->row_count + 1, sizeof(*report->compared));
	if (report->compared == NULL) {
		report->failed = 1;
		return;
	}
	for (size_t i = 0; i < report->row_count; i++)
		compare_row(old, report, report->rows[i]);
}
