#include <vernier/v1/project_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/service_call.h"
#include "cli/display/resource_paths.h"
#include "cli/verbs/verbs.h"

namespace vernier {
namespace {

using Projects = v1::ProjectService::Stub;

constexpr char kNone[] = "none";
constexpr int kNoLimit = -1;

/// One limited quantity: its name in the API and its name for users.
struct Counted {
  const char* limit;
  const char* use;
  const char* title;
};
constexpr Counted kCounted[] = {
    {"maxParallelTrials", "parallelTrials", "PARALLEL_TRIALS"},
    {"maxGpus", "gpus", "GPUS"},
    {"maxStudies", "studies", "STUDIES"},
    {"maxBucketBytes", "bucketBytes", "BUCKET_BYTES"},
    {"maxBucketObjects", "bucketObjects", "BUCKET_OBJECTS"},
};

// Returns a 64-bit number, which is a text in the API.
std::string NumberOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return "0";
  return found->is_string() ? found->get<std::string>() : DumpJson(*found);
}

/// Returns "3 of 4", or "3" without a limit.
std::string UseOf(const Json& project, const Counted& counted) {
  const Json use = project.value("use", Json::object());
  const Json quota = project.value("quota", Json::object());
  std::string text = NumberOf(use, counted.use);
  if (quota.contains(counted.limit)) {
    absl::StrAppend(&text, " of ", NumberOf(quota, counted.limit));
  }
  return text;
}

TextTable ProjectTable(const Json& projects) {
  TextTable table{{"PROJECT"}, {}};
  for (const Counted& counted : kCounted)
    table.columns.push_back(counted.title);
  for (const Json& project : projects) {
    std::vector<std::string> row = {project.value("projectId", "")};
    for (const Counted& counted : kCounted) {
      row.push_back(UseOf(project, counted));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

absl::StatusOr<int> PrintProject(Invocation& invocation,
                                 const std::string& text) {
  VERNIER_ASSIGN_OR_RETURN(const Json project, ParseJson(text));
  VERNIER_RETURN_IF_ERROR(invocation.Print(
      text, ProjectTable(Json::array({project})), PathsOf(Resource::kProject)));
  return kExitDone;
}

void DeclareListProjects(CLI::App& projects, Invocation& invocation) {
  CLI::App* verb = projects.add_subcommand(
      "list", "List projects with what they have and may have");
  invocation.DeclareClientFlags(*verb);
  verb->callback([&invocation] {
    invocation.set_action([&invocation]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(
          const std::string text,
          CallForJson(invocation, &Projects::ListProjects, {}));
      VERNIER_ASSIGN_OR_RETURN(const Json answer, ParseJson(text));
      const Json list = answer.value("projects", Json::array());
      VERNIER_RETURN_IF_ERROR(invocation.Print(
          DumpJson(list), ProjectTable(list), PathsOf(Resource::kProject)));
      return kExitDone;
    });
  });
}

void DeclareDescribeProject(CLI::App& projects, Invocation& invocation) {
  CLI::App* verb = projects.add_subcommand(
      "describe", "Show what a project has and may have");
  auto request = std::make_shared<v1::GetProjectRequest>();
  verb->add_option("PROJECT", *request->mutable_project(), "Its id")
      ->required();
  invocation.DeclareClientFlags(*verb);
  verb->callback([&invocation, request] {
    invocation.set_action([&invocation, request]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(
          const std::string text,
          CallForJson(invocation, &Projects::GetProject, *request));
      return PrintProject(invocation, text);
    });
  });
}

struct QuotaFlags {
  std::string project;
  std::string max_parallel_trials;
  std::string max_gpus;
  std::string max_studies;
  std::string max_bucket_bytes;
  std::string max_bucket_objects;
};

struct Unit {
  std::string_view suffix;
  std::int64_t factor;
};
constexpr Unit kUnits[] = {
    {"", 1},
    {"K", std::int64_t{1} << 10},
    {"M", std::int64_t{1} << 20},
    {"G", std::int64_t{1} << 30},
    {"T", std::int64_t{1} << 40},
};

/// Parses "500", "20G": bytes, with units of 1024.
absl::StatusOr<std::int64_t> ReadBytes(const std::string& flag,
                                       const std::string& text) {
  if (text == kNone) return kNoLimit;
  const std::size_t digits =
      std::min(text.find_first_not_of("0123456789"), text.size());
  std::int64_t number = 0;
  for (const Unit& unit : kUnits) {
    if (text.substr(digits) != unit.suffix ||
        !absl::SimpleAtoi(text.substr(0, digits), &number) ||
        number > std::numeric_limits<std::int64_t>::max() / unit.factor) {
      continue;
    }
    return number * unit.factor;
  }
  return absl::InvalidArgumentError(
      absl::StrCat(flag, " must be a number of bytes such as 500M, 20G or 1T, ",
                   "or ", kNone, ": \"", text, "\""));
}

template <typename Number = int>
absl::StatusOr<Number> ReadLimit(const std::string& flag,
                                 const std::string& text) {
  if (text == kNone) return kNoLimit;
  Number limit = 0;
  if (absl::SimpleAtoi(text, &limit) && limit >= 0) return limit;
  return absl::InvalidArgumentError(absl::StrCat(
      flag, " must be a number >= 0, or ", kNone, ": \"", text, "\""));
}

absl::StatusOr<v1::Quota> QuotaOf(const QuotaFlags& flags) {
  v1::Quota quota;
  if (const std::string& text = flags.max_parallel_trials; !text.empty()) {
    VERNIER_ASSIGN_OR_RETURN(const int limit,
                             ReadLimit("--max-parallel-trials", text));
    quota.set_max_parallel_trials(limit);
  }
  if (const std::string& text = flags.max_gpus; !text.empty()) {
    VERNIER_ASSIGN_OR_RETURN(const int limit, ReadLimit("--max-gpus", text));
    quota.set_max_gpus(limit);
  }
  if (const std::string& text = flags.max_studies; !text.empty()) {
    VERNIER_ASSIGN_OR_RETURN(const int limit, ReadLimit("--max-studies", text));
    quota.set_max_studies(limit);
  }
  if (const std::string& text = flags.max_bucket_bytes; !text.empty()) {
    VERNIER_ASSIGN_OR_RETURN(const std::int64_t limit,
                             ReadBytes("--max-bucket-bytes", text));
    quota.set_max_bucket_bytes(limit);
  }
  if (const std::string& text = flags.max_bucket_objects; !text.empty()) {
    VERNIER_ASSIGN_OR_RETURN(
        const std::int64_t limit,
        ReadLimit<std::int64_t>("--max-bucket-objects", text));
    quota.set_max_bucket_objects(limit);
  }
  return quota;
}

absl::StatusOr<int> SetQuota(Invocation& invocation, const QuotaFlags& flags) {
  v1::SetQuotaRequest request;
  request.set_project(flags.project);
  VERNIER_ASSIGN_OR_RETURN(*request.mutable_quota(), QuotaOf(flags));
  // Each limit has its own presence bit, so this check also sees a 0.
  if (request.quota().ByteSizeLong() == 0) {
    return absl::InvalidArgumentError(
        "nothing to set: give one of --max-parallel-trials, --max-gpus, "
        "--max-studies, --max-bucket-bytes and --max-bucket-objects");
  }
  VERNIER_ASSIGN_OR_RETURN(
      const std::string text,
      CallForJson(invocation, &Projects::SetQuota, request));
  return PrintProject(invocation, text);
}

void DeclareSetQuota(CLI::App& projects, Invocation& invocation) {
  CLI::App* verb = projects.add_subcommand(
      "set-quota", "Limit what a project has at once; for administrators");
  auto flags = std::make_shared<QuotaFlags>();
  verb->add_option("PROJECT", flags->project, "Its id")->required();
  verb->add_option("--max-parallel-trials", flags->max_parallel_trials,
                   "Trials of its jobs that run at once; or none: no limit");
  verb->add_option("--max-gpus", flags->max_gpus,
                   "GPUs that those have; or none");
  verb->add_option("--max-studies", flags->max_studies,
                   "Jobs and studies that are kept; or none");
  verb->add_option("--max-bucket-bytes", flags->max_bucket_bytes,
                   "What its buckets hold together, e.g. 500M, 20G; or none");
  verb->add_option("--max-bucket-objects", flags->max_bucket_objects,
                   "Objects and folders in its buckets; or none");
  invocation.DeclareClientFlags(*verb);
  verb->callback([&invocation, flags] {
    invocation.set_action(
        [&invocation, flags] { return SetQuota(invocation, *flags); });
  });
}

}  // namespace

void DeclareProjectVerbs(CLI::App& app, Invocation& invocation) {
  CLI::App* projects = app.add_subcommand(
      "projects", "Look at projects and limit what they may have");
  projects->require_subcommand(1);
  DeclareListProjects(*projects, invocation);
  DeclareDescribeProject(*projects, invocation);
  DeclareSetQuota(*projects, invocation);
}

}  // namespace vernier
