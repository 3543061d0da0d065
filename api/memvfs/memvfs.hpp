/* SPDX-License-Identifier: MIT */
/*
 * Owning handles for C++11, and nothing else: what the calls of memvfs.h give
 * is given back when the handle ends. A handle passes for what it owns, so
 * the calls stay the C ones.
 *
 *	memvfs::view fs;
 *	mvfs_create(nullptr, fs.out());
 *	memvfs::descriptor fd(fs, mvfs_open(fs, "/file", O_RDONLY, 0));
 *
 * Handles can be moved, not copied. out() is for a call to store in; what was
 * owned before is given back first. release() gives up what is owned. Members
 * are destroyed in reverse order: declare the view before what is open in it.
 */
#ifndef MEMVFS_MEMVFS_HPP
#define MEMVFS_MEMVFS_HPP

#include <string>
#include <utility>

#include <memvfs/memvfs.h>

namespace memvfs {

/* A pointer that Close gives back; what that returns is ignored. */
template <typename T, typename Result, Result (*Close)(T *)>
class handle {
public:
	handle() noexcept : owned(nullptr) {}
	explicit handle(T *taken) noexcept : owned(taken) {}
	handle(handle &&other) noexcept : owned(other.release()) {}
	handle &operator=(handle &&other) noexcept
	{
		reset(other.release());
		return *this;
	}
	handle(const handle &) = delete;
	handle &operator=(const handle &) = delete;
	~handle() { reset(); }

	T *get() const noexcept { return owned; }
	operator T *() const noexcept { return owned; }

	T **out() noexcept
	{
		reset();
		return &owned;
	}

	T *release() noexcept
	{
		T *given = owned;

		owned = nullptr;
		return given;
	}

	void reset(T *taken = nullptr) noexcept
	{
		T *before = owned;

		owned = taken;
		if (before && before != taken)
			Close(before);
	}

private:
	T *owned;
};

/* A view; with the last one the instance ends. (Not while it is mounted: the
 * mount goes first.) */
using view = handle<mvfs, int, mvfs_destroy>;
/* A listing, of mvfs_opendir(). */
using listing = handle<struct mvfs_dir, int, mvfs_closedir>;
/* The tree as it was, of mvfs_snapshot(). */
using snapshot = handle<struct mvfs_snapshot, void, mvfs_snapshot_release>;

/* A string of the library's. */
class string {
public:
	string() noexcept : owned() {}
	explicit string(const mvfs_string &taken) noexcept : owned(taken) {}
	string(string &&other) noexcept : owned(other.release()) {}
	string &operator=(string &&other) noexcept
	{
		if (this != &other) {
			mvfs_string_release(&owned);
			owned = other.release();
		}
		return *this;
	}
	string(const string &) = delete;
	string &operator=(const string &) = delete;
	~string() { mvfs_string_release(&owned); }

	const mvfs_string *get() const noexcept { return &owned; }
	operator const mvfs_string *() const noexcept { return &owned; }
	const char *data() const noexcept { return owned.data; }
	std::size_t size() const noexcept { return owned.len; }
	/* A copy. */
	std::string str() const
	{
		return owned.len ? std::string(owned.data, owned.len) :
				   std::string();
	}

	mvfs_string *out() noexcept
	{
		mvfs_string_release(&owned);
		return &owned;
	}

	mvfs_string release() noexcept
	{
		mvfs_string given = owned;

		owned = mvfs_string();
		return given;
	}

private:
	mvfs_string owned;
};

/* A descriptor of a view, which must outlive it; or the error that the opening
 * call gave, as get() tells. */
class descriptor {
public:
	descriptor() noexcept : fs(nullptr), fd(-1) {}
	descriptor(mvfs *of, int taken) noexcept : fs(of), fd(taken) {}
	descriptor(descriptor &&other) noexcept : fs(other.fs), fd(other.fd)
	{
		other.fd = -1;
	}
	descriptor &operator=(descriptor &&other) noexcept
	{
		if (this != &other) {
			close();
			fs = other.fs;
			fd = other.release();
		}
		return *this;
	}
	descriptor(const descriptor &) = delete;
	descriptor &operator=(const descriptor &) = delete;
	~descriptor() { close(); }

	int get() const noexcept { return fd; }
	operator int() const noexcept { return fd; }

	/* What mvfs_close() gives; 0 if there is nothing to close. */
	int close() noexcept
	{
		int rc = fd < 0 ? 0 : (mvfs_close)(fs, fd);

		fd = -1;
		return rc;
	}

	int release() noexcept
	{
		int given = fd;

		fd = -1;
		return given;
	}

private:
	mvfs *fs;
	int fd;
};

} // namespace memvfs

#endif
