#include "cli/background/own_program.h"

#include <unistd.h>

#include <filesystem>

#include "base/small_file.h"

namespace vernier {

std::string OwnProgram() {
  constexpr char kSelf[] = "/proc/self/exe";
  std::error_code error;
  const std::string path = std::filesystem::read_symlink(kSelf, error);
  return !error && ::access(path.c_str(), X_OK) == 0 ? path : kSelf;
}

std::vector<std::string> OwnWords() {
  const std::string text =
      ReadSmallFile("/proc/self/cmdline").value_or(std::string());
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\0', at);
    if (end == std::string::npos) end = text.size();
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (!words.empty()) words.erase(words.begin());
  return words;
}

std::vector<std::string> WithoutFlag(const std::vector<std::string>& words,
                                     const std::string& flag, bool has_value) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == flag) {
      if (has_value) ++i;
    } else if (!has_value || words[i].rfind(flag + "=", 0) != 0) {
      kept.push_back(words[i]);
    }
  }
  return kept;
}

}  // namespace vernier
