// Every bad file in golden/ gives exactly the messages beside it. To accept a
// change of messages, rewrite NAME.expected by hand and read what you write.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "study/job_file/job_parser.h"
#include "tests/study/test_files.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

TEST(JobParserGoldenTest, EveryBadFileGivesItsMessages) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(StudyTestPath("golden"))) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() == ".expected") continue;
    SCOPED_TRACE(path.filename().string());
    ++files;
    ParseJobOptions options;
    options.file_name = path.filename();
    std::vector<SpecError> errors;
    const auto job = ParseJob(ReadText(path), options, &errors);
    ASSERT_FALSE(job.ok());
    EXPECT_EQ(job.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(std::string(job.status().message()) + "\n",
              ReadText(path.string() + ".expected"));
    std::string lines;
    for (const SpecError& error : errors) {
      lines += FormatSpecError(error) + "\n";
    }
    EXPECT_EQ(lines, std::string(job.status().message()) + "\n");
  }
  EXPECT_GE(files, 40) << "golden files are missing";
}

TEST(JobParserGoldenTest, EveryExpectationHasItsFile) {
  for (const auto& entry :
       std::filesystem::directory_iterator(StudyTestPath("golden"))) {
    std::filesystem::path path = entry.path();
    if (path.extension() != ".expected") continue;
    EXPECT_TRUE(std::filesystem::exists(path.replace_extension())) << path;
  }
}

}  // namespace
}  // namespace vernier
