#ifndef VERNIER_TESTS_STORE_TEMPORARY_FOLDER_H_
#define VERNIER_TESTS_STORE_TEMPORARY_FOLDER_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace vernier {

/// A folder of its own for one test, removed with all it holds. In memory where
/// the system has a place for that: no test cuts the power, and a sync of a
/// disk that other tests use takes long.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(Parent() + "/vernier_store_XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string database() const { return path_ + "/vernier.db"; }

 private:
  static std::string Parent() {
    return access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm"
                                                : testing::TempDir();
  }

  std::string path_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_STORE_TEMPORARY_FOLDER_H_
