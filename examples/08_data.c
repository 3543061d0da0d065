/* SPDX-License-Identifier: MIT */
/*
 * Records as java.io.DataOutputStream writes them: put together in memory,
 * made a file without a copy, and read value by value from the file's own
 * bytes. A program in Java reads the same through a mount.
 */
#include <stdio.h>
#include <string.h>

#include <memvfs/memvfs.h>

static int write_record(mvfs *fs, const char *path)
{
	static const int32_t primes[] = { 2, 3, 5, 7, 11, 13 };
	struct mvfs_data_out out;
	int rc, rc2;

	mvfs_data_out_memory(&out);
	/* the first error stays, so one look at the end will do */
	mvfs_data_put_utf(&out, "primes", 6, NULL);
	mvfs_data_put_i32(&out, 6);
	mvfs_data_put_i32s(&out, primes, 6);
	mvfs_data_put_f64(&out, 41 / 6.0);
	rc = mvfs_data_out_file(&out, fs, path);
	rc2 = mvfs_data_out_close(&out);
	return rc ? rc : rc2;
}

int main(void)
{
	struct mvfs_string name;
	struct mvfs_data_in in;
	int32_t numbers[6], count;
	double mean;
	mvfs *fs;
	int right;

	if (mvfs_create(NULL, &fs) < 0 || write_record(fs, "/record") < 0 ||
	    mvfs_data_in_file(&in, fs, "/record") < 0)
		return 1;
	if (mvfs_data_get_utf(&in, &name, NULL) < 0)
		return 1;
	right = !mvfs_data_get_i32(&in, &count) && count == 6 &&
		!mvfs_data_get_i32s(&in, numbers, 6) && numbers[5] == 13 &&
		!mvfs_data_get_f64(&in, &mean) && !mvfs_data_in_left(&in);
	if (right)
		printf("%d %.*s up to %d, %g on average\n", (int)count,
		       (int)name.len, name.data, (int)numbers[5], mean);
	mvfs_string_release(&name);
	mvfs_data_in_close(&in);
	mvfs_destroy(fs);
	return !right;
}
