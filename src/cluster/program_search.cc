#include "cluster/program_search.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace vernier {
namespace {

// Returns 0 if `path` is an executable file, otherwise the errno with the
// reason.
int WhyNotExecutable(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return errno;
  if (S_ISDIR(info.st_mode)) return EISDIR;
  return ::access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

}  // namespace

absl::StatusOr<std::string> FindProgram(const std::string& program,
                                        const std::string& search_path,
                                        const std::string& work_dir) {
  const auto absolute = [&](const std::string& path) {
    return !path.empty() && path.front() == '/' ? path : work_dir + "/" + path;
  };
  if (program.empty()) {
    return absl::InvalidArgumentError("the program's name is empty");
  }
  if (program.find('/') != std::string::npos) {
    const std::string path = absolute(program);
    const int error = WhyNotExecutable(path);
    if (error == 0) return path;
    return absl::ErrnoToStatus(error, "cannot run " + path);
  }
  std::string refused;
  for (std::size_t begin = 0; begin <= search_path.size();) {
    std::size_t end = search_path.find(':', begin);
    if (end == std::string::npos) end = search_path.size();
    std::string entry = search_path.substr(begin, end - begin);
    begin = end + 1;
    if (entry.empty()) entry = work_dir;
    const std::string path = absolute(entry) + "/" + program;
    const int error = WhyNotExecutable(path);
    if (error == 0) return path;
    if (error == EACCES && refused.empty()) refused = path;
  }
  if (!refused.empty()) {
    return absl::ErrnoToStatus(EACCES, "cannot run " + refused);
  }
  return absl::NotFoundError("cannot find the program \"" + program +
                             "\" in PATH=" + search_path);
}

}  // namespace vernier
