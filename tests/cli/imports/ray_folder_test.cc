#include "cli/imports/ray_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;
using testing::SizeIs;

class RayFolderTest : public testing::Test {
 protected:
  RayFolderTest() : folder_(fs::path(scratch_ / "grid")) {
    flags_.metrics = {"loss:min"};
  }

  void Write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  absl::StatusOr<ForeignStudy> Result() const {
    return ReadRayFolder(folder_.string(), flags_);
  }
  std::string Message() const {
    return std::string(Result().status().message());
  }

  ScratchFolder scratch_;
  fs::path folder_;
  TableFlags flags_;
};

TEST_F(RayFolderTest, ReadsSettingsAndReports) {
  Write("a/params.json", R"({"lr": 0.1, "net": {"width": 16}, "seed": 7})");
  Write("a/result.json",
        R"({"trial_id": "t1", "training_iteration": 1, "loss": 3})"
        "\n"
        R"({"trial_id": "t1", "training_iteration": 2, "loss": NaN})"
        "\n"
        R"({"trial_id": "t1", "training_iteration": 2, "loss": 2,)"
        R"( "time_total_s": 1.5})"
        "\n{\"trial_id\": \"t1\", \"tra");
  Write("b/params.json", R"({"lr": 0.2, "net": {"width": 32}, "seed": 7})");
  Write("b/result.json",
        R"({"trial_id": "t2", "training_iteration": 1, "loss": 5})"
        "\n");
  Write("b/error.txt", "out of memory");
  Write("experiment_state-1.json",
        R"({"trial_data": [["{\"trial_id\": \"t1\", \"status\": \"RUNNING\"}",)"
        R"( "{}"]]})");
  Write("experiment_state-2.json",
        R"({"trial_data": [["{\"trial_id\": \"t1\", \"status\": )"
        R"(\"TERMINATED\"}", "{}"]]})");
  const auto study = Result();
  ASSERT_TRUE(study.ok()) << study.status();
  EXPECT_EQ(study->name, "grid");
  ASSERT_THAT(study->spec.parameters, SizeIs(2));
  EXPECT_EQ(study->spec.parameters[1].name, "net/width");
  ASSERT_THAT(study->trials, SizeIs(2));
  const ForeignTrial& first = study->trials[0];
  EXPECT_EQ(first.id, "t1");
  EXPECT_THAT(first.reports, SizeIs(2));
  EXPECT_EQ(first.final_report->metrics[0].value, 2);
  EXPECT_EQ(first.final_report->step, 2);
  EXPECT_EQ(first.final_report->elapsed, std::chrono::milliseconds(1500));
  EXPECT_EQ(study->trials[1].state, ForeignTrial::State::kInfeasible);
  EXPECT_EQ(first.attributes.at("seed"), "7");
}

TEST_F(RayFolderTest, LeavesOutTrialsWithoutAResult) {
  Write("a/params.json", R"({"lr": 0.1})");
  Write("b/params.json", R"({"lr": 0.2})");
  Write("b/result.json", "{\"loss\": 1}\n");
  Write("c/params.json", R"({"lr": 0.3})");
  Write("c/result.json", "{\"loss\": 1}\n");
  const auto study = Result();
  ASSERT_TRUE(study.ok()) << study.status();
  EXPECT_THAT(study->trials, SizeIs(2));
  EXPECT_THAT(study->notes.back(), HasSubstr("1 trial (a): running"));
}

TEST_F(RayFolderTest, FollowsNoLinks) {
  Write("../elsewhere/params.json", R"({"lr": 0.1})");
  Write("a/params.json", R"({"lr": 0.2})");
  Write("a/result.json", "{\"loss\": 1}\n");
  fs::create_symlink("../elsewhere", folder_ / "b");
  fs::create_directories(folder_ / "c");
  fs::create_symlink("../../elsewhere/params.json", folder_ / "c/params.json");
  flags_.parameters = {"lr"};
  const auto study = Result();
  ASSERT_TRUE(study.ok()) << study.status();
  EXPECT_THAT(study->trials, SizeIs(1));
}

TEST_F(RayFolderTest, NamesTheFileThatIsWrong) {
  EXPECT_THAT(Message(), HasSubstr("grid: cannot be read"));
  fs::create_directories(folder_);
  EXPECT_THAT(Message(), HasSubstr("has no folder with a params.json"));
  Write("a/params.json", "[");
  EXPECT_THAT(Message(), HasSubstr("a/params.json: "));
  Write("a/params.json", R"({"lr": 0.2})");
  Write("a/result.json", "{\"loss\": 1}\n[1]\n");
  EXPECT_THAT(Message(), HasSubstr("a/result.json: line 2: must be"));
}

std::string ResultLine(std::size_t step, std::size_t loss) {
  return absl::StrCat(R"({"training_iteration": )", step, R"(, "loss": )", loss,
                      "}\n");
}

// As Ray's own last result does.
TEST_F(RayFolderTest, ATrialThatWentBackHasItsLastReport) {
  Write("a/params.json", R"({"lr": 0.1})");
  std::string results;
  for (const auto& [step, loss] : {std::pair(1U, 5U), {2, 4}, {3, 1}, {2, 6}}) {
    results += ResultLine(step, loss);
  }
  Write("a/result.json", results);
  Write("b/params.json", R"({"lr": 0.2})");
  const auto study = Result();
  ASSERT_TRUE(study.ok()) << study.status();
  const ForeignTrial& trial = study->trials.front();
  EXPECT_EQ(trial.final_report->metrics[0].value, 6);
  EXPECT_EQ(trial.final_report->step, 2);
  EXPECT_THAT(trial.reports, SizeIs(2));
}

TEST_F(RayFolderTest, TheLastOfVeryManyReportsIsTheValue) {
  Write("a/params.json", R"({"lr": 0.1})");
  std::string results;
  for (std::size_t step = 1; step <= kMostForeignReports + 5; ++step) {
    results += ResultLine(step, step);
  }
  Write("a/result.json", results);
  Write("b/params.json", R"({"lr": 0.2})");
  const auto study = Result();
  ASSERT_TRUE(study.ok()) << study.status();
  const ForeignTrial& trial = study->trials.front();
  EXPECT_THAT(trial.reports, SizeIs(kMostForeignReports));
  EXPECT_EQ(trial.final_report->metrics[0].value, kMostForeignReports + 5);
  EXPECT_THAT(study->notes,
              testing::Contains(HasSubstr("only the first 9999")));
}

}  // namespace
}  // namespace vernier
