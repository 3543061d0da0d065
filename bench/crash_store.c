// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#define STORE	"/store/slots"
#define JOURNAL "/store/journal"
#define SLOTS	16
#define CHANGED 3 /* of a transaction */

struct slot {
	uint64_t transaction, number;
	uint64_t fill[30];
};

struct journal {
	struct slot slot[CHANGED];
	uint64_t checksum; /* over all before it */
};

static void fill_slot(struct slot *slot, uint64_t transaction, uint64_t number)
{
	uint64_t random = transaction * SLOTS + number;

	slot->transaction = transaction;
	slot->number = number;
	for (size_t i = 0; i < sizeof(slot->fill) / sizeof(slot->fill[0]); i++)
		slot->fill[i] = bench_random(&random);
}

/* FNV-1a, by words. */
static uint64_t checksum(const struct journal *journal)
{
	uint64_t words[sizeof(journal->slot) / (sizeof(uint64_t))];
	uint64_t hash = 0xcbf29ce484222325u;

	memcpy(words, journal->slot, sizeof(words));
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		hash = (hash ^ words[i]) * 0x100000001b3u;
	return hash;
}

static int put(mvfs *fs, int fd, const void *bytes, size_t len, int64_t offset)
{
	int64_t n = mvfs_pwrite(fs, fd, bytes, len, offset);

	if (n < 0)
		return (int)n;
	return (size_t)n == len ? 0 : -EIO;
}

static int sync_directory(mvfs *fs)
{
	int fd = mvfs_open(fs, "/store", O_RDONLY | O_DIRECTORY, 0);
	int result = fd < 0 ? fd : mvfs_fsync(fs, fd);

	if (fd >= 0)
		mvfs_close(fs, fd);
	return result;
}

static int write_journal(mvfs *fs, const struct journal *journal)
{
	int fd = mvfs_open(fs, JOURNAL, O_WRONLY | O_CREAT | O_EXCL, 0644);
	int result;

	if (fd < 0)
		return fd;
	result = put(fs, fd, journal, sizeof(*journal), 0);
	if (result == 0)
		result = mvfs_fsync(fs, fd);
	mvfs_close(fs, fd);
	return result < 0 ? result : sync_directory(fs);
}

/* The journal is durable; what it says is done, and it goes. */
static int apply(mvfs *fs, const struct journal *journal)
{
	int fd = mvfs_open(fs, STORE, O_WRONLY, 0), result = 0;

	if (fd < 0)
		return fd;
	for (size_t i = 0; i < CHANGED && result == 0; i++) {
		const struct slot *slot = &journal->slot[i];

		result = put(fs, fd, slot, sizeof(*slot),
			     (int64_t)(slot->number * sizeof(*slot)));
	}
	if (result == 0)
		result = mvfs_fdatasync(fs, fd);
	mvfs_close(fs, fd);
	if (result == 0)
		result = mvfs_unlink(fs, JOURNAL);
	return result < 0 ? result : sync_directory(fs);
}

int bench_store_make(mvfs *fs)
{
	struct slot slots[SLOTS];
	int result;

	for (uint64_t i = 0; i < SLOTS; i++)
		fill_slot(&slots[i], 0, i);
	result = mvfs_mkdir(fs, "/store", 0755);
	if (result == 0)
		result = mvfs_write_file(fs, STORE, slots, sizeof(slots));
	return result;
}

int bench_store_run(mvfs *fs, uint64_t transaction)
{
	struct journal journal;
	int result;

	for (uint64_t i = 0; i < CHANGED; i++)
		fill_slot(&journal.slot[i], transaction,
			  (transaction * CHANGED + i) % SLOTS);
	journal.checksum = checksum(&journal);
	result = write_journal(fs, &journal);
	return result < 0 ? result : apply(fs, &journal);
}

int bench_store_recover(mvfs *fs)
{
	struct mvfs_string bytes;
	struct journal journal;
	int result = mvfs_read_file(fs, JOURNAL, &bytes), is_whole;

	if (result == -ENOENT)
		return 0;
	if (result < 0)
		return result;
	is_whole = bytes.len == sizeof(journal);
	if (is_whole) {
		memcpy(&journal, bytes.data, sizeof(journal));
		is_whole = journal.checksum == checksum(&journal);
	}
	mvfs_string_release(&bytes);
	return is_whole ? apply(fs, &journal) : mvfs_unlink(fs, JOURNAL);
}

/* The last transaction up to `last` that changed a slot. */
static uint64_t last_of(uint64_t last, uint64_t number)
{
	while (last > 0 &&
	       (number + SLOTS - last * CHANGED % SLOTS) % SLOTS >= CHANGED)
		last--;
	return last;
}

int bench_store_is(mvfs *fs, uint64_t transactions)
{
	struct mvfs_string bytes;
	struct slot slots[SLOTS];
	int is = mvfs_read_file(fs, STORE, &bytes) == 0;

	if (!is)
		return 0;
	for (uint64_t i = 0; i < SLOTS; i++)
		fill_slot(&slots[i], last_of(transactions, i), i);
	is = bytes.len == sizeof(slots) &&
	     memcmp(bytes.data, slots, sizeof(slots)) == 0;
	mvfs_string_release(&bytes);
	return is;
}
