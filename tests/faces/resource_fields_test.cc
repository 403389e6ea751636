#include "faces/logging/resource_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vernier {
namespace {

using testing::HasSubstr;

using Keys = std::vector<std::string>;

std::string ErrorOf(Resource resource, const Keys& keys) {
  const auto found = FindField(resource, keys);
  EXPECT_EQ(found.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(found.status().message());
}

TEST(ResourceFieldsTest, FindsWhatTheApiHas) {
  const struct {
    Resource resource;
    Keys keys;
    FieldKind kind;
  } cases[] = {
      {Resource::kJob, {"state"}, FieldKind::kField},
      {Resource::kJob,
       {"trainingOutput", "trials", "finalMetric", "objectiveValue"},
       FieldKind::kField},
      {Resource::kJob,
       {"trainingInput", "hyperparameters", "params", "childParameterSpecs",
        "childParameterSpecs", "parameterName"},
       FieldKind::kField},
      {Resource::kJob, {"createTime"}, FieldKind::kField},
      {Resource::kJob, {"labels", "team"}, FieldKind::kFreeKey},
      {Resource::kJob,
       {"trainingOutput", "trials", "hyperparameters", "lr"},
       FieldKind::kParameter},
      {Resource::kTrial, {"parameters"}, FieldKind::kField},
      {Resource::kTrial, {"parameters", "lr"}, FieldKind::kParameter},
      {Resource::kTrial, {"attempts", "exitCode"}, FieldKind::kField},
      {Resource::kMeasurement, {"value"}, FieldKind::kField},
      {Resource::kStudy,
       {"bestTrial", "parameters", "x"},
       FieldKind::kParameter},
      {Resource::kProject, {"quota", "maxGpus"}, FieldKind::kField},
      {Resource::kToken, {"label"}, FieldKind::kField},
      {Resource::kServiceInfo, {"dataDir"}, FieldKind::kField},
  };
  for (const auto& each : cases) {
    const auto kind = FindField(each.resource, each.keys);
    ASSERT_TRUE(kind.ok()) << kind.status();
    EXPECT_EQ(*kind, each.kind) << each.keys.back();
  }
}

TEST(ResourceFieldsTest, NamesWhatThereIsInstead) {
  const std::string top = ErrorOf(Resource::kTrial, {"paramters", "C"});
  EXPECT_THAT(top, HasSubstr("there is no \"paramters\"; did you mean "
                             "parameters?; there are "));
  EXPECT_THAT(top, HasSubstr("finalMeasurement, finalMetrics, jobDir"));
  EXPECT_THAT(
      ErrorOf(Resource::kJob, {"trainingOutput", "trials", "value"}),
      HasSubstr("there is no \"value\" in trainingOutput.trials; there are "));
  EXPECT_THAT(ErrorOf(Resource::kJob, {"state", "x"}),
              HasSubstr("state is a single value, and has no \"x\" in it"));
  EXPECT_THAT(ErrorOf(Resource::kJob, {"createTime", "seconds"}),
              HasSubstr("createTime is a single value"));
}

}  // namespace
}  // namespace vernier
