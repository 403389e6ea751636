#include "cli/submission/run_submission.h"

#include <unistd.h>

#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/submission/named_files.h"
#include "cli/submission/program_check.h"
#include "cluster/in_place_command.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

/// Converts "digits-ddp.v2.yaml" to "digits-ddp_v2". The same file always gives
/// the same name, so that running it again continues the same job.
std::string NameFromFile(const std::string& file) {
  std::string name = fs::path(file).stem().string();
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  }
  if (name.empty() || !std::isalpha(static_cast<unsigned char>(name.front()))) {
    name.insert(0, "job_");
  }
  return name.substr(0, 128);
}

/// Returns "train" for `python3 -u train.py`: the first file below the working
/// directory that the program after -- names, else the program.
std::string NameOfProgram(const Invocation& invocation) {
  const auto words =
      invocation.tail().value_or(std::vector<std::string>{"study"});
  for (const std::string& word : words) {
    if (IsFileBelow(fs::current_path(), word)) return NameFromFile(word);
  }
  return NameFromFile(words.empty() ? "study" : words.front());
}

/// Gives files that are not copied their full names: files outside the working
/// directory, and those in a virtual environment, which works only at its own
/// place.
std::string WithFullName(const std::string& word) {
  const fs::path path = fs::path(word).lexically_normal();
  std::error_code error;
  if (word.empty() || path.is_absolute() || !fs::exists(path, error)) {
    return word;
  }
  bool is_elsewhere = *path.begin() == "..";
  for (fs::path folder = path.parent_path(); !folder.empty();
       folder = folder.parent_path()) {
    is_elsewhere |= fs::exists(folder / "pyvenv.cfg", error);
  }
  return is_elsewhere ? fs::absolute(path).lexically_normal().string() : word;
}

/// A bare command is looked up here, because the service may have another PATH.
std::string ResolveCommand(const std::string& command) {
  if (command.find('/') != std::string::npos) return command;
  const char* path = std::getenv("PATH");
  std::string rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string folder = rest.substr(0, colon);
    std::string candidate = absl::StrCat(folder, "/", command);
    if (!folder.empty() && folder.front() == '/' &&
        access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate)) {
      return candidate;
    }
    if (colon == std::string::npos) break;
    rest.erase(0, colon + 1);
  }
  return command;
}

/// Returns whether the file names a program. The parser reports an image
/// without one.
bool HasProgram(const JobSpec& spec) {
  const ReplicaConfig& master = spec.training_input.master.config;
  return !spec.vernier.command.empty() || !master.container_command.empty() ||
         !master.image_uri.empty() ||
         !spec.training_input.python_module.empty();
}

/// Returns the folder in which a program runs that is not copied: the file's
/// code folder, else the working directory.
std::string FolderInPlace(const JobSpec& in_file, const std::string& file) {
  const std::string& code_dir = in_file.vernier.code_dir;
  const fs::path folder =
      code_dir.empty() ? fs::path() : fs::path(file).parent_path() / code_dir;
  return fs::absolute(folder.empty() ? fs::current_path() : folder)
      .lexically_normal();
}

/// Lets the program, or else that of the file, run where its code is.
absl::Status RunInPlace(const JobSpec& in_file, const std::string& file,
                        std::vector<std::string> program,
                        std::vector<FieldOverride>* overrides) {
  if (program.empty()) program = in_file.vernier.command;
  if (program.empty()) {
    return absl::InvalidArgumentError(
        "--no-copy needs a program after --, or vernier.command in the file");
  }
  overrides->push_back({{"vernier", "codeDir"}, "\"\"", "--no-copy"});
  overrides->push_back({{"vernier", "command"},
                        DumpJson(Json(CommandInFolder(
                            FolderInPlace(in_file, file), std::move(program)))),
                        "--no-copy"});
  return absl::OkStatus();
}

absl::Status AddProgram(const RunFlags& flags, std::vector<std::string> program,
                        const JobSpec& in_file,
                        std::vector<FieldOverride>* overrides) {
  for (std::string& word : program) word = WithFullName(word);
  const bool names_files = NamesFilesBelow(fs::current_path(), program);
  if (!program.empty()) program.front() = ResolveCommand(program.front());
  if (flags.no_copy) {
    return RunInPlace(in_file, flags.submit.config.value_or(""),
                      std::move(program), overrides);
  }
  if (program.empty()) return absl::OkStatus();
  if (names_files && in_file.vernier.code_dir.empty()) {
    overrides->push_back({{"vernier", "codeDir"},
                          DumpJson(Json(fs::current_path().string())),
                          "the working directory"});
  }
  overrides->push_back(
      {{"vernier", "command"}, DumpJson(Json(program)), "program after --"});
  return absl::OkStatus();
}

/// Applies the flags' trial counts. If the flags give fewer trials than the
/// file, the number of parallel trials is limited to that.
void AddTrialCounts(const RunFlags& flags, const JobSpec& in_file,
                    std::vector<FieldOverride>* overrides) {
  const auto add = [overrides](const char* field, int count, const char* flag) {
    overrides->push_back({{"trainingInput", "hyperparameters", field},
                          absl::StrCat(count),
                          flag});
  };
  if (flags.max_trials.has_value()) {
    add("maxTrials", *flags.max_trials, "--max-trials");
  }
  const auto& search = in_file.training_input.hyperparameters;
  if (flags.max_parallel_trials.has_value()) {
    add("maxParallelTrials", *flags.max_parallel_trials,
        "--max-parallel-trials");
  } else if (flags.max_trials.has_value() && search.has_value() &&
             search->max_parallel_trials > *flags.max_trials) {
    add("maxParallelTrials", *flags.max_trials, "--max-trials");
  }
}

/// Adds a rule on failures that suits a watching user, if the file has none; AI
/// Platform's rule would end the job at its first failed trial.
void AddFailureRule(const JobSpec& in_file,
                    std::vector<FieldOverride>* overrides) {
  const auto& tuning = in_file.training_input.hyperparameters;
  if (!tuning.has_value() || tuning->max_failed_trials > 0 ||
      in_file.vernier.max_consecutive_failures.has_value()) {
    return;
  }
  overrides->push_back({{"vernier", "maxConsecutiveFailures"},
                        absl::StrCat(kMaxConsecutiveFailures),
                        "vernier run"});
}

}  // namespace

absl::StatusOr<ParsedJob> MergeRun(const RunFlags& flags,
                                   const std::string& study_text,
                                   const Invocation& invocation) {
  const std::string file = flags.submit.config.value_or("");
  std::string text = study_text;
  if (!file.empty()) {
    VERNIER_ASSIGN_OR_RETURN(text, ReadJobFile(file));
    VERNIER_RETURN_IF_ERROR(CheckHasContent(text, file));
  }
  const JobDocument document = study_text.empty()
                                   ? DocumentOfFile(text, file)
                                   : JobDocument(text, "the study above");
  VERNIER_ASSIGN_OR_RETURN(const ParsedJob in_file,
                           document.ToJob(JobCompleteness::kMayBeAdded));
  std::string name = flags.name.empty() ? in_file.spec.job_id : flags.name;
  if (name.empty() && file == kStandardInput) {
    return absl::InvalidArgumentError(
        "a job on standard input has no file's name: give --name, or jobId in "
        "it");
  }
  if (name.empty() && file.empty()) name = NameOfProgram(invocation);
  if (name.empty()) name = NameFromFile(file);
  const bool has_program =
      invocation.tail().has_value() && !invocation.tail()->empty();
  if (!has_program && !HasProgram(in_file.spec)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there is no program to run: put it after --, as in vernier run "
        "--config ",
        file,
        " -- python3 train.py, or give the file `run`, or vernier.command"
        " with trainingInput"));
  }
  VERNIER_ASSIGN_OR_RETURN(std::vector<FieldOverride> overrides,
                           OverridesOf(flags.submit, name, std::nullopt));
  AddTrialCounts(flags, in_file.spec, &overrides);
  AddFailureRule(in_file.spec, &overrides);
  VERNIER_RETURN_IF_ERROR(
      AddProgram(flags, invocation.tail().value_or(std::vector<std::string>()),
                 in_file.spec, &overrides));
  const Caller caller = Caller::ThisProcess(invocation.SpeaksToOwnService());
  VERNIER_ASSIGN_OR_RETURN(
      ParsedJob job, MergeWithEnvironment(document, std::move(overrides),
                                          flags.submit.environment, caller));
  if (caller.is_local) {
    VERNIER_RETURN_IF_ERROR(
        CheckProgram(job, has_program ? caller.folder : ""));
  }
  return job;
}

}  // namespace vernier
