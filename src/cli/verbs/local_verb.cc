#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "cli/command/verb.h"
#include "cli/submission/local_train.h"
#include "cli/verbs/verbs.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

struct LocalFlags {
  std::string module_name;
  std::string package_path;
  std::string job_dir;
  bool distributed = false;
  int parameter_servers = 0;
  int workers = 0;
  int evaluators = 0;
  int start_port = 27182;
};

/// Returns "master" if the TensorFlow that Python would import is 1.x, else
/// "chief". Only its version is read, because an import takes seconds.
std::string PrimaryName() {
  constexpr char kAsk[] =
      "python3 -c 'import importlib.metadata as m; "
      "print(m.version(\"tensorflow\"))' 2>/dev/null";
  std::FILE* pipe = popen(kAsk, "re");
  if (pipe == nullptr) return "chief";
  std::array<char, 16> version{};
  const std::size_t n = std::fread(version.data(), 1, 2, pipe);
  pclose(pipe);
  return n == 2 && version[0] == '1' && version[1] == '.' ? "master" : "chief";
}

absl::StatusOr<int> Train(Invocation& invocation, const LocalFlags& flags) {
  LocalTrain train;
  train.module_name = flags.module_name;
  train.job_dir = flags.job_dir;
  train.args = invocation.tail().value_or(std::vector<std::string>());
  std::error_code error;
  fs::path package = fs::current_path(error);
  if (!flags.package_path.empty()) {
    package = fs::absolute(flags.package_path, error).lexically_normal();
    if (!package.has_filename()) package = package.parent_path();
    if (!fs::is_directory(package, error)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--package-path must be a folder: ", flags.package_path));
    }
    package = package.parent_path();
  }
  train.package_parent = package.string();
  train.distributed = flags.distributed;
  if (!flags.distributed && (flags.parameter_servers > 0 || flags.workers > 0 ||
                             flags.evaluators > 0)) {
    return absl::InvalidArgumentError(
        "--parameter-server-count, --worker-count and --evaluator-count need "
        "--distributed");
  }
  // As with gcloud, 0 is the same as not given.
  if (flags.parameter_servers > 0) {
    train.parameter_servers = flags.parameter_servers;
  }
  if (flags.workers > 0) train.workers = flags.workers;
  train.evaluators = flags.evaluators;
  train.start_port = flags.start_port;
  if (flags.distributed) train.primary = PrimaryName();
  return RunLocal(train);
}

}  // namespace

void DeclareLocalVerb(CLI::App& app, Invocation& invocation) {
  CLI::App* local = app.add_subcommand("local", "Run without a service");
  local->require_subcommand(1);
  const Verb<LocalFlags> verb(
      *local, invocation, "train",
      "Run a training module here; what follows -- goes to it");
  LocalFlags& flags = verb.words();
  verb.Needs("--module-name", flags.module_name, "E.g. trainer.task");
  verb->add_option(
      "--package-path", flags.package_path,
      "Folder of the package; its parent is the working directory");
  verb->add_option("--job-dir", flags.job_dir, "Passed on as --job-dir");
  verb->add_flag("--distributed", flags.distributed,
                 "Start several processes that find each other by TF_CONFIG");
  verb->add_option("--parameter-server-count", flags.parameter_servers,
                   "Default 2")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--worker-count", flags.workers, "Default 2")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--evaluator-count", flags.evaluators, "Default 0")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--start-port", flags.start_port, "Default 27182")
      ->check(CLI::Range(1, 65000));
  verb.Does(Flags::kNone, &Train);
}

}  // namespace vernier
