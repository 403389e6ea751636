#include "cli/submission/program_check.h"

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/code/missing_code.h"
#include "cluster/in_place_command.h"
#include "cluster/program_search.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& CommandOf(const JobSpec& spec) {
  return spec.vernier.command.empty()
             ? spec.training_input.master.config.container_command
             : spec.vernier.command;
}

/// Returns PATH of the trials' environment; empty if it is not known here.
std::string SearchPath(const ParsedJob& job) {
  const auto secret = job.secrets.find("PATH");
  return secret == job.secrets.end() ? JobVariable(job.spec, "PATH")
                                     : secret->second;
}

/// Returns whether the program is "python", "python3.11" or the like, at any
/// path.
bool IsPython(const std::string& program) {
  constexpr std::string_view kPython = "python";
  const std::string name = fs::path(program).filename();
  return name.rfind(kPython, 0) == 0 &&
         name.find_first_not_of("0123456789.", kPython.size()) ==
             std::string::npos;
}

/// Returns the file that a Python interpreter is told to run; empty if it is
/// told a module, some code, or anything that is not understood here.
std::string PythonScript(const std::vector<std::string>& command) {
  for (std::size_t i = 1; i < command.size(); ++i) {
    const std::string& word = command[i];
    if (word.empty() || word.front() != '-') return word;
    if (word == "-X" || word == "-W") {
      ++i;  // Its value.
      continue;
    }
    // These are single letters without a value, such as -u; -c and -m end the
    // options.
    if (word.find_first_of("cmXW") != std::string::npos || word.size() < 2 ||
        word[1] == '-') {
      return "";
    }
  }
  return "";
}

absl::Status Missing(const std::string& file, const JobSpec& spec,
                     const std::string& working_directory) {
  std::string where = "; the job has no code folder (vernier.codeDir)";
  if (!spec.vernier.code_dir.empty()) {
    where = absl::StrCat(" in the code folder ", spec.vernier.code_dir);
  } else if (!working_directory.empty()) {
    where = absl::StrCat(" in the working directory ", working_directory);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "cannot find \"", file, "\"", where, "; nothing was submitted"));
}

/// Checks a name without a slash.
absl::Status CheckCommand(const std::string& program, const ParsedJob& job,
                          const std::string& folder) {
  const std::string path = SearchPath(job);
  if (path.empty() || !job.spec.training_input.package_uris.empty()) {
    return absl::OkStatus();
  }
  const absl::Status found = FindProgram(program, path, folder).status();
  if (found.ok()) return found;
  std::error_code error;
  const bool is_file_here = fs::is_regular_file(folder + "/" + program, error);
  return absl::InvalidArgumentError(absl::StrCat(
      std::string(found.message()), "; nothing was submitted",
      is_file_here ? absl::StrCat("; the file here is ./", program) : ""));
}

/// Checks a path.
absl::Status CheckExecutable(const std::string& program, const JobSpec& spec,
                             const std::string& folder,
                             const std::string& working_directory) {
  const fs::path file = fs::path(folder) / program;
  std::error_code error;
  if (!fs::exists(file, error)) {
    return file.is_absolute() && program.front() == '/'
               ? absl::InvalidArgumentError(
                     absl::StrCat("there is no program ", program,
                                  "; nothing was submitted"))
               : Missing(program, spec, working_directory);
  }
  const absl::Status found = FindProgram(program, "", folder).status();
  if (found.ok()) return found;
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(found.message()), "; nothing was submitted"));
}

absl::Status CheckIsCopied(const std::string& script,
                           const std::string& folder) {
  const auto left_out = FindLeftOut(folder, script);
  if (!left_out.has_value()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", script, "\" in the code folder ", folder, " would not be copied, ",
      WhyText(*left_out), "; nothing was submitted"));
}

}  // namespace

absl::Status CheckProgram(const ParsedJob& job,
                          const std::string& working_directory) {
  // The program is looked up in the image, by the service.
  if (!job.spec.training_input.master.config.image_uri.empty()) {
    return absl::OkStatus();
  }
  const InPlaceCommand in_place = SplitInPlace(CommandOf(job.spec));
  const std::vector<std::string>& command = in_place.command;
  if (command.empty() || command.front().empty()) return absl::OkStatus();
  const std::string& folder = job.spec.vernier.code_dir;
  std::error_code error;
  // The service reports what is wrong with the folder itself.
  if (!folder.empty() && !fs::is_directory(folder, error)) {
    return absl::OkStatus();
  }
  const bool is_copied = !folder.empty();
  // A trial without code starts in an empty folder of its own.
  std::string looked_in = is_copied ? folder : "/dev/null";
  if (!in_place.folder.empty()) looked_in = in_place.folder;
  const std::string& program = command.front();
  absl::Status found =
      program.find('/') == std::string::npos
          ? CheckCommand(program, job, looked_in)
          : CheckExecutable(program, job.spec, looked_in, working_directory);
  if (!found.ok() || !IsPython(program)) return found;
  const std::string script = PythonScript(command);
  if (script.empty()) return absl::OkStatus();
  if (is_copied) VERNIER_RETURN_IF_ERROR(CheckIsCopied(script, folder));
  return fs::exists(fs::path(looked_in) / script, error)
             ? absl::OkStatus()
             : Missing(script, job.spec, working_directory);
}

}  // namespace vernier
