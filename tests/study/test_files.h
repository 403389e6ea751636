#ifndef VERNIER_TESTS_STUDY_TEST_FILES_H_
#define VERNIER_TESTS_STUDY_TEST_FILES_H_

#include <filesystem>
#include <string>

namespace vernier {

/// Returns the path of a file below tests/study.
inline std::filesystem::path StudyTestPath(const std::string& name) {
  return std::filesystem::path(VERNIER_TESTDATA_DIR) / "study" / name;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_STUDY_TEST_FILES_H_
