#include "cli/background/web_browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/process_environment.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"

extern char** environ;

namespace vernier {
namespace {

std::string CacheFolder() {
  const std::string cache = EnvironmentVariable("XDG_CACHE_HOME");
  if (!cache.empty()) return cache + "/vernier";
  return EnvironmentVariable("HOME") + "/.cache/vernier";
}

/// Writes the page that leads to `url`. Its path is always the same, so that
/// pages do not accumulate.
absl::StatusOr<std::string> WriteRedirect(const std::string& url) {
  const std::string folder = CacheFolder();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string path = folder + "/sign-in.html";
  ::unlink(path.c_str());
  const UniqueFd file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.is_open()) return absl::ErrnoToStatus(errno, path);
  const std::string text = absl::StrCat(
      "<!doctype html><meta charset=utf-8><meta name=referrer "
      "content=no-referrer><title>Vernier</title><meta http-equiv=refresh "
      "content=\"0;url=",
      url, "\"><a href=\"", url, "\">Open Vernier</a>\n");
  if (::write(file.get(), text.data(), text.size()) !=
      static_cast<ssize_t>(text.size())) {
    return absl::ErrnoToStatus(errno, path);
  }
  return path;
}

}  // namespace

bool HasWebBrowser() {
  return !EnvironmentVariable("BROWSER").empty() ||
         !EnvironmentVariable("DISPLAY").empty() ||
         !EnvironmentVariable("WAYLAND_DISPLAY").empty();
}

absl::Status OpenInBrowser(const std::string& url) {
  VERNIER_ASSIGN_OR_RETURN(std::string page, WriteRedirect(url));
  std::string program = EnvironmentVariable("BROWSER");
  if (program.empty()) program = "xdg-open";
  char* const argv[] = {program.data(), page.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // The output of browsers is of no use here.
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
  }
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, program.c_str(), &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return absl::UnavailableError(
        absl::StrCat("cannot run ", program, " to open a browser"));
  }
  return absl::OkStatus();
}

}  // namespace vernier
