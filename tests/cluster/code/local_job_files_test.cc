#include "cluster/code/local_job_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>

#include "base/clock.h"
#include "cluster/secret_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;
using Variables = std::map<std::string, std::string>;

class LocalJobFilesTest : public testing::Test {
 protected:
  const ScratchFolder dir_;
  const SystemClock clock_{};
  const std::unique_ptr<BucketStore> buckets_ =
      BucketStore::Open(
          {dir_ / "buckets", {}, [] { return std::string(32, '0'); }}, clock_)
          .value();
  LocalJobFiles files_{
      *buckets_,
      {dir_ / "code", dir_ / "runs", dir_ / "secrets", CodeSnapshotOptions(),
       [] { return std::string("suffix"); }}};
};

TEST_F(LocalJobFilesTest, KeepsSecretsForTheUserOnly) {
  const Variables secrets = {{"KEY", "it's a canary"}, {"OTHER", "two\nlines"}};
  const auto kept = files_.KeepSecrets("job", "", secrets, "");
  ASSERT_TRUE(kept.ok()) << kept.status();
  EXPECT_TRUE(kept->is_new);
  EXPECT_EQ(*ReadSecretFile(kept->file), secrets);
  struct stat info;
  ASSERT_EQ(::stat(kept->file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
  ASSERT_EQ(::stat((dir_ / "secrets").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0700u);
  files_.DropSecrets(kept->file);
  EXPECT_TRUE(absl::IsNotFound(ReadSecretFile(kept->file).status()));
}

TEST_F(LocalJobFilesTest, ARepeatedRequestKeepsItsSecrets) {
  const auto first = files_.KeepSecrets("job", "id", {{"KEY", "1"}}, "");
  const auto again = files_.KeepSecrets("job", "id", {{"KEY", "1"}}, "");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->file, first->file);
  EXPECT_FALSE(again->is_new);
  const auto other = files_.KeepSecrets("job", "id", {{"KEY", "2"}}, "");
  EXPECT_TRUE(absl::IsInvalidArgument(other.status())) << other.status();
  EXPECT_EQ(ReadSecretFile(first->file)->at("KEY"), "1");
}

TEST_F(LocalJobFilesTest, WhatIsTheSameStaysWhereItIs) {
  const std::string first =
      files_.KeepSecrets("j", "1", {{"K", "1"}}, "")->file;
  EXPECT_EQ(files_.KeepSecrets("j", "2", {{"K", "1"}}, first)->file, first);
  EXPECT_NE(files_.KeepSecrets("j", "3", {{"K", "2"}}, first)->file, first);
}

TEST_F(LocalJobFilesTest, RemovesSecretsThatNoJobHas) {
  const std::string used = files_.KeepSecrets("a", "1", {{"K", "1"}}, "")->file;
  const std::string left = files_.KeepSecrets("b", "2", {{"K", "1"}}, "")->file;
  files_.SweepSecrets({used});
  EXPECT_TRUE(fs::exists(used));
  EXPECT_FALSE(fs::exists(left));
  files_.DropSecrets(dir_ / "runs");  // Not its own.
}

TEST_F(LocalJobFilesTest, ChecksOutputFoldersAndLeavesNothing) {
  EXPECT_TRUE(files_.CheckOutputFolder(dir_ / "out/deep/er/").ok());
  EXPECT_FALSE(fs::exists(dir_ / "out"));
  fs::create_directory(dir_ / "there");
  EXPECT_TRUE(files_.CheckOutputFolder(dir_ / "there").ok());
  EXPECT_TRUE(fs::is_empty(dir_ / "there"));
  WriteText(dir_ / "file", "x");
  for (const std::string& path :
       {dir_ / "file", dir_ / "file/below", std::string("/etc/passwd"),
        std::string("/proc/nosuch"), std::string("/proc/nosuch/deeper")}) {
    const absl::Status refused = files_.CheckOutputFolder(path);
    EXPECT_FALSE(refused.ok()) << path;
  }
}

TEST_F(LocalJobFilesTest, EachRefusalToPinNamesTheWayWithout) {
  WriteText(dir_ / "large/weights.bin", "");
  fs::resize_file(dir_ / "large/weights.bin", std::uintmax_t{1} << 40);
  for (const std::string& source : {dir_ / "missing", dir_ / "large"}) {
    const auto refused = files_.PinCode("job", source, "");
    EXPECT_TRUE(absl::IsInvalidArgument(refused.status()));
    EXPECT_NE(std::string(refused.status().message()).find("--no-copy"),
              std::string::npos)
        << refused.status();
  }
  EXPECT_TRUE(files_.CopiesUnderWay().empty());
}

TEST_F(LocalJobFilesTest, CodeIsNotWhatBelongsToTheService) {
  const ScratchFolder code;
  EXPECT_TRUE(files_.CheckCodeFolder(code.path()).ok());
  EXPECT_TRUE(
      absl::IsInvalidArgument(files_.CheckCodeFolder(code / "missing")));
  fs::create_directories(dir_ / "secrets/deeper");
  fs::create_symlink(dir_ / "secrets", code / "link");
  for (const std::string& folder :
       {dir_ / "secrets", dir_ / "secrets/deeper", code / "link",
        code / "link/deeper", dir_ / "secrets/absent",
        dir_ / "code/../secrets/"}) {
    const absl::Status refused = files_.CheckCodeFolder(folder);
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << folder;
    EXPECT_NE(std::string(refused.message()).find("data directory"),
              std::string::npos)
        << refused;
  }
}

TEST_F(LocalJobFilesTest, APackageIsNotWhatBelongsToTheService) {
  WriteText(dir_ / "secrets/other-job", "KEY=value");
  JobSpec spec;
  spec.training_input.package_uris = {dir_ / "secrets/other-job"};
  EXPECT_TRUE(absl::IsInvalidArgument(files_.CheckBuckets(spec, "p")));
}

}  // namespace
}  // namespace vernier
