// What the other tests of the store rely on.

#include "tests/store/job_fixture.h"

#include <gtest/gtest.h>

#include "absl/status/statusor.h"

namespace vernier {
namespace {

TEST(JobFixtureTest, ThrowsWhenNoFileCouldSayThatJob) {
  EXPECT_THROW(MakeJob({.max_trials = 2, .max_parallel_trials = 3}),
               absl::BadStatusOrAccess);
  EXPECT_NO_THROW(MakeJob({.max_trials = 2, .max_parallel_trials = 2}));
  EXPECT_NO_THROW(MakeJob({.max_trials = 2}));
}

}  // namespace
}  // namespace vernier
