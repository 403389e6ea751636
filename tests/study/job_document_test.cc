#include "study/job_file/job_document.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

constexpr char kFile[] =
    "jobId: a\n"
    "trainingInput: {jobDir: /one}\n"
    "vernier: {command: [x], seed: 1}\n";

FieldOverride Seed(const std::string& json) {
  return {{"vernier", "seed"}, json, "--seed"};
}

TEST(JobDocumentTest, AnOverrideLeavesCopiesAsTheyAre) {
  const JobDocument file(kFile, "a.yaml");
  JobDocument changed = file;
  changed.Override({Seed("2")});
  JobDocument again = changed;
  again.Override({Seed("3")});
  EXPECT_EQ(file.ToJob()->spec.vernier.seed, 1);
  EXPECT_EQ(changed.ToJob()->spec.vernier.seed, 2);
  EXPECT_EQ(again.ToJob()->spec.vernier.seed, 3);
}

TEST(JobDocumentTest, ACopyOutlivesTheOthers) {
  std::unique_ptr<JobDocument> first =
      std::make_unique<JobDocument>(kFile, "a.yaml");
  first->Override({Seed("\"x\"")});
  JobDocument copy = *first;
  first.reset();
  copy.Override({{{"jobId"}, "\"b\"", "NAME"}});
  const std::string message(copy.ToJob().status().message());
  EXPECT_EQ(message.rfind("--seed: vernier.seed: must be", 0), 0u) << message;
  copy.Override({Seed("4")});
  EXPECT_EQ(copy.ToJob()->spec.job_id, "b");
}

TEST(JobDocumentTest, MistakesOfTheTextStay) {
  JobDocument broken("jobId: [\n", "a.yaml");
  broken.Override({Seed("2")});
  const std::string message(broken.ToJob().status().message());
  EXPECT_EQ(message.rfind("a.yaml:", 0), 0u) << message;
  EXPECT_EQ(broken.Find({"jobId"}), nullptr);
}

TEST(JobDocumentTest, FindsWhatTheTextHadBesideWhatHolds) {
  JobDocument document(kFile, "a.yaml");
  document.Override({Seed("2")});
  EXPECT_EQ(document.Find({"vernier", "seed"})->scalar, "2");
  EXPECT_EQ(document.FindInText({"vernier", "seed"})->scalar, "1");
  EXPECT_EQ(document.FindInText({"vernier", "seed"})->position.line, 3);
  EXPECT_EQ(document.Find({"vernier", "seed", "x"}), nullptr);
  EXPECT_EQ(document.Find({"none"}), nullptr);
}

TEST(JobDocumentTest, AFieldBelowTextIsNotReplaced) {
  JobDocument document(kFile, "a.yaml");
  document.Override({{{"jobId", "x"}, "1", "--x"}});
  EXPECT_EQ(document.ToJob()->spec.job_id, "a");
}

TEST(WithOverridesTest, IsAJobWithTheSameSecrets) {
  ParsedJob job = JobDocument(kFile, "a.yaml").ToJob().value();
  job.secrets["KEY"] = "canary";
  const auto changed = WithOverrides(job, {Seed("2")});
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_EQ(changed->spec.vernier.seed, 2);
  EXPECT_EQ(changed->spec.training_input.job_dir, "/one");
  EXPECT_EQ(changed->secrets, job.secrets);
  EXPECT_EQ(WithOverrides(job, {})->json, job.json);
}

TEST(WithOverridesTest, AJobFromElsewhereIsItsJson) {
  ParsedJob job = JobDocument(kFile, "a.yaml").ToJob().value();
  job.document.reset();
  EXPECT_EQ(WithOverrides(job, {Seed("2")})->json,
            R"({"jobId":"a","trainingInput":{"jobDir":"/one"},)"
            R"("vernier":{"seed":"2","command":["x"]}})");
}

TEST(JobDocumentTest, WhatIsRemovedIsNotThere) {
  const JobDocument file(kFile, "a.yaml");
  JobDocument changed = file;
  changed.Remove({{"vernier", "seed"},
                  {"vernier", "nothing"},
                  {"nothing", "seed"},
                  {"jobId", "seed"}});
  const auto job = changed.ToJob();
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ(job->spec.vernier.seed, std::nullopt);
  EXPECT_EQ(job->spec.vernier.command, std::vector<std::string>{"x"});
  EXPECT_EQ(job->spec.job_id, "a");
  EXPECT_EQ(file.ToJob()->spec.vernier.seed, 1);
  changed.Remove({{"trainingInput"}});
  EXPECT_EQ(changed.Find({"trainingInput"}), nullptr);
  EXPECT_FALSE(changed.ToJob().ok());
}

TEST(JobDocumentTest, NothingIsRemovedFromAnEmptyDocument) {
  JobDocument empty("", "");
  empty.Remove({{"jobId"}});
  EXPECT_EQ(empty.Find({"jobId"}), nullptr);
}

TEST(JobDocumentTest, OnlyJsonIsReadAsJson) {
  EXPECT_FALSE(JobDocument::FromJson(kFile).has_value());
  EXPECT_FALSE(JobDocument::FromJson("{jobId: a}").has_value());
  EXPECT_FALSE(JobDocument::FromJson("{\"jobId\": \"\xff\"}").has_value());
  const auto document = JobDocument::FromJson(
      R"({"jobId": "a", "trainingInput": {}, "vernier": {"command": ["x"]}})");
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(document->ToJob()->spec.job_id, "a");
}

TEST(JobDocumentTest, JsonThatIsTooDeepIsReported) {
  const auto document = JobDocument::FromJson(std::string(500, '['));
  ASSERT_TRUE(document.has_value());
  EXPECT_FALSE(document->ToJob().ok());
}

}  // namespace
}  // namespace vernier
