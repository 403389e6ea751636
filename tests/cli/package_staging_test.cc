#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/submission/job_submission.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class PackageStagingTest : public testing::Test {
 protected:
  PackageStagingTest() {
    for (const char* file :
         {"trainer/__init__.py", "trainer/task.py", "constants/__init__.py",
          "constants/names.py", "helper.py", "data/large.csv", "README.md"}) {
      fs::create_directories(fs::path(project_ / file).parent_path());
      WriteText(project_ / file, file);
    }
  }

  /// The files of the copy, in order.
  std::vector<std::string> Staged() const {
    const auto staging = PackageStaging::Create(project_ / "trainer");
    EXPECT_TRUE(staging.ok()) << staging.status();
    std::vector<std::string> files;
    if (!staging.ok()) return files;
    for (const auto& entry :
         fs::recursive_directory_iterator(staging->folder())) {
      if (entry.is_regular_file()) {
        files.push_back(fs::relative(entry.path(), staging->folder()).string());
      }
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  const ScratchFolder project_;
};

TEST_F(PackageStagingTest, CopiesThePackageAlone) {
  EXPECT_THAT(Staged(), ElementsAre("trainer/__init__.py", "trainer/task.py"));
}

TEST_F(PackageStagingTest, CopiesWhatASetupPyWouldPack) {
  WriteText(project_ / "setup.py", "from setuptools import setup\n");
  WriteText(project_ / "setup.cfg", "");
  EXPECT_THAT(Staged(),
              ElementsAre("constants/__init__.py", "constants/names.py",
                          "helper.py", "setup.cfg", "setup.py",
                          "trainer/__init__.py", "trainer/task.py"));
}

TEST_F(PackageStagingTest, APackageThatIsNotThereIsAnError) {
  EXPECT_EQ(PackageStaging::Create(project_ / "gone").status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace vernier
