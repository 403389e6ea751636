#include "cli/submission/error_place.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

constexpr char kFile[] =
    "trainingInput:\n  scaleTier: CUSTOM\n  masterType: big-box\n";

std::string Place(const absl::Status& status) {
  return std::string(
      WithPlaceInFile(status, JobDocument(kFile, "job.yaml")).message());
}

TEST(ErrorPlaceTest, IsThatOfTheFieldInTheFile) {
  EXPECT_EQ(
      Place(absl::InvalidArgumentError(
          "trainingInput.masterType: there is no machine type \"big-box\"")),
      "job.yaml:3:15: trainingInput.masterType: there is no machine type "
      "\"big-box\"");
}

TEST(ErrorPlaceTest, IsLeftOutWhereTheFileIsNotMeant) {
  for (const char* message :
       {"trainingInput.masterType: there is no machine type \"of-a-flag\"",
        "trainingInput.workerType: there is no machine type \"big-box\"",
        "trainingInput: is no \"big-box\"",
        "trainingInput.masterType.x: big-box", "no field", ": big-box", ""}) {
    EXPECT_EQ(Place(absl::InvalidArgumentError(message)), message);
  }
  EXPECT_EQ(Place(absl::NotFoundError("trainingInput.masterType: big-box")),
            "trainingInput.masterType: big-box");
  const absl::Status error =
      absl::InvalidArgumentError("trainingInput.masterType: big-box");
  EXPECT_EQ(WithPlaceInFile(error, JobDocument("x: [", "job.yaml")), error);
  EXPECT_EQ(WithPlaceInFile(error, JobDocument("", "job.yaml")), error);
}

}  // namespace
}  // namespace vernier
