#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/exit_code.h"
#include "cli/job_submission.h"
#include "cli/progress_view.h"
#include "cli/recommendation_line.h"
#include "cli/resource_tables.h"
#include "cli/submit_flags.h"
#include "cli/verbs.h"
#include "server/random_bits.h"
#include "server/stop_signal.h"
#include "study/json.h"
#include "study/status_macros.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLookPeriod{300};
constexpr int kBestAtEnd = 10;

struct RunFlags {
  SubmitFlags submit;  ///< config and job_dir only.
  std::string name;
  std::optional<int> max_trials;
  std::optional<int> max_parallel_trials;
  bool no_copy = false;
};

/// "digits-ddp.v2.yaml" -> "digits_ddp_v2": a name that the same file gives
/// every time, so that running it again goes on with the same job.
std::string NameFromFile(const std::string& file) {
  std::string name = fs::path(file).stem().string();
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  if (name.empty() || !std::isalpha(static_cast<unsigned char>(name.front()))) {
    name.insert(0, "job_");
  }
  return name.substr(0, 128);
}

/// Where `word` lies if it names something below the working directory.
std::optional<fs::path> FileBelowHere(const std::string& word) {
  std::error_code error;
  if (word.empty() || word.front() == '/' || word.front() == '-') {
    return std::nullopt;
  }
  const fs::path path = fs::path(word).lexically_normal();
  if (path.empty() || *path.begin() == "..") return std::nullopt;
  // A bare command such as "python3" is not meant to be a file here.
  if (!fs::exists(path, error)) return std::nullopt;
  return path;
}

/// Replaces a file's relative names so that they hold in any folder.
std::vector<std::string> WithAbsoluteNames(std::vector<std::string> program) {
  for (std::string& word : program) {
    if (FileBelowHere(word).has_value()) {
      word = fs::absolute(word).lexically_normal().string();
    }
  }
  return program;
}

/// A bare command is looked up here: the service may have another PATH.
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

void AddProgram(const RunFlags& flags, std::vector<std::string> program,
                bool file_has_code_dir, std::vector<FieldOverride>* overrides) {
  bool names_files = false;
  for (const std::string& word : program) {
    names_files = names_files || FileBelowHere(word).has_value();
  }
  if (flags.no_copy) {
    program = WithAbsoluteNames(std::move(program));
    overrides->push_back({{"vernier", "codeDir"}, "\"\"", "--no-copy"});
  } else if (names_files && !file_has_code_dir) {
    overrides->push_back({{"vernier", "codeDir"},
                          DumpJson(Json(fs::current_path().string())),
                          "the working directory"});
  }
  program.front() = ResolveCommand(program.front());
  overrides->push_back(
      {{"vernier", "command"}, DumpJson(Json(program)), "program after --"});
}

absl::StatusOr<ParsedJob> MergeRun(const RunFlags& flags,
                                   const Invocation& invocation) {
  const std::string file = flags.submit.config.value_or("");
  std::string text;
  if (!file.empty()) {
    VERNIER_ASSIGN_OR_RETURN(text, ReadJobFile(file));
  }
  ParseJobOptions options;
  options.file_name = file;
  options.require_job_id = false;
  VERNIER_ASSIGN_OR_RETURN(const ParsedJob in_file,
                           ParseJobWithOverrides(text, options, {}));
  std::string name = flags.name.empty() ? in_file.spec.job_id : flags.name;
  if (name.empty()) name = NameFromFile(file);
  VERNIER_ASSIGN_OR_RETURN(std::vector<FieldOverride> overrides,
                           OverridesOf(flags.submit, name, std::nullopt));
  const std::vector<std::string> tuning = {"trainingInput", "hyperparameters"};
  if (flags.max_trials.has_value()) {
    overrides.push_back({{tuning[0], tuning[1], "maxTrials"},
                         absl::StrCat(*flags.max_trials),
                         "--max-trials"});
  }
  if (flags.max_parallel_trials.has_value()) {
    overrides.push_back({{tuning[0], tuning[1], "maxParallelTrials"},
                         absl::StrCat(*flags.max_parallel_trials),
                         "--max-parallel-trials"});
  }
  if (invocation.tail().has_value() && !invocation.tail()->empty()) {
    AddProgram(flags, *invocation.tail(),
               !in_file.spec.vernier.code_dir.empty(), &overrides);
  }
  return MergeJob(text, file, std::move(overrides));
}

/// What makes two submissions the same search.
Json SearchOf(const Json& job) {
  const Json tuning = job.value("trainingInput", Json::object())
                          .value("hyperparameters", Json::object());
  Json search = Json::object();
  for (const char* key : {"goal", "hyperparameterMetricTag", "params"}) {
    search[key] = tuning.value(key, Json());
  }
  return search;
}

absl::Status CheckSameSearch(const Json& stored, const ParsedJob& job) {
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           JobClient::NormalizeJob(job.json));
  VERNIER_ASSIGN_OR_RETURN(const Json given, ParseJson(text));
  const Json before = SearchOf(stored);
  const Json now = SearchOf(given);
  for (const auto& [key, value] : now.items()) {
    if (before.at(key) == value) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "job ", job.spec.job_id, " exists and searches another space: ", key,
        " was ", DumpJson(before.at(key)), " and is ", DumpJson(value),
        "; give the new search another --name"));
  }
  return absl::OkStatus();
}

enum class Start {
  kNew,      ///< The job was submitted now.
  kTakenUp,  ///< It was there and runs, or goes on.
  kOver,     ///< It had succeeded before.
};

/// Makes the job exist and run.
absl::StatusOr<Start> StartOrGoOn(JobClient& client, const ParsedJob& job) {
  const std::string& name = job.spec.job_id;
  const absl::StatusOr<std::string> stored = client.GetJobWithoutTrials(name);
  if (absl::IsNotFound(stored.status())) {
    const absl::Status created =
        client.CreateJob(job.json, RandomHex()).status();
    if (absl::IsResourceExhausted(created) &&
        !job.spec.vernier.code_dir.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          std::string(created.message()),
          "; give vernier.codeDir a smaller folder, or --no-copy to run in "
          "place"));
    }
    VERNIER_RETURN_IF_ERROR(created);
    NoteIgnoredFields(job);
    std::fprintf(stderr, "vernier: job %s submitted\n", name.c_str());
    return Start::kNew;
  }
  VERNIER_RETURN_IF_ERROR(stored.status());
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(*stored));
  VERNIER_RETURN_IF_ERROR(CheckSameSearch(document, job));
  const std::string state = document.value("state", "");
  const bool is_paused =
      document.value("vernier", Json::object()).value("wanted", "") == "PAUSE";
  if (state == "SUCCEEDED") {
    std::fprintf(stderr,
                 "vernier: job %s has succeeded; for more trials: vernier jobs "
                 "extend %s --max-trials N\n",
                 name.c_str(), name.c_str());
    return Start::kOver;
  }
  if (is_paused || state == "FAILED" || state == "CANCELLED") {
    VERNIER_RETURN_IF_ERROR(client.ResumeJob(name).status());
    std::fprintf(stderr, "vernier: job %s goes on\n", name.c_str());
  } else {
    std::fprintf(stderr, "vernier: job %s runs; following it\n", name.c_str());
  }
  return Start::kTakenUp;
}

/// The live part of the screen. Prints plain lines if there is no terminal.
class Screen {
 public:
  Screen() : is_terminal_(isatty(STDOUT_FILENO) == 1) {}

  void Print(const std::vector<std::string>& lines) {
    Clear();
    for (const std::string& line : lines) std::printf("%s\n", line.c_str());
  }
  void Draw(const ProgressView& view, std::chrono::seconds elapsed) {
    if (is_terminal_) {
      winsize size{};
      const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
      const std::size_t width =
          known && size.ws_col > 10 ? size.ws_col - 1u : 79u;
      const auto lines = view.Lines(elapsed, width);
      Clear();
      for (const std::string& line : lines) std::printf("%s\n", line.c_str());
      drawn_ = lines.size();
    }
    std::fflush(stdout);
  }
  void Clear() {
    if (drawn_ > 0) std::printf("\033[%zuA\033[J", drawn_);
    drawn_ = 0;
  }

 private:
  const bool is_terminal_;
  std::size_t drawn_ = 0;  // Lines that the next drawing replaces.
};

absl::Status Look(JobClient& client, const std::string& name,
                  ProgressView* view, std::vector<std::string>* ended) {
  VERNIER_ASSIGN_OR_RETURN(const std::string job,
                           client.GetJobWithoutTrials(name));
  VERNIER_RETURN_IF_ERROR(view->TakeJob(job));
  TrialListQuery query;
  query.job_id = name;
  query.filter = absl::StrCat("trial>=", view->first_open());
  VERNIER_ASSIGN_OR_RETURN(const std::string trials, client.ListTrials(query));
  return view->TakeTrials(trials, ended);
}

/// Follows until the job is final or paused with nothing running, or Ctrl-C.
/// Returns false in the last case. Trials that had ended before are counted
/// only, unless the job is new.
absl::StatusOr<bool> Follow(JobClient& client, const std::string& name,
                            Start start_kind, ProgressView* view) {
  StopSignal interrupted;
  Screen screen;
  const auto start = std::chrono::steady_clock::now();
  bool prints_ends = start_kind == Start::kNew;
  while (true) {
    std::vector<std::string> ended;
    VERNIER_RETURN_IF_ERROR(Look(client, name, view, &ended));
    if (prints_ends && !ended.empty()) screen.Print(ended);
    prints_ends = true;
    if (view->is_final() || (view->is_paused() && view->is_quiet())) {
      screen.Clear();
      return true;
    }
    screen.Draw(*view, std::chrono::duration_cast<std::chrono::seconds>(
                           std::chrono::steady_clock::now() - start));
    if (interrupted.WaitFor(kLookPeriod)) {
      screen.Clear();
      std::fflush(stdout);
      return false;
    }
  }
}

absl::Status PrintBest(const Invocation& invocation, JobClient& client,
                       const std::string& name) {
  TrialListQuery query;
  query.job_id = name;
  query.filter = "objective:* AND cause:*";
  query.sort = "best";
  query.limit = kBestAtEnd;
  VERNIER_ASSIGN_OR_RETURN(const std::string answer, client.ListTrials(query));
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(answer));
  const Json trials = document.value("trials", Json::array());
  const std::string list = DumpJson(trials);
  if (trials.empty() && invocation.wants_table()) {
    std::printf("No trial has a value.\n");
    return absl::OkStatus();
  }
  if (invocation.wants_table())
    std::printf("\nBest trials of %s:\n", name.c_str());
  VERNIER_RETURN_IF_ERROR(invocation.Print(
      list,
      TrialTable(list, TrialFiles::kWith,
                 invocation.wants_table() ? Digits::kFew : Digits::kAll)));
  if (invocation.wants_table()) {
    std::printf("%s", RecommendationLine(client, name).c_str());
  }
  return absl::OkStatus();
}

absl::StatusOr<int> Run(Invocation& invocation, const RunFlags& flags) {
  if (!flags.submit.config.has_value()) {
    return absl::InvalidArgumentError(
        "run needs --config FILE, e.g. vernier run --config study.yaml -- "
        "python3 train.py");
  }
  VERNIER_ASSIGN_OR_RETURN(const ParsedJob job, MergeRun(flags, invocation));
  const std::string& name = job.spec.job_id;
  VERNIER_ASSIGN_OR_RETURN(JobClient * client, invocation.Client());
  VERNIER_ASSIGN_OR_RETURN(const Start start, StartOrGoOn(*client, job));

  ProgressView view;
  VERNIER_ASSIGN_OR_RETURN(const bool followed,
                           Follow(*client, name, start, &view));
  if (!followed) {
    std::fprintf(stderr,
                 "\nvernier: detached; job %s goes on. To follow it again, run "
                 "the same command; to stop it: vernier jobs cancel %s%s\n",
                 name.c_str(), name.c_str(),
                 invocation.FlagsForHints().c_str());
    return kExitDetached;
  }
  VERNIER_RETURN_IF_ERROR(PrintBest(invocation, *client, name));
  if (view.state() == "SUCCEEDED") return kExitDone;
  std::fprintf(
      stderr, "vernier: job %s: %s%s%s\n", name.c_str(),
      view.is_paused() && !view.is_final() ? "paused" : view.state().c_str(),
      view.error_message().empty() ? "" : ": ", view.error_message().c_str());
  return kExitJobFailed;
}

}  // namespace

void DeclareRunVerb(CLI::App& app, Invocation& invocation) {
  CLI::App* verb = app.add_subcommand(
      "run", "Submit a job and follow it; what follows -- is the program");
  auto flags = std::make_shared<RunFlags>();
  verb->add_option("-c,--config", flags->submit.config,
                   "Job file, YAML or JSON");
  verb->add_option(
      "--name", flags->name,
      "Name of the job (default: the file's jobId, else its name)");
  verb->add_option("--job-dir", flags->submit.job_dir,
                   "Folder for what the trials write; each gets DIR/TRIAL");
  verb->add_option("--max-trials", flags->max_trials, "Instead of the file's");
  verb->add_option("--max-parallel-trials", flags->max_parallel_trials,
                   "Instead of the file's");
  verb->add_option("--labels", flags->submit.labels, "KEY=VALUE,...");
  verb->add_flag("--no-copy", flags->no_copy,
                 "Run the program in place instead of a copy of its folder");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, flags] {
    invocation.set_action(
        [&invocation, flags] { return Run(invocation, *flags); });
  });
}

}  // namespace vernier
