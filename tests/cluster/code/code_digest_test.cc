#include "cluster/code/code_digest.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

#include "base/clock.h"
#include "cluster/code/code_snapshot.h"
#include "cluster/code/local_job_files.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

class CodeDigestTest : public testing::Test {
 protected:
  CodeDigestTest() {
    WriteText(source_ / "train.py", "print(1)\n");
    WriteText(source_ / "pkg/model.py", "model\n");
    fs::create_symlink("../train.py", source_ / "pkg/link.py");
  }
  std::string Digest() { return DigestOf(source_.path()); }
  static std::string DigestOf(const std::string& dir) {
    const auto digest = DigestCodeFolder(dir, {});
    EXPECT_TRUE(digest.ok()) << digest.status();
    return digest.value_or("");
  }

  const ScratchFolder source_;
  const ScratchFolder data_;
  const SystemClock clock_{};
  const std::unique_ptr<BucketStore> buckets_ =
      BucketStore::Open(
          {data_ / "buckets", {}, [] { return std::string(32, '0'); }}, clock_)
          .value();
};

TEST_F(CodeDigestTest, ACopyHasTheDigestOfItsSource) {
  const std::string copy = data_ / "code/7";
  ASSERT_TRUE(SnapshotCode(source_.path(), copy).ok());
  EXPECT_EQ(Digest().size(), 32u);
  EXPECT_EQ(DigestOf(copy), Digest());
  WriteText(source_ / ".git/HEAD", "x");
  WriteText(source_ / "pkg/__pycache__/model.pyc", "x");
  EXPECT_EQ(DigestOf(copy), Digest()) << "it is not copied, either";
}

TEST_F(CodeDigestTest, EveryDifferenceIsOne) {
  std::string before = Digest();
  const auto changes = [&](const char* what) {
    const std::string now = Digest();
    EXPECT_NE(now, before) << what;
    before = now;
  };
  WriteText(source_ / "train.py", "print(2)\n");
  changes("content of the same length");
  fs::rename(source_ / "train.py", source_ / "Train.py");
  changes("a name");
  fs::permissions(source_ / "Train.py", fs::perms::owner_all);
  changes("it may be executed now");
  fs::create_directory(source_ / "empty");
  changes("a folder");
  fs::remove(source_ / "pkg/link.py");
  fs::create_symlink("model.py", source_ / "pkg/link.py");
  changes("where a link leads");
  fs::remove(source_ / "pkg/link.py");
  changes("a link less");
}

TEST_F(CodeDigestTest, KeepsToTheLimitsOfASnapshot) {
  CodeSnapshotOptions options;
  options.max_files = 2;
  EXPECT_FALSE(DigestCodeFolder(source_.path(), options).ok());
  EXPECT_FALSE(DigestCodeFolder(source_ / "absent", {}).ok());
}

TEST_F(CodeDigestTest, PackagesCountByTheirContent) {
  LocalJobFiles::Options options{
      data_ / "code", data_ / "runs", data_ / "secrets", {}, {}};
  options.find_package =
      [&](const std::string& uri) -> absl::StatusOr<std::string> {
    return data_ / uri.substr(5);
  };
  LocalJobFiles files(*buckets_, options);
  EXPECT_EQ(files.DigestCode("", "", {}).value(), "");
  const std::string package = data_ / "a.tar.gz";
  const std::vector<std::string> uris = {"gs://a.tar.gz", package};
  const std::string absent = files.DigestCode("", "", uris).value();
  WriteText(package, "one");
  const std::string one = files.DigestCode("", "", uris).value();
  EXPECT_NE(one, absent);
  EXPECT_EQ(files.DigestCode("", "", uris).value(), one);
  EXPECT_NE(files.DigestCode("", "", {package}).value(), one);
  EXPECT_NE(files.DigestCode(source_.path(), "", uris).value(), one);
  WriteText(package, "two");
  EXPECT_NE(files.DigestCode("", "", uris).value(), one);
}

TEST_F(CodeDigestTest, UnusedCopiesAreSwept) {
  int copies = 0;
  LocalJobFiles files(
      *buckets_, {data_ / "code", data_ / "runs", data_ / "secrets", {}, [&] {
                    return std::to_string(++copies);
                  }});
  const std::string kept = files.PinCode("a", source_.path(), "").value().dir;
  const std::string orphan = files.PinCode("a", source_.path(), "").value().dir;
  EXPECT_EQ(files.DigestCode(kept, "", {}).value(),
            files.DigestCode(source_.path(), "", {}).value());
  // However the way there is written.
  files.SweepCode({"/another/way" + kept.substr(kept.rfind('/'))});
  EXPECT_TRUE(fs::exists(kept));
  EXPECT_FALSE(fs::exists(orphan));
  StudySnapshot job;
  job.run.emplace<JobRun>();
  auto earlier = std::make_shared<JobVersion>();
  earlier->code_dir = kept;
  JobRunOf(job).earlier_versions = {earlier};
  files.Remove(JobOf(job));
  EXPECT_FALSE(fs::exists(kept)) << "of an earlier version";
}

}  // namespace
}  // namespace vernier
