#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vernier/v1/job_service.grpc.pb.h>
#include <vernier/v1/study_service.grpc.pb.h>

#include <string>

#include "base/json.h"
#include "tests/faces/client_study_bed.h"

namespace vernier {
namespace {

using testing::HasSubstr;
using Studies = v1::StudyService::Stub;

class StudyEditsTest : public ClientStudyBed {
 protected:
  // Asks for a range of x, with more of the request's fields.
  absl::StatusOr<Json> Edit(const std::string& max_value,
                            const std::string& fields = "",
                            const std::string& study = "s") {
    const auto answer = client_->Ask(
        &Studies::EditStudy,
        R"({"study":")" + study +
            R"(","edit":{"trainingInput":{"hyperparameters":{"params":[)"
            R"({"parameterName":"x","type":"DOUBLE","minValue":0,"maxValue":)" +
            max_value + "}]}}}" + fields + "}");
    if (!answer.ok()) return answer.status();
    return ParseJson(*answer).value();
  }
};

TEST_F(StudyEditsTest, AnEditIsAVersionThatTheStudyNames) {
  Make();
  const auto told = Edit("0.5", R"(,"validateOnly":true)");
  ASSERT_TRUE(told.ok()) << told.status();
  EXPECT_EQ((*told)["changes"][0], "x: range 0..1 -> 0..0.5");
  EXPECT_EQ((*told)["version"], 1) << "nothing has changed";
  const auto edited = Edit("0.5");
  ASSERT_TRUE(edited.ok()) << edited.status();
  EXPECT_EQ((*edited)["changes"], (*told)["changes"]);
  EXPECT_EQ((*edited)["version"], 2);
  const Json& versions = (*edited)["study"]["versions"];
  ASSERT_EQ(versions.size(), 2u);
  EXPECT_EQ(versions[1]["changes"], "x: range 0..1 -> 0..0.5");
  const auto again = Edit("0.5");
  EXPECT_FALSE(again->contains("changes"));
  // OSS Vizier's face shows the space as it is.
  const vizier::Study shown =
      ToVizier(ClientStudyOf(**studies_.GetStudy(kStudyName)));
  EXPECT_EQ(shown.study_spec().parameters(0).double_value_spec().max_value(),
            0.5);
}

TEST_F(StudyEditsTest, ARepeatedRequestIsAnsweredAndUndoesNothing) {
  Make();
  const std::string once = R"(,"requestId":"r")";
  ASSERT_TRUE(Edit("0.5", once).ok());
  ASSERT_TRUE(Edit("0.25").ok());
  const auto repeated = Edit("0.5", once);
  ASSERT_TRUE(repeated.ok()) << repeated.status();
  EXPECT_EQ((*repeated)["version"], 3);
  EXPECT_TRUE(absl::IsInvalidArgument(Edit("0.75", once).status()));
}

TEST_F(StudyEditsTest, WhyNamesTheVersions) {
  Make();
  ASSERT_TRUE(Edit("0.5").ok());
  ASSERT_TRUE(Edit("0.25").ok());
  const auto why = client_->Ask(&v1::JobService::Stub::Explain,
                                R"({"jobId":"owners/me/studies/s"})");
  ASSERT_TRUE(why.ok()) << why.status();
  EXPECT_THAT(*why, HasSubstr("Its version 3 brought: x: range 0..0.5"));
  EXPECT_THAT(*why, HasSubstr("version 2: x: range 0..1"));
}

TEST_F(StudyEditsTest, AJobIsEditedAsAJob) {
  Create("j");
  const auto refused = Edit("0.5", "", "j");
  EXPECT_TRUE(absl::IsFailedPrecondition(refused.status()));
  EXPECT_THAT(std::string(refused.status().message()),
              HasSubstr("edit the job"));
  EXPECT_TRUE(absl::IsNotFound(Edit("0.5", "", "none").status()));
}

}  // namespace
}  // namespace vernier
