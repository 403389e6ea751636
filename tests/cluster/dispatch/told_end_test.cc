#include "cluster/dispatch/told_end.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "cluster/attempt/launch_file.h"
#include "cluster/secret_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

class TellEndTest : public testing::Test {
 protected:
  TellEndTest() {
    EXPECT_TRUE(
        WriteSecretFile(folder_ / "secrets/job", {{"KEY", "canary-1"}}).ok());
    WriteText(folder_ / "source/data.csv", "x");
    WriteText(folder_ / "source/.vernierignore", "*.csv\n");
    WriteText(folder_ / "copy/train.py", "x");
    std::filesystem::create_directories(run_dir_);
  }

  void Launched(const std::string& section) {
    LaunchFile launch;
    launch.attempt = {StudyId{1}, TrialId{1}, 1};
    launch.spec_json = absl::StrCat(
        R"({"jobId":"j","trainingInput":{},"vernier":{"command":["x"],"codeDir":")",
        folder_ / "source", "\"", section, "}}");
    launch.work_dir = run_dir_ + "/work";
    launch.code_dir = folder_ / "copy";
    ASSERT_TRUE(WriteLaunchFile(run_dir_, launch).ok());
  }
  std::string WithSecrets() {
    return absl::StrCat(R"(,"secretNames":["KEY"],"secretsFile":")",
                        folder_ / "secrets/job", "\"");
  }
  AttemptObservation Told(const std::string& log, int exit_code) {
    AttemptObservation seen;
    seen.kind = AttemptObservation::Kind::kEnded;
    seen.exit_code = exit_code;
    seen.message = absl::StrCat("It ended.\n", log);
    seen.log_tail = log;
    TellEnd(run_dir_, &seen);
    return seen;
  }

  const ScratchFolder folder_;
  const std::string run_dir_ = folder_ / "runs/1/1/1";
};

TEST_F(TellEndTest, MasksSecretsInAllTexts) {
  Launched(WithSecrets());
  for (const int code : {0, 1}) {
    const AttemptObservation told = Told("key canary-1 is wrong\n", code);
    EXPECT_EQ(told.message, "It ended.\nkey *** is wrong\n");
    EXPECT_EQ(told.log_tail, "key *** is wrong\n");
  }
}

TEST_F(TellEndTest, TellsNothingOfALogWhoseSecretsAreUnknown) {
  Launched(WithSecrets());
  std::filesystem::remove_all(folder_ / "secrets");
  const AttemptObservation told = Told("key canary-1 is wrong\n", 1);
  EXPECT_EQ(told.message.find("canary-1"), std::string::npos) << told.message;
  EXPECT_EQ(told.message.find("It ended.\n"), 0u) << told.message;
  EXPECT_EQ(told.log_tail, "");
}

TEST_F(TellEndTest, NamesWhatWasNotCopiedIfAProgramFailsForWantOfIt) {
  Launched("");
  const std::string log = "No such file or directory: 'data.csv'\n";
  const std::string message = Told(log, 1).message;
  EXPECT_EQ(message.find("It ended.\ndata.csv lies in "), 0u) << message;
  EXPECT_NE(message.find("line 1 of .vernierignore"), std::string::npos);
  EXPECT_NE(message.find(log), std::string::npos);
  EXPECT_EQ(Told(log, 0).message, "It ended.\n" + log);
}

TEST_F(TellEndTest, NamesThePythonPackageIfAProgramFailsForWantOfIt) {
  Launched("");
  const std::string log = "ModuleNotFoundError: No module named 'vernier'\n";
  const std::string message = Told(log, 1).message;
  EXPECT_NE(message.find("import vernier_hpo as vn"), std::string::npos)
      << message;
  EXPECT_NE(message.find(log), std::string::npos);
  EXPECT_EQ(Told(log, 0).message, "It ended.\n" + log);
}

TEST_F(TellEndTest, LeavesOthersAlone) {
  AttemptObservation seen;
  seen.kind = AttemptObservation::Kind::kEnded;
  seen.message = "no launch file";
  TellEnd(folder_ / "absent", &seen);
  EXPECT_EQ(seen.message, "no launch file");
}

}  // namespace
}  // namespace vernier
