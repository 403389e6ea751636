#include "cluster/attempt/trial_resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

#include "base/clock.h"
#include "cluster/code/package_pin.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TrialResourcesTest : public ::testing::Test {
 protected:
  TrialResourcesTest() {
    auto buckets = BucketStore::Open(
        {dir_ / "buckets", {}, [] { return std::string(32, '0'); }}, clock_);
    EXPECT_TRUE(buckets.ok()) << buckets.status();
    buckets_ = *std::move(buckets);
    spec_.job_id = "job";
    spec_.training_input.hyperparameters.emplace();
  }

  absl::StatusOr<TrialResources> Find(
      TrialResourceFinder::Options options = {}) {
    LaunchRequest request;
    request.attempt = {StudyId{1}, TrialId{7}, 1};
    request.nonce = "nonce";
    request.spec_json = spec_json_;
    request.project = project_;
    request.run_dir = dir_ / "runs/1/7/1";
    request.spec = std::make_shared<JobSpec>(spec_);
    return TrialResourceFinder(*buckets_, std::move(options)).Find(request);
  }

  bool IsThere(const std::string& bucket) {
    return buckets_
        ->Find(bucket, BucketUser::Administrator(), BucketRight::kRead)
        .ok();
  }

  const SystemClock clock_{};
  ScratchFolder dir_;
  std::string project_ = "default";
  std::string spec_json_ = "{}";
  std::unique_ptr<BucketStore> buckets_;
  JobSpec spec_;
};

TEST_F(TrialResourcesTest, AJobDirInABucketIsItsFolderAndIsThere) {
  spec_.training_input.job_dir = "gs://models/out";
  const auto found = Find();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->job_dir, dir_ / "buckets/models/out");
  EXPECT_TRUE(std::filesystem::is_directory(dir_ / "buckets/models/out/7"));
}

TEST_F(TrialResourcesTest, AJobDirMayStayAUri) {
  spec_.training_input.job_dir = "gs://models/out";
  spec_.vernier.job_dir_form = JobDirForm::kUri;
  EXPECT_EQ(Find()->job_dir, "gs://models/out");
  EXPECT_TRUE(IsThere("models"));
}

TEST_F(TrialResourcesTest, OtherJobDirsStayAsTheyAre) {
  spec_.training_input.job_dir = "/out";
  EXPECT_EQ(Find()->job_dir, "/out");
}

TEST_F(TrialResourcesTest, ABadJobDirIsNamed) {
  spec_.training_input.job_dir = "gs://models/../out";
  const auto found = Find();
  EXPECT_TRUE(absl::IsInvalidArgument(found.status()));
  EXPECT_THAT(std::string(found.status().message()),
              HasSubstr("trainingInput.jobDir: "));
}

TEST_F(TrialResourcesTest, ArgumentsInABucketThatIsHereArePaths) {
  WriteText(dir_ / "buckets/models/x", "bytes");
  spec_.vernier.command = {"train"};
  spec_.training_input.args = {"--data=gs://models/data", "gs://elsewhere/x"};
  const auto found = Find();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->local_paths,
            (std::map<std::string, std::string>{
                {"gs://models/data", dir_ / "buckets/models/data"}}));
  ASSERT_EQ(found->notes.size(), 2u);
  EXPECT_THAT(found->notes[0], HasSubstr("gs://elsewhere/x is given to the "
                                         "program as it is"));
  EXPECT_THAT(found->notes[0], HasSubstr("may hang"));
  EXPECT_THAT(found->notes[1],
              HasSubstr("gs://models/data is given to the program as " +
                        (dir_ / "buckets/models/data")));
}

TEST_F(TrialResourcesTest, ArgumentsMayStayUris) {
  WriteText(dir_ / "buckets/models/x", "bytes");
  spec_.vernier.command = {"train", "gs://models/data"};
  spec_.vernier.job_dir_form = JobDirForm::kUri;
  EXPECT_TRUE(Find()->local_paths.empty());
  EXPECT_THAT(Find()->notes, ElementsAre(HasSubstr("vernier.gsArgs: URI")));
  spec_.vernier.gs_args = GsArgs::kPath;
  EXPECT_EQ(Find()->local_paths.size(), 1u);
}

TEST_F(TrialResourcesTest, AnActiveEnvironmentIsThePython) {
  EXPECT_EQ(Find()->python, "python3");
  spec_.vernier.caller_environment["CONDA_PREFIX"] = "/conda";
  EXPECT_EQ(Find()->python, "/conda/bin/python3");
  spec_.vernier.caller_environment["VIRTUAL_ENV"] = "/venv";
  EXPECT_EQ(Find()->python, "/venv/bin/python3");
  TrialResourceFinder::Options options;
  options.interpreters.by_python["3.7"] = "/usr/bin/python3.7";
  spec_.training_input.python_version = "3.7";
  EXPECT_EQ(Find(options)->python, "/usr/bin/python3.7");
}

TEST_F(TrialResourcesTest, PackagesAreFilesOfTheBucket) {
  WriteText(dir_ / "buckets/models/p/trainer-0.1.tar.gz", "bytes");
  WriteText(dir_ / "other.whl", "bytes");
  spec_.training_input.package_uris = {"gs://models/p/trainer-0.1.tar.gz",
                                       dir_ / "other.whl"};
  EXPECT_THAT(Find()->packages,
              ElementsAre(dir_ / "buckets/models/p/trainer-0.1.tar.gz",
                          dir_ / "other.whl"));
}

TEST_F(TrialResourcesTest, PackagesMustBeThere) {
  WriteText(dir_ / "buckets/models/x", "");
  std::filesystem::create_symlink("/etc/passwd", dir_ / "buckets/models/link");
  for (const char* uri : {"gs://models/gone.whl", "gs://nobody/x.whl",
                          "gs://models", "gs://models/link"}) {
    spec_.training_input.package_uris = {uri};
    const auto found = Find();
    EXPECT_FALSE(found.ok()) << uri;
    EXPECT_THAT(std::string(found.status().message()),
                HasSubstr("trainingInput.packageUris: "))
        << uri;
  }
  // A mistyped package must not make a bucket.
  EXPECT_FALSE(IsThere("nobody"));
}

TEST_F(TrialResourcesTest, ThePinnedCopyComesBeforeWhatIsInTheBucketNow) {
  WriteText(dir_ / "buckets/models/p/trainer-0.1.tar.gz", "now");
  const std::string uri = "gs://models/p/trainer-0.1.tar.gz";
  const std::string hash(64, 'a');
  const std::string pinned =
      PinnedPackagePath(PinnedFolder(dir_ / "runs/1"), hash, uri);
  WriteText(pinned, "then");
  spec_.training_input.package_uris = {uri};
  spec_.vernier.package_sha256 = {{uri, hash}};
  EXPECT_THAT(Find()->packages, ElementsAre(pinned));
}

TEST_F(TrialResourcesTest, AJobsBucketIsItsProjects) {
  project_ = "p1";
  spec_.training_input.job_dir = "gs://fresh/out";
  ASSERT_TRUE(Find().ok());
  EXPECT_EQ(buckets_->PolicyOf("fresh")->project, "p1");
}

TEST_F(TrialResourcesTest, AnotherProjectsBucketsAreNotUsed) {
  ASSERT_TRUE(buckets_->Create("theirs", "p2").ok());
  WriteText(dir_ / "buckets/theirs/x-1.whl", "bytes");
  project_ = "p1";
  spec_.training_input.job_dir = "gs://theirs/out";
  const absl::Status refused = Find().status();
  EXPECT_TRUE(absl::IsPermissionDenied(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("trainingInput.jobDir: bucket theirs is another "));
  EXPECT_FALSE(std::filesystem::exists(dir_ / "buckets/theirs/out"));
  spec_.training_input.job_dir.clear();
  spec_.training_input.package_uris = {"gs://theirs/x-1.whl"};
  EXPECT_THAT(std::string(Find().status().message()),
              HasSubstr("The specified bucket does not exist: theirs"));
  ASSERT_TRUE(buckets_->Share("theirs", "p1", BucketRight::kRead).ok());
  EXPECT_TRUE(Find().ok());
  // What is lent for reading is no place for results.
  spec_.training_input.job_dir = "gs://theirs/out";
  EXPECT_TRUE(absl::IsPermissionDenied(Find().status()));
}

TEST_F(TrialResourcesTest, EachAttemptHasItsOwnAddresses) {
  TrialResourceFinder::Options options;
  options.service = [](const LaunchRequest& request) {
    return ServiceAddresses{"http://127.0.0.1:1/" + request.nonce, "unix:/s",
                            "t" + request.nonce};
  };
  const ServiceAddresses found = Find(std::move(options))->service;
  EXPECT_EQ(found.storage_emulator_host, "http://127.0.0.1:1/nonce");
  EXPECT_EQ(found.grpc_endpoint, "unix:/s");
  EXPECT_EQ(found.attempt_token, "tnonce");
  EXPECT_EQ(Find()->service.storage_emulator_host, "");
}

TEST(InterpreterTableTest, TheRuntimeComesBeforeThePython) {
  InterpreterTable table;
  table.by_runtime["2.11"] = "/opt/tf/bin/python";
  table.by_python["3.7"] = "/usr/bin/python3.7";
  JobSpec spec;
  EXPECT_EQ(ChooseInterpreter(table, spec), "python3");
  spec.training_input.python_version = "3.7";
  EXPECT_EQ(ChooseInterpreter(table, spec), "/usr/bin/python3.7");
  spec.training_input.runtime_version = "1.15";
  EXPECT_EQ(ChooseInterpreter(table, spec), "/usr/bin/python3.7");
  spec.training_input.runtime_version = "2.11";
  EXPECT_EQ(ChooseInterpreter(table, spec), "/opt/tf/bin/python");
}

TEST(InterpreterTableTest, AnEntryIsAVersionAndAnAbsolutePath) {
  const auto entry = ParseInterpreter("3.7=/usr/bin/python3.7");
  ASSERT_TRUE(entry.ok());
  EXPECT_EQ(entry->first, "3.7");
  EXPECT_EQ(entry->second, "/usr/bin/python3.7");
  for (const char* text : {"3.7", "=/usr/bin/python", "3.7=", "3.7=python"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseInterpreter(text).status()))
        << text;
  }
}

}  // namespace
}  // namespace vernier
