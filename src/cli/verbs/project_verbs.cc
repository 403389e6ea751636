#include <vernier/v1/project_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/service_call.h"
#include "cli/command/verb.h"
#include "cli/display/resource_paths.h"
#include "cli/verbs/verbs.h"

namespace vernier {
namespace {

using Projects = v1::ProjectService::Stub;

constexpr char kNone[] = "none";
constexpr int kNoLimit = -1;

/// One limited quantity: its names in the API, and those for users.
struct Quantity {
  const char* limit;
  const char* use;
  const char* title;
  const char* flag;
  const char* about;
  bool is_bytes = false;
};
constexpr Quantity kQuantities[] = {
    {"maxParallelTrials", "parallelTrials", "PARALLEL_TRIALS",
     "--max-parallel-trials",
     "Trials of its jobs that run at once; or none: no limit"},
    {"maxGpus", "gpus", "GPUS", "--max-gpus", "GPUs that those have; or none"},
    {"maxStudies", "studies", "STUDIES", "--max-studies",
     "Jobs and studies that are kept; or none"},
    {"maxBucketBytes", "bucketBytes", "BUCKET_BYTES", "--max-bucket-bytes",
     "What its buckets hold together, e.g. 500M, 20G; or none", true},
    {"maxBucketObjects", "bucketObjects", "BUCKET_OBJECTS",
     "--max-bucket-objects", "Objects and folders in its buckets; or none"},
};

// Returns a 64-bit number, which is a text in the API.
std::string NumberOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? "0" : PlainText(*found);
}

/// Returns "3 of 4", or "3" without a limit.
std::string UseOf(const Json& project, const Quantity& quantity) {
  const Json use = project.value("use", Json::object());
  const Json quota = project.value("quota", Json::object());
  std::string text = NumberOf(use, quantity.use);
  if (quota.contains(quantity.limit)) {
    absl::StrAppend(&text, " of ", NumberOf(quota, quantity.limit));
  }
  return text;
}

TextTable ProjectTable(const Json& projects) {
  TextTable table{{"PROJECT"}, {}};
  for (const Quantity& quantity : kQuantities)
    table.columns.push_back(quantity.title);
  for (const Json& project : projects) {
    std::vector<std::string> row = {project.value("projectId", "")};
    for (const Quantity& quantity : kQuantities) {
      row.push_back(UseOf(project, quantity));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

absl::Status PrintProject(const Invocation& invocation,
                          const absl::StatusOr<Json>& project) {
  VERNIER_RETURN_IF_ERROR(project.status());
  return invocation.Show(*project, ProjectTable(Json::array({*project})),
                         PathsOf(Resource::kProject));
}

absl::Status ListProjects(const Call& call, const NoWords&) {
  VERNIER_ASSIGN_OR_RETURN(const Json answer,
                           Ask(call.client, &Projects::ListProjects, {}));
  const Json list = answer.value("projects", Json::array());
  return call.invocation.Show(list, ProjectTable(list),
                              PathsOf(Resource::kProject));
}

void DeclareDescribeProject(CLI::App& projects, Invocation& invocation) {
  const Verb<v1::GetProjectRequest> verb(
      projects, invocation, "describe", "Show what a project has and may have");
  verb.Needs("PROJECT", *verb.words().mutable_project(), "Its id");
  verb.Does(Flags::kClient, [](const Call& call,
                               const v1::GetProjectRequest& request) {
    return PrintProject(call.invocation,
                        Ask(call.client, &Projects::GetProject, request));
  });
}

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

absl::StatusOr<std::int64_t> ReadNumber(const std::string& flag,
                                        const std::string& text,
                                        std::int64_t most) {
  if (text == kNone) return kNoLimit;
  std::int64_t limit = 0;
  if (absl::SimpleAtoi(text, &limit) && limit >= 0 && limit <= most) {
    return limit;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      flag, " must be a number >= 0, or ", kNone, ": \"", text, "\""));
}

/// Sets the limit in the request that the flag of `quantity` gives.
absl::Status SetLimit(const Quantity& quantity, const std::string& text,
                      v1::Quota* quota) {
  const auto* field =
      v1::Quota::descriptor()->FindFieldByCamelcaseName(quantity.limit);
  const bool is_short = field->cpp_type() == field->CPPTYPE_INT32;
  VERNIER_ASSIGN_OR_RETURN(
      const std::int64_t limit,
      quantity.is_bytes
          ? ReadBytes(quantity.flag, text)
          : ReadNumber(quantity.flag, text,
                       is_short ? std::numeric_limits<std::int32_t>::max()
                                : std::numeric_limits<std::int64_t>::max()));
  if (is_short) {
    quota->GetReflection()->SetInt32(quota, field,
                                     static_cast<std::int32_t>(limit));
  } else {
    quota->GetReflection()->SetInt64(quota, field, limit);
  }
  return absl::OkStatus();
}

struct QuotaFlags {
  v1::SetQuotaRequest request;
  std::string limits[std::size(kQuantities)];
};

absl::Status SetQuota(Invocation& invocation, const QuotaFlags& flags) {
  v1::SetQuotaRequest request = flags.request;
  for (std::size_t i = 0; i < std::size(kQuantities); ++i) {
    if (flags.limits[i].empty()) continue;
    VERNIER_RETURN_IF_ERROR(
        SetLimit(kQuantities[i], flags.limits[i], request.mutable_quota()));
  }
  if (!request.has_quota()) {
    return absl::InvalidArgumentError(
        "nothing to set: give one of --max-parallel-trials, --max-gpus, "
        "--max-studies, --max-bucket-bytes and --max-bucket-objects");
  }
  return PrintProject(invocation,
                      Ask(invocation, &Projects::SetQuota, request));
}

void DeclareSetQuota(CLI::App& projects, Invocation& invocation) {
  const Verb<QuotaFlags> verb(
      projects, invocation, "set-quota",
      "Limit what a project has at once; for administrators");
  QuotaFlags& flags = verb.words();
  verb.Needs("PROJECT", *flags.request.mutable_project(), "Its id");
  for (std::size_t i = 0; i < std::size(kQuantities); ++i) {
    verb->add_option(kQuantities[i].flag, flags.limits[i],
                     kQuantities[i].about);
  }
  verb.Does(Flags::kClient, &SetQuota);
}

}  // namespace

void DeclareProjectVerbs(CLI::App& app, Invocation& invocation) {
  CLI::App* projects = app.add_subcommand(
      "projects", "Look at projects and limit what they may have");
  projects->require_subcommand(1);
  Verb<NoWords>(*projects, invocation, "list",
                "List projects with what they have and may have")
      .Does(Flags::kClient, &ListProjects);
  DeclareDescribeProject(*projects, invocation);
  DeclareSetQuota(*projects, invocation);
}

}  // namespace vernier
