#include "cluster/code/package_pin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cluster/code/local_job_files.h"
#include "cluster/gang/package_installation.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;

// Of "one" and of "two".
constexpr char kOne[] =
    "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
constexpr char kTwo[] =
    "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3";

class PackagePinTest : public ::testing::Test {
 protected:
  PackagePinTest() {
    auto buckets = BucketStore::Open(
        {dir_ / "buckets", {}, [] { return std::string(32, '0'); }}, clock_);
    EXPECT_TRUE(buckets.ok()) << buckets.status();
    buckets_ = *std::move(buckets);
    files_ = std::make_unique<LocalJobFiles>(
        *buckets_, LocalJobFiles::Options{
                       dir_ / "code", dir_ / "runs", dir_ / "secrets", {}, [] {
                         return std::string("0");
                       }});
    for (const char* project : {"p1", "p2"}) {
      EXPECT_TRUE(buckets_->Create(std::string("of-") + project, project).ok());
    }
    WriteText(dir_ / "buckets/of-p1/a-1.whl", "one");
    WriteText(dir_ / "buckets/of-p2/b-1.whl", "two");
    spec_.job_id = "job";
  }

  absl::StatusOr<PinnedPackages> Pin(const std::vector<std::string>& uris,
                                     const std::string& project = "p1") {
    spec_.training_input.package_uris = uris;
    const absl::Status checked = files_->CheckBuckets(spec_, project);
    auto pinned = files_->PinPackages(spec_, project);
    // What is refused is refused before anything is copied, too.
    if (!checked.ok()) {
      EXPECT_EQ(checked.code(), pinned.status().code());
    }
    return pinned;
  }
  bool IsEmpty(const std::string& folder) {
    return !std::filesystem::exists(dir_ / folder) ||
           std::filesystem::is_empty(dir_ / folder);
  }

  const SystemClock clock_{};
  ScratchFolder dir_;
  std::unique_ptr<BucketStore> buckets_;
  std::unique_ptr<LocalJobFiles> files_;
  JobSpec spec_;
};

TEST_F(PackagePinTest, CopiesWhatIsThereAndTellsItsHash) {
  WriteText(dir_ / "b-1.whl", "two");
  const std::string path = dir_ / "b-1.whl";
  const auto pinned = Pin({"gs://of-p1/a-1.whl", path});
  ASSERT_TRUE(pinned.ok()) << pinned.status();
  EXPECT_EQ(pinned->sha256.at("gs://of-p1/a-1.whl"), kOne);
  EXPECT_EQ(pinned->sha256.at(path), kTwo);
  WriteText(dir_ / "buckets/of-p1/a-1.whl", "mallory");
  StudySnapshot job;
  job.run.emplace<JobRun>();
  JobRunOf(job).run_dir = dir_ / "runs/1";
  files_->KeepPackages(*pinned, JobOf(job));
  const std::string folder = PinnedFolder(JobRunOf(job).run_dir);
  EXPECT_EQ(ReadText(PinnedPackagePath(folder, kOne, "a-1.whl")), "one");
  EXPECT_EQ(ReadText(PinnedPackagePath(folder, kTwo, "b-1.whl")), "two");
  EXPECT_TRUE(IsEmpty("code"));
  // Another version of the job has a package of its own beside it.
  const auto again = Pin({"gs://of-p1/a-1.whl", path});
  ASSERT_TRUE(again.ok()) << again.status();
  files_->KeepPackages(*again, JobOf(job));
  const std::string hash = again->sha256.at("gs://of-p1/a-1.whl");
  EXPECT_NE(hash, kOne);
  EXPECT_EQ(ReadText(PinnedPackagePath(folder, hash, "a-1.whl")), "mallory");
  EXPECT_EQ(ReadText(PinnedPackagePath(folder, kOne, "a-1.whl")), "one");
  EXPECT_TRUE(IsEmpty("code"));
  files_->Remove(JobOf(job));
  EXPECT_TRUE(IsEmpty("runs"));
}

TEST_F(PackagePinTest, AnotherProjectsPackageIsNotThere) {
  for (const char* uri :
       {"gs://of-p2/b-1.whl", "gs://absent/b-1.whl", "gs://of-p1/absent.whl",
        "gs://of-p1", "gs://of-p1/../of-p2/b-1.whl", "/nowhere/x.whl",
        "/dev/null", "/"}) {
    const auto pinned = Pin({"gs://of-p1/a-1.whl", uri});
    EXPECT_TRUE(absl::IsInvalidArgument(pinned.status())) << pinned.status();
    EXPECT_THAT(std::string(pinned.status().message()),
                HasSubstr(std::string("trainingInput.packageUris: ") + uri));
    EXPECT_TRUE(IsEmpty("code")) << uri;
  }
  ASSERT_TRUE(buckets_->Share("of-p2", "p1", BucketRight::kRead).ok());
  EXPECT_TRUE(Pin({"gs://of-p2/b-1.whl"}).ok());
}

TEST_F(PackagePinTest, AJobDirIsTheProjectsOrNobodysYet) {
  const auto check = [&](const std::string& job_dir) {
    spec_.training_input.job_dir = job_dir;
    return files_->CheckBuckets(spec_, "p1");
  };
  EXPECT_TRUE(check("gs://of-p1/out").ok());
  EXPECT_TRUE(check("gs://fresh/out").ok());
  EXPECT_FALSE(std::filesystem::exists(dir_ / "buckets/fresh"));
  const absl::Status refused = check("gs://of-p2/out");
  EXPECT_TRUE(absl::IsPermissionDenied(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("trainingInput.jobDir: "));
  ASSERT_TRUE(buckets_->Share("of-p2", "p1", BucketRight::kRead).ok());
  EXPECT_TRUE(absl::IsPermissionDenied(check("gs://of-p2/out")));
  ASSERT_TRUE(buckets_->Share("of-p2", "p1", BucketRight::kWrite).ok());
  EXPECT_TRUE(check("gs://of-p2/out").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(check("gs://of-p1/../of-p2")));
}

// The last look, in the process that installs.
TEST_F(PackagePinTest, OnlyThePinnedBytesAreInstalled) {
  PackageInstallation installation;
  installation.dir = dir_ / "packages";
  installation.python = "/bin/true";
  const std::string path = dir_ / "buckets/of-p1/a-1.whl";
  installation.packages = {{path, "gs://of-p1/a-1.whl", kTwo}};
  absl::Status status = InstallPackages(installation, clock_);
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("gs://of-p1/a-1.whl is not what it was when the job "
                        "was submitted"));
  installation.packages[0].sha256.clear();
  status = InstallPackages(installation, clock_);
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("was not pinned"));
}

}  // namespace
}  // namespace vernier
