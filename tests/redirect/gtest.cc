/* SPDX-License-Identifier: MIT */
/* keeper.c in a tree, under GoogleTest; built by tests/redirect.sh. With
 * "fail" the tests that fail. */
#include <cerrno>
#include <cstring>
#include <type_traits>
#include <utility>

#include <fcntl.h>

#include <gtest/gtest.h>

#include <memvfs/memvfs.hpp>
#include <memvfs/testing.h>

#include "tests/redirect/keeper.h"
#include "tests/redirect/leaky.h"

#define EXPECT_FINE(text) \
	do { \
		const char *wrong = (text); \
		EXPECT_EQ(wrong, nullptr) << wrong; \
	} while (0)

namespace {

class Keeper : public testing::Test {
protected:
	void SetUp() override
	{
		EXPECT_FINE(mvfs_testing_begin(&test, nullptr));
		EXPECT_FINE(mvfs_testing_route(&test, "/var/keeper"));
	}

	void TearDown() override
	{
		EXPECT_FINE(mvfs_testing_end(&test));
	}

	mvfs_testing test = mvfs_testing();
};

TEST_F(Keeper, WhatIsSavedIsThereAndNothingElse)
{
	EXPECT_EQ(keeper_save("/var/keeper/a", "one\ntwo\n"), 0);
	EXPECT_EQ(keeper_lines("/var/keeper/a"), 2);
	EXPECT_EQ(keeper_count("/var/keeper"), 1);
	EXPECT_FINE(mvfs_testing_text(&test, "/a", "one\ntwo\n"));
}

TEST_F(Keeper, AFullDiskLeavesTheOldFile)
{
	EXPECT_EQ(keeper_save("/var/keeper/a", "one\n"), 0);
	EXPECT_FINE(mvfs_testing_fault(&test,
				       "write path=/a.new errno=ENOSPC"));
	EXPECT_EQ(keeper_save("/var/keeper/a", "one\ntwo\n"), -1);
	EXPECT_EQ(errno, ENOSPC);
	EXPECT_FINE(mvfs_testing_tree(&test,
				      ". type=dir\n./a data=\"one\\n\""));
}

/* The handles of memvfs.hpp. */
template <typename T> void expect_move_only()
{
	static_assert(!std::is_copy_constructible<T>::value, "");
	static_assert(!std::is_copy_assignable<T>::value, "");
	static_assert(std::is_nothrow_move_constructible<T>::value, "");
	static_assert(std::is_nothrow_move_assignable<T>::value, "");
}

TEST(Handles, MoveAndDoNotCopy)
{
	expect_move_only<memvfs::view>();
	expect_move_only<memvfs::listing>();
	expect_move_only<memvfs::snapshot>();
	expect_move_only<memvfs::string>();
	expect_move_only<memvfs::descriptor>();
}

TEST(Handles, GiveBackWhatTheyOwnOnce)
{
	memvfs::view fs;

	ASSERT_EQ(mvfs_create(nullptr, fs.out()), 0);
	ASSERT_EQ(mvfs_write_file(fs, "/a", "one", 3), 0);
	{
		memvfs::view other;
		memvfs::listing dir;
		memvfs::snapshot before;
		memvfs::string text;
		memvfs::descriptor fd(fs, mvfs_open(fs, "/a", O_RDONLY, 0));
		memvfs::descriptor moved(std::move(fd));

		EXPECT_EQ(fd.get(), -1);
		EXPECT_EQ(moved.get(), 0);
		ASSERT_EQ(mvfs_view(fs, nullptr, other.out()), 0);
		ASSERT_EQ(mvfs_opendir(fs, "/", 0, dir.out()), 0);
		ASSERT_EQ(mvfs_opendir(fs, "/", 0, dir.out()), 0);
		ASSERT_EQ(mvfs_snapshot(fs, before.out()), 0);
		ASSERT_EQ(mvfs_read_file(fs, "/a", text.out()), 0);
		EXPECT_EQ(text.str(), "one");
		EXPECT_EQ(mvfs_each_open(fs, nullptr, nullptr), 3);
		moved = memvfs::descriptor(fs, mvfs_open(fs, "/", O_RDONLY,
							 0));
		EXPECT_EQ(mvfs_each_open(fs, nullptr, nullptr), 3);
		EXPECT_EQ(moved.close(), 0);
		EXPECT_EQ(moved.close(), 0);
		memvfs::string kept(std::move(text));
		EXPECT_EQ(text.size(), 0u);
		EXPECT_EQ(kept.str(), "one");
		memvfs::view taken(other.release());
		EXPECT_EQ(other.get(), nullptr);
	}
	EXPECT_EQ(mvfs_each_open(fs, nullptr, nullptr), 0);
}

class Failing : public Keeper {
};

TEST_F(Failing, Leaks)
{
	EXPECT_GT(leaky_open("/var/keeper/leak"), 0);
}

TEST_F(Failing, ClosesTwice)
{
	EXPECT_EQ(keeper_save("/var/keeper/a", "one\n"), 0);
	EXPECT_GT(leaky_close("/var/keeper/a"), 0);
}

TEST_F(Failing, FindsAnotherText)
{
	EXPECT_FINE(mvfs_testing_fault(&test,
				       "write path=/a.new nth=1 short=5"));
	EXPECT_EQ(keeper_save("/var/keeper/a", "one\ntwo\n"), 0);
	EXPECT_FINE(mvfs_testing_text(&test, "/a", "one\ntoo\n"));
}

} // namespace

int main(int argc, char **argv)
{
	testing::InitGoogleTest(&argc, argv);
	testing::GTEST_FLAG(filter) =
		argc > 1 && std::strcmp(argv[1], "fail") == 0 ?
		"Failing.*" : "-Failing.*";
	return RUN_ALL_TESTS();
}
