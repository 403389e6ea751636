#include "cluster/attempt/gang_verdict.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

using Ends = std::vector<std::optional<ReplicaEnd>>;

ReplicaEnd Exit(int code) { return {.exit_code = code, .signal = {}}; }
ReplicaEnd Signal(int number) { return {.exit_code = {}, .signal = number}; }
constexpr std::nullopt_t kRuns = std::nullopt;

TEST(GangVerdictTest, DecidesByTheMasterElseByTheFirstFailure) {
  const struct {
    const char* name;
    Ends ends;
    std::optional<std::size_t> deciding;
  } kCases[] = {
      {"all run", {kRuns, kRuns, kRuns}, std::nullopt},
      {"master done", {Exit(0), kRuns, kRuns}, 0},
      {"master failed", {Exit(7), kRuns, kRuns}, 0},
      {"worker done early", {kRuns, Exit(0), kRuns}, std::nullopt},
      {"all workers done", {kRuns, Exit(0), Exit(0)}, std::nullopt},
      {"worker failed", {kRuns, kRuns, Exit(1)}, 2},
      {"worker crashed", {kRuns, Signal(11), Exit(1)}, 1},
      {"master and worker at once", {Exit(0), Signal(9), kRuns}, 0},
      {"alone and running", {kRuns}, std::nullopt},
      {"alone and done", {Exit(0)}, 0},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(DecidingReplica(test.ends), test.deciding) << test.name;
  }
}

}  // namespace
}  // namespace vernier
