#ifndef VERNIER_TESTS_SUPPORT_TEXT_FILE_H_
#define VERNIER_TESTS_SUPPORT_TEXT_FILE_H_

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace vernier {

/// All bytes of a file; "" if it cannot be read.
inline std::string ReadText(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Writes a file, and makes the folders above it.
inline void WriteText(const std::filesystem::path& path,
                      const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_SUPPORT_TEXT_FILE_H_
