#include "cluster/code/shared_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Code with the files, by path and bytes, and the folders above them.
CodeSurvey Survey(
    const std::vector<std::pair<std::string, std::int64_t>>& files) {
  CodeSurvey survey;
  for (const auto& [path, bytes] : files) {
    for (std::size_t at = path.find('/'); at != std::string::npos;
         at = path.find('/', at + 1)) {
      const std::string folder = path.substr(0, at);
      if (std::find(survey.folders.begin(), survey.folders.end(), folder) ==
          survey.folders.end()) {
        survey.folders.push_back(folder);
      }
    }
    survey.files.push_back({path, 0600, bytes, {}});
    ++survey.size.files;
    survey.size.bytes += bytes;
  }
  return survey;
}

std::vector<std::string> SharedPaths(const std::vector<SharedEntry>& shared) {
  std::vector<std::string> paths;
  for (const SharedEntry& entry : shared) paths.push_back(entry.path);
  return paths;
}

constexpr OwnCodeLimits kLimits = {100, 10, 5};

TEST(SharedCodeTest, NothingIsSharedOfSmallCode) {
  EXPECT_THAT(SharedEntries(Survey({{"a/b.py", 60}, {"c.py", 40}}), kLimits),
              IsEmpty());
  EXPECT_EQ(SharedCodeNote({}), "");
}

TEST(SharedCodeTest, TheLargestIsSharedUntilTheRestIsSmall) {
  const auto shared = SharedEntries(
      Survey({{"train.py", 50}, {"big.bin", 400}, {"large.bin", 300}}),
      kLimits);
  EXPECT_THAT(SharedPaths(shared), ElementsAre("big.bin", "large.bin"));
  EXPECT_EQ(shared[0].amount.bytes, 400);
}

TEST(SharedCodeTest, AFolderOfManyIsSharedAndOneOfALargeFileIsOpened) {
  EXPECT_THAT(SharedPaths(SharedEntries(Survey({{"data/1", 40},
                                                {"data/2", 40},
                                                {"data/3", 40},
                                                {"logs/.gitkeep", 0}}),
                                        kLimits)),
              ElementsAre("data"));
  EXPECT_THAT(SharedPaths(SharedEntries(
                  Survey({{"p/model/w.bin", 900}, {"p/t.py", 10}}), kLimits)),
              ElementsAre("p/model/w.bin"));
}

TEST(SharedCodeTest, FilesAndFoldersHaveLimits) {
  std::vector<std::pair<std::string, std::int64_t>> files = {{"train.py", 1}};
  for (int i = 0; i < 9; ++i) {
    files.emplace_back("images/" + std::to_string(i), 1);
    files.emplace_back("z" + std::to_string(i), 0);
  }
  EXPECT_THAT(SharedPaths(SharedEntries(Survey(files), kLimits)),
              ElementsAre("images"));
  files.clear();
  for (int i = 0; i < 9; ++i) {
    files.emplace_back("classes/" + std::to_string(i) + "/x", 1);
  }
  const auto shared = SharedEntries(Survey(files), kLimits);
  EXPECT_THAT(SharedPaths(shared), ElementsAre("classes"));
  EXPECT_EQ(shared[0].amount.files, 9);
}

TEST(SharedCodeTest, DoesNotDependOnTheSurveysOrder) {
  std::vector<std::pair<std::string, std::int64_t>> files;
  for (int i = 0; i < 40; ++i) {
    files.emplace_back("f" + std::to_string(i % 4) + "/" + std::to_string(i),
                       i % 3);
  }
  const auto first = SharedPaths(SharedEntries(Survey(files), kLimits));
  std::reverse(files.begin(), files.end());
  EXPECT_EQ(SharedPaths(SharedEntries(Survey(files), kLimits)), first);
}

TEST(SharedCodeTest, TheNoteNamesTheLargest) {
  std::vector<SharedEntry> shared = {
      {"data", EntryKind::kFolder, {3'900, std::int64_t{1288490189}}}};
  EXPECT_EQ(SharedCodeNote(shared),
            "data/ (3,900 files, 1.2 GiB) is shared by all trials, since the "
            "code is too large to be copied for each: what a trial writes "
            "there is seen by the others");
  for (int i = 0; i < 9; ++i) {
    shared.push_back({std::to_string(i), EntryKind::kOther, {1, 12}});
  }
  EXPECT_THAT(SharedCodeNote(shared),
              testing::HasSubstr("3 (12 bytes) and 5 more are shared by"));
}

}  // namespace
}  // namespace vernier
