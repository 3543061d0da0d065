/* SPDX-License-Identifier: MIT */
/* keeper.c in a tree, under GoogleTest; built by tests/redirect.sh. */
#include <cerrno>

#include <gtest/gtest.h>

#include <memvfs/memvfs.h>

#include "tests/redirect/keeper.h"

namespace {

class Keeper : public testing::Test {
protected:
	void SetUp() override
	{
		ASSERT_EQ(mvfs_create(nullptr, &fs), 0);
		ASSERT_EQ(mvfs_route(fs, "/var/keeper", 0), 0);
	}

	void TearDown() override
	{
		EXPECT_EQ(mvfs_unroute("/var/keeper", 0), 0);
		EXPECT_EQ(mvfs_destroy(fs), 0);
	}

	mvfs *fs = nullptr;
};

TEST_F(Keeper, WhatIsSavedIsThereAndNothingElse)
{
	EXPECT_EQ(keeper_save("/var/keeper/a", "one\ntwo\n"), 0);
	EXPECT_EQ(keeper_lines("/var/keeper/a"), 2);
	EXPECT_EQ(keeper_count("/var/keeper"), 1);
}

TEST_F(Keeper, AFullDiskLeavesTheOldFile)
{
	EXPECT_EQ(keeper_save("/var/keeper/a", "one\n"), 0);
	EXPECT_EQ(mvfs_set_limits(fs, 4096, 0), 0);
	EXPECT_EQ(keeper_save("/var/keeper/a", "one\ntwo\n"), -1);
	EXPECT_EQ(errno, ENOSPC);
	EXPECT_EQ(keeper_lines("/var/keeper/a"), 1);
}

} // namespace

int main(int argc, char **argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
