#include "cluster/slurm/job_listing.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "cluster/slurm/job_identity.h"

namespace vernier {
namespace {

const std::string kPrefix = JobNamePrefix("0badf00d");

std::string Name(int number) {
  std::string nonce = std::to_string(number);
  nonce.insert(0, 32 - nonce.size(), '0');
  return JobName("0badf00d", nonce);
}

TEST(JobListingTest, ReadsWhatSqueuePrints) {
  const std::string text = "17|RUNNING|None|n[1-2]|" + Name(1) +
                           "\n18|PENDING|(Resources)||" + Name(2) +
                           "\n19|NODE_FAIL|NodeFail|n1|" + Name(3) + "\n";
  const auto listing = ParseQueue(text, kPrefix);
  ASSERT_TRUE(listing.ok()) << listing.status();
  const JobListing expected = {
      {Name(1), {17, SlurmState::kRunning, "RUNNING", "", "n[1-2]"}},
      {Name(2), {18, SlurmState::kPending, "PENDING", "(Resources)", ""}},
      {Name(3), {19, SlurmState::kNodeFailed, "NODE_FAIL", "NodeFail", "n1"}}};
  EXPECT_EQ(*listing, expected);
}

TEST(JobListingTest, SkipsWarningsAndOtherPeoplesJobs) {
  const std::string text =
      "squeue: warning: something | else\n17|RUNNING|None|n1|bash\n"
      "18|RUNNING|None|n1|vernier-other000-" +
      std::string(32, '0') + "\n19|RUNNING|None|n1|" + Name(1) +
      "x\nx|RUNNING|None|n1|" + Name(1) + "\n";
  const auto listing = ParseQueue(text, kPrefix);
  ASSERT_TRUE(listing.ok());
  EXPECT_TRUE(listing->empty());
}

TEST(JobListingTest, RefusesAListingThatIsCutOff) {
  const std::string text = "17|RUNNING|None|n1|" + Name(1);
  EXPECT_TRUE(absl::IsDataLoss(ParseQueue(text, kPrefix).status()));
  EXPECT_TRUE(ParseQueue("", kPrefix)->empty());
}

TEST(JobListingTest, WhatAnotherProgramPrintsIsNoEmptyListing) {
  const auto listing = ParseQueue("Welcome to\x1b[2J\nthe cluster\n", kPrefix);
  EXPECT_TRUE(absl::IsDataLoss(listing.status()));
  EXPECT_EQ(listing.status().message(),
            "no listing of jobs: Welcome to\\x1b[2J");
  // Slurm's own warnings, and empty lines, are none.
  EXPECT_TRUE(ParseQueue("squeue: error: no DNS\n\n", kPrefix)->empty());
  EXPECT_TRUE(ParseAccounts("sacct: error: slow\n", kPrefix)->empty());
}

TEST(JobListingTest, TakesTheLiveOneOfTwoJobsOfAName) {
  const std::string ended = "17|CANCELLED|None||" + Name(1) + "\n";
  const std::string runs = "18|RUNNING|None|n1|" + Name(1) + "\n";
  for (const std::string& text : {ended + runs, runs + ended}) {
    EXPECT_EQ(ParseQueue(text, kPrefix)->at(Name(1)).number, 18);
  }
}

TEST(JobListingTest, TakesComponentsAsOneJob) {
  const auto state_of = [&](const std::string& first,
                            const std::string& second) {
    const std::string text = "17+0|" + first + "|None|n1|" + Name(1) +
                             "\n17+1|" + second + "|None|n2|" + Name(1) +
                             ".1\n";
    return ParseQueue(text, kPrefix)->at(Name(1)).state;
  };
  EXPECT_EQ(state_of("COMPLETED", "RUNNING"), SlurmState::kRunning);
  EXPECT_EQ(state_of("CANCELLED", "NODE_FAIL"), SlurmState::kNodeFailed);
  EXPECT_EQ(state_of("COMPLETED", "COMPLETED"), SlurmState::kCompleted);
}

TEST(JobListingTest, ReadsWhatSacctPrints) {
  const std::string text = "17|CANCELLED by 1000|None assigned|" + Name(1) +
                           "\n18|OUT_OF_MEMORY|n1|" + Name(2) + "\n";
  const auto listing = ParseAccounts(text, kPrefix);
  ASSERT_TRUE(listing.ok());
  EXPECT_EQ(listing->at(Name(1)), (ListedJob{17, SlurmState::kCancelled,
                                             "CANCELLED by 1000", "", ""}));
  EXPECT_EQ(listing->at(Name(2)).state, SlurmState::kOutOfMemory);
}

RC_GTEST_PROP(JobListingTest, TakesAnyBytes, (std::string text)) {
  // Neither crashes nor finds a job that is none.
  for (const auto& listing :
       {ParseQueue(text, kPrefix), ParseAccounts(text, kPrefix)}) {
    if (!listing.ok()) continue;
    for (const auto& [name, job] : *listing) {
      RC_ASSERT(IsJobName(name, kPrefix));
      RC_ASSERT(job.number > 0);
    }
  }
}

TEST(JobListingTest, AnUnknownWordIsNotFinal) {
  for (const char* word : {"RUNNING", "COMPLETING", "REQUEUE_HOLD", "SUSPENDED",
                           "CONFIGURING", "WHATEVER", ""}) {
    EXPECT_FALSE(IsFinal(StateOfWord(word))) << word;
  }
  for (const char* word : {"COMPLETED", "FAILED", "CANCELLED by 0", "TIMEOUT",
                           "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "DEADLINE",
                           "OUT_OF_MEMORY", "REVOKED", "CANCELLED+"}) {
    EXPECT_TRUE(IsFinal(StateOfWord(word))) << word;
  }
}

TEST(JobListingTest, ExplainsWhyAJobIsPending) {
  EXPECT_EQ(DescribePendingReason("Priority"),
            "Priority (other jobs come first)");
  EXPECT_EQ(DescribePendingReason("AssocGrpGRES"),
            "AssocGrpGRES (a limit of the account is reached)");
  EXPECT_EQ(DescribePendingReason("SomethingNew"), "SomethingNew");
  EXPECT_EQ(DescribePendingReason(""), "");
}

TEST(JobListingTest, BoundsWhatItKeeps) {
  const std::string name = "vernier-0badf00d-" + std::string(32, 'a');
  const auto listing =
      ParseQueue("7|" + std::string(5000, 'W') + "|" + std::string(5000, 'r') +
                     "|" + std::string(5000, 'n') + "|" + name + "\n",
                 "vernier-0badf00d-");
  ASSERT_TRUE(listing.ok()) << listing.status();
  const ListedJob& job = listing->at(name);
  EXPECT_EQ(job.word.size(), 300u);
  EXPECT_EQ(job.reason.size(), 300u);
  EXPECT_EQ(job.nodes.size(), 300u);
}

}  // namespace
}  // namespace vernier
