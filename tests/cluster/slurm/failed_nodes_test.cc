#include "cluster/slurm/failed_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/slurm/gang_files.h"
#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

JobView EndedOn(SlurmState state, const std::string& nodes) {
  JobView job;
  job.knowledge.job = ListedJob{17, state, "WORD", "", nodes};
  return job;
}

TEST(FailedNodesTest, BlamesTheNodeOfAJobThatItEnded) {
  EXPECT_THAT(NodesToBlame(EndedOn(SlurmState::kNodeFailed, "n1"), true, ""),
              ElementsAre("n1"));
  EXPECT_THAT(NodesToBlame(EndedOn(SlurmState::kFailed, "n1"), false, ""),
              ElementsAre("n1"));
}

TEST(FailedNodesTest, BlamesNoNodeForWhatTheJobDid) {
  EXPECT_THAT(NodesToBlame(EndedOn(SlurmState::kFailed, "n1"), true, ""),
              IsEmpty());
  for (const SlurmState state :
       {SlurmState::kPreempted, SlurmState::kTimeLimit, SlurmState::kCancelled,
        SlurmState::kOutOfMemory}) {
    EXPECT_THAT(NodesToBlame(EndedOn(state, "n1"), false, ""), IsEmpty());
  }
  EXPECT_THAT(NodesToBlame(JobView{}, false, ""), IsEmpty());
}

TEST(FailedNodesTest, OfSeveralNodesBlamesThoseThatSrunNames) {
  const JobView job = EndedOn(SlurmState::kNodeFailed, "n[1-3]");
  EXPECT_THAT(NodesToBlame(job, true, "srun: error: n3: task 1: Killed"),
              IsEmpty());
  EXPECT_THAT(NodesToBlame(job, true,
                           "srun: error: Node failure on n3\n"
                           "srun: error: Node failure on n[1-2]\n"
                           "srun: error: Node failure on n3"),
              ElementsAre("n3"));
}

TEST(FailedNodesTest, TheNextAttemptsKnowThem) {
  const ScratchFolder folder;
  const auto attempt_dir = [&](int number) {
    return folder.path() + "/7/" + std::to_string(number);
  };
  for (const int number : {1, 2, 3}) {
    ASSERT_TRUE(MakeSlurmFolder(attempt_dir(number)).ok());
  }
  ASSERT_TRUE(NoteFailedNodes(attempt_dir(1), {"n2"}).ok());
  ASSERT_TRUE(NoteFailedNodes(attempt_dir(3), {"n1", "n2", "no name"}).ok());
  const auto before = [&](int number) {
    return FailedNodesBefore({StudyId{1}, TrialId{7}, number},
                             attempt_dir(number));
  };
  EXPECT_THAT(before(1), IsEmpty());
  EXPECT_THAT(before(2), ElementsAre("n2"));
  EXPECT_THAT(before(4), ElementsAre("n1", "n2"));
}

}  // namespace
}  // namespace vernier
