#include "cluster/slurm/job_submission.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cluster/slurm/gang_files.h"
#include "cluster/slurm/job_identity.h"

namespace vernier {
namespace {

// Slurm checks limits every 30 s and counts in minutes, and the service needs
// the gang's grace period to end it.
constexpr std::chrono::minutes kTimeMargin{2};

std::optional<std::chrono::minutes> TimeLimit(const JobSubmission& submission) {
  if (submission.options.time) {
    return std::chrono::ceil<std::chrono::minutes>(*submission.options.time);
  }
  if (!submission.trial_time_limit) return std::nullopt;
  return std::chrono::ceil<std::chrono::minutes>(*submission.trial_time_limit) +
         kTimeMargin;
}

// sbatch takes only the last of several such options, so one must name all
// nodes.
std::optional<std::string> ExcludeWord(const JobSubmission& submission) {
  if (submission.avoided_nodes.empty()) return std::nullopt;
  constexpr std::string_view kOption = "--exclude=";
  std::string nodes = absl::StrJoin(submission.avoided_nodes, ",");
  for (const std::string& word : submission.options.extra_args) {
    if (word.starts_with(kOption)) {
      absl::StrAppend(&nodes, ",", word.substr(kOption.size()));
    }
  }
  return std::string(kOption) + nodes;
}

}  // namespace

std::string InSingleQuotes(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::vector<std::string> SiteWords(const SlurmOptions& options) {
  std::vector<std::string> words;
  const std::pair<const char*, const std::string*> named[] = {
      {"--partition=", &options.partition},
      {"--account=", &options.account},
      {"--qos=", &options.qos},
      {"--reservation=", &options.reservation},
      {"--constraint=", &options.constraint}};
  for (const auto& [option, value] : named) {
    if (!value->empty()) words.push_back(option + *value);
  }
  if (options.nice) words.push_back(absl::StrCat("--nice=", *options.nice));
  return words;
}

SbatchCall CallFor(const JobSubmission& submission) {
  const std::string log = JobLogPath(submission.run_dir);
  std::vector<std::string> words = {
      "--parsable",
      "--no-requeue",
      "--open-mode=append",
      "--export=ALL",
      absl::StrCat("--comment=vernier ", ToInt(submission.attempt.study), "/",
                   ToInt(submission.attempt.trial), "/",
                   submission.attempt.number),
      "--chdir=" + submission.run_dir,
      "--output=" + log,
  };
  std::vector<std::string> site = SiteWords(submission.options);
  if (const auto limit = TimeLimit(submission)) {
    site.push_back(absl::StrCat("--time=", limit->count()));
  }
  for (std::size_t i = 0; i < submission.components.size(); ++i) {
    const GangComponent& component = submission.components[i];
    if (i > 0) words.push_back(":");
    words.push_back("--job-name=" + ComponentName(submission.name, i));
    words.push_back("--dependency=singleton");
    words.insert(words.end(), site.begin(), site.end());
    for (std::string& word :
         ShapeWords(component.shape, component.replicas())) {
      words.push_back(std::move(word));
    }
    words.insert(words.end(), submission.options.extra_args.begin(),
                 submission.options.extra_args.end());
    if (const auto exclude = ExcludeWord(submission)) words.push_back(*exclude);
  }
  words.push_back(JobScriptPath(submission.run_dir));
  return {submission.name, std::move(words)};
}

std::string JobScript(const std::string& program, const std::string& run_dir) {
  return absl::StrCat("#!/bin/sh\nexec ", InSingleQuotes(program),
                      " slurm-gang ", InSingleQuotes(run_dir), "\n");
}

}  // namespace vernier
