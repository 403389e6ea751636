#ifndef VERNIER_TESTS_SUPPORT_SCRATCH_FOLDER_H_
#define VERNIER_TESTS_SUPPORT_SCRATCH_FOLDER_H_

#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace vernier {

/// A folder for one test alone, which is removed with everything in it.
class ScratchFolder {
 public:
  enum class Place {
    kDisk,
    /// In memory where the system has a place for that, because no test cuts
    /// the power, and a sync of a disk that other tests use takes long.
    kMemory,
  };

  explicit ScratchFolder(Place place = Place::kDisk)
      : path_(Parent(place) + "/vernier-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const {
    return path_ + "/" + name;
  }

 private:
  static std::string Parent(Place place) {
    constexpr char kMemoryFolder[] = "/dev/shm";
    const bool in_memory =
        place == Place::kMemory && access(kMemoryFolder, W_OK | X_OK) == 0;
    return in_memory ? kMemoryFolder
                     : std::filesystem::temp_directory_path().string();
  }

  std::string path_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_SUPPORT_SCRATCH_FOLDER_H_
