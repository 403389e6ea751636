#include "cluster/slurm/probe_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/version.h"
#include "tests/cluster/local_test_bed.h"

namespace vernier {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class ProbeReportTest : public testing::Test {
 protected:
  ProbePlan MakePlan(const std::string& program) {
    ProbePlan plan;
    plan.name = "vernier-0-probe-1";
    plan.nonce = "00ff";
    plan.folder = folder_ / "it's a probe";
    plan.program = program;
    plan.url = "http://head:1";
    EXPECT_TRUE(MakeProbeFolder(plan).ok());
    return plan;
  }
  static int Run(const ProbePlan& plan) {
    return std::system(
        ("SLURMD_NODENAME=n7 sh " + InSingleQuotes(plan.folder + "/job.sh"))
            .c_str());
  }
  static ListedJob Ended(SlurmState state, const std::string& word) {
    return {17, state, word, "NonZeroExitCode", "n7"};
  }

  const ScratchFolder folder_;
};

TEST_F(ProbeReportTest, ReadsWhatWasWritten) {
  const std::string folder = folder_ / "probe";
  EXPECT_FALSE(ReadNodeReport(folder).has_value());
  NodeReport report{"n1", "0.1.0", "cannot connect: refused", std::nullopt};
  ASSERT_TRUE(MakeDirectories(folder).ok());
  ASSERT_TRUE(WriteNodeReport(folder, report).ok());
  EXPECT_EQ(ReadNodeReport(folder), report);
}

TEST_F(ProbeReportTest, HasNoReportFromTheBeginning) {
  EXPECT_FALSE(ReadNodeReport(MakePlan("/bin/true").folder).has_value());
}

TEST_F(ProbeReportTest, TheScriptTellsOfAProgramThatCannotRun) {
  const ProbePlan plan = MakePlan("/nowhere/vernier");
  EXPECT_EQ(Run(plan), 0);
  const auto report = ReadNodeReport(plan.folder);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->node, "n7");
  EXPECT_EQ(report->program_failure, 127);
  EXPECT_THAT(JudgeProbe(plan, std::nullopt, report, false).obstacle,
              HasSubstr("node n7 cannot run /nowhere/vernier"));
}

TEST_F(ProbeReportTest, TheScriptRunsTheProgramAndReports) {
  const ProbePlan plan = MakePlan(VERNIER_SUPERVISE);
  EXPECT_EQ(Run(plan), 0);
  const auto report = ReadNodeReport(plan.folder);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->version, kVersion);
  EXPECT_FALSE(report->program_failure.has_value());
  EXPECT_THAT(report->url_error, HasSubstr("head"));
}

TEST_F(ProbeReportTest, TheScriptFailsInAFolderOfAnotherService) {
  ProbePlan plan = MakePlan(VERNIER_SUPERVISE);
  WriteText(plan.folder + "/nonce", "another\n");
  EXPECT_NE(Run(plan), 0);
  EXPECT_FALSE(ReadNodeReport(plan.folder).has_value());
}

TEST_F(ProbeReportTest, AUrlThatIsNotReachedOnlyHinders) {
  const ProbePlan plan = MakePlan("/bin/vernier");
  const NodeReport report{"n1", kVersion, "refused", std::nullopt};
  const ProbeFinding finding = JudgeProbe(plan, std::nullopt, report, false);
  EXPECT_TRUE(finding.is_over);
  EXPECT_THAT(finding.obstacle, IsEmpty());
  EXPECT_EQ(finding.hindrance, "node n1 does not reach http://head:1: refused");
}

TEST_F(ProbeReportTest, AnotherVersionOnlyHinders) {
  const NodeReport report{"n1", "9.9.9", "", std::nullopt};
  const ProbeFinding finding =
      JudgeProbe(MakePlan("/bin/vernier"), std::nullopt, report, false);
  EXPECT_THAT(finding.hindrance, HasSubstr("has version 9.9.9"));
}

TEST_F(ProbeReportTest, AJobThatEndsWithoutAReportDidNotSeeTheFolder) {
  const ProbePlan plan = MakePlan("/bin/vernier");
  const ListedJob failed = Ended(SlurmState::kFailed, "FAILED");
  EXPECT_FALSE(JudgeProbe(plan, failed, std::nullopt, false).is_over);
  const ProbeFinding finding = JudgeProbe(plan, failed, std::nullopt, true);
  EXPECT_TRUE(finding.is_over);
  EXPECT_THAT(finding.obstacle, HasSubstr("node n7 does not see"));
}

TEST_F(ProbeReportTest, AJobThatSomethingElseEndedProvesNothing) {
  const ProbePlan plan = MakePlan("/bin/vernier");
  for (const SlurmState state : {SlurmState::kCancelled, SlurmState::kTimeLimit,
                                 SlurmState::kNodeFailed}) {
    const ProbeFinding finding =
        JudgeProbe(plan, Ended(state, "WORD"), std::nullopt, true);
    EXPECT_TRUE(finding.is_over);
    EXPECT_THAT(finding.obstacle, IsEmpty());
    EXPECT_THAT(finding.hindrance, HasSubstr("WORD"));
  }
  EXPECT_TRUE(JudgeProbe(plan, std::nullopt, std::nullopt, true).is_over);
  const ListedJob pending{17, SlurmState::kPending, "PENDING", "", ""};
  EXPECT_FALSE(JudgeProbe(plan, pending, std::nullopt, true).is_over);
}

TEST_F(ProbeReportTest, TheJobGoesWhereJobsGo) {
  SlurmOptions defaults;
  defaults.partition = "gpu";
  defaults.extra_args = {"--wckey=x"};
  const SbatchCall call = CallFor(MakePlan("/bin/vernier"), defaults);
  EXPECT_THAT(call.words, Contains("--partition=gpu"));
  EXPECT_THAT(call.words, Contains("--wckey=x"));
  EXPECT_THAT(call.words, Contains("--job-name=vernier-0-probe-1"));
  EXPECT_EQ(call.words.back(), folder_ / "it's a probe/job.sh");
}

}  // namespace
}  // namespace vernier
