#include "cli/display/resource_paths.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vernier {
namespace {

TEST(ResourcePathsTest, AParameterMustBeOneOfTheSearchSpace) {
  int asked = 0;
  const PathCheck check = PathsOf(
      Resource::kTrial, [&asked]() -> absl::StatusOr<std::vector<std::string>> {
        ++asked;
        return std::vector<std::string>{"C", "gamma"};
      });
  EXPECT_TRUE(check({"finalMeasurement", "value"}).ok());
  EXPECT_EQ(asked, 0);
  EXPECT_TRUE(check({"parameters", "gamma"}).ok());
  EXPECT_EQ(
      check({"parameters", "gama"}).message(),
      "the search space has no parameter \"gama\"; did you mean gamma?; it "
      "has C, gamma");
  EXPECT_FALSE(check({"finalMeasurement", "vaule"}).ok());
}

TEST(ResourcePathsTest, AJobsParametersAreFoundInItsSpec) {
  const std::string job = R"({"trainingInput":{"hyperparameters":{"params":[
      {"parameterName":"opt","childParameterSpecs":[
          {"parameterName":"lr"},{"parameterName":"lr"}]},
      {"parameterName":"n"}]}}})";
  EXPECT_EQ(*ParameterNamesIn(job),
            std::vector<std::string>({"opt", "lr", "n"}));
  const PathCheck check = PathsOfJob(job);
  EXPECT_TRUE(
      check({"trainingOutput", "trials", "hyperparameters", "lr"}).ok());
  EXPECT_FALSE(
      check({"trainingOutput", "trials", "hyperparameters", "x"}).ok());
  EXPECT_TRUE(check({"labels", "team"}).ok());
  EXPECT_TRUE(ParameterNamesIn("{}")->empty());
}

}  // namespace
}  // namespace vernier
