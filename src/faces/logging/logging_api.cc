#include "faces/logging/logging_api.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/calls/call_meter.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "base/timestamp_text.h"
#include "faces/logging/log_filter.h"
#include "faces/logging/log_page.h"
#include "store/study_names.h"
#include "study/job_id.h"
#include "trials/submission/job_service.h"

namespace vernier {
namespace {

// A filter has at most 4 KiB, and a page token less.
constexpr std::uint64_t kMaxBody = 64 << 10;
constexpr std::size_t kLongestEcho = 200;
// Cloud Logging's default and largest pageSize.
constexpr std::size_t kDefaultPage = 50;
constexpr std::size_t kLargestPage = 1000;
absl::StatusOr<LogPosition> ReadToken(const std::string& token) {
  const std::size_t bar = token.find('|');
  const auto time = ParseTimestamp(token.substr(0, bar));
  if (bar == std::string::npos || !time.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("pageToken must be one that an earlier answer held: \"",
                     token.substr(0, kLongestEcho), "\""));
  }
  return LogPosition{*time, token.substr(bar + 1)};
}

absl::StatusOr<std::string> TextOf(const Json& body, const char* field) {
  const auto found = body.find(field);
  if (found == body.end() || found->is_null()) return "";
  if (found->is_string()) return found->get<std::string>();
  return absl::InvalidArgumentError(absl::StrCat(field, " must be a text"));
}

absl::StatusOr<LogEntryQuery> ReadQuery(const std::string& text) {
  VERNIER_ASSIGN_OR_RETURN(const Json body,
                           ParseJson(text.empty() ? "{}" : text));
  if (!body.is_object()) {
    return absl::InvalidArgumentError("the body must be a JSON object");
  }
  LogEntryQuery query;
  query.page_size = kDefaultPage;
  VERNIER_ASSIGN_OR_RETURN(const std::string filter, TextOf(body, "filter"));
  VERNIER_ASSIGN_OR_RETURN(query.filter, ParseLogFilter(filter));
  VERNIER_ASSIGN_OR_RETURN(const std::string by, TextOf(body, "orderBy"));
  if (!by.empty() && by != "timestamp asc" && by != "timestamp desc") {
    return absl::InvalidArgumentError(absl::StrCat(
        "orderBy must be \"timestamp asc\" or \"timestamp desc\": \"",
        by.substr(0, kLongestEcho), "\""));
  }
  query.newest_first = by == "timestamp desc";
  if (const auto size = body.find("pageSize"); size != body.end() &&
                                               size->is_number_integer() &&
                                               size->get<std::int64_t>() > 0) {
    query.page_size = static_cast<std::size_t>(
        std::min<std::int64_t>(size->get<std::int64_t>(), kLargestPage));
  }
  VERNIER_ASSIGN_OR_RETURN(const std::string token, TextOf(body, "pageToken"));
  if (!token.empty()) {
    VERNIER_ASSIGN_OR_RETURN(query.after, ReadToken(token));
  }
  return query;
}

Json ToJson(const std::string& project, const LogEntry& entry) {
  Json payload = Json::object();
  if (!entry.line.json.empty()) {
    auto fields = ParseJson(entry.line.json);
    if (fields.ok()) payload = *std::move(fields);
  }
  payload["message"] = entry.line.message;
  Json labels = {{"ml.googleapis.com/job_id", entry.job_id},
                 {"ml.googleapis.com/task_name", entry.task_name}};
  if (!entry.trial_id.empty()) {
    labels["ml.googleapis.com/trial_id"] = entry.trial_id;
  }
  return {{"insertId", entry.insert_id},
          {"logName",
           absl::StrCat("projects/", project, "/logs/", entry.task_name)},
          {"timestamp", FormatTimestamp(entry.at)},
          {"receiveTimestamp", FormatTimestamp(entry.at)},
          {"severity", entry.line.severity},
          {"resource",
           {{"type", "ml_job"},
            {"labels",
             {{"job_id", entry.job_id},
              {"project_id", project},
              {"task_name", entry.task_name}}}}},
          {"labels", std::move(labels)},
          {"jsonPayload", std::move(payload)}};
}

// Entries are printed one by one, because a tree of all of them would be large.
std::string Print(const std::string& project, const LogPage& page) {
  std::string text = "{";
  for (const LogEntry& entry : page.entries) {
    absl::StrAppend(&text, text.size() == 1 ? "\"entries\":[" : ",",
                    DumpJson(ToJson(project, entry)));
  }
  if (!page.entries.empty()) text += "]";
  if (page.next.has_value()) {
    const std::string token =
        absl::StrCat(FormatTimestamp(page.next->at), "|", page.next->insert_id);
    absl::StrAppend(&text, page.entries.empty() ? "" : ",",
                    "\"nextPageToken\":", DumpJson(Json(token)));
  }
  return text + "}";
}

/// Returns the one project that the call names, in resourceNames or in the
/// older projectIds.
std::string ProjectNamedIn(const std::string& body) {
  auto json = ParseJson(body.empty() ? "{}" : body);
  if (!json.ok() || !json->is_object()) return "";
  const auto names = json->find("resourceNames");
  if (names == json->end() || !names->is_array() || names->size() != 1 ||
      !names->front().is_string()) {
    return "";
  }
  std::string name = names->front().get<std::string>();
  const std::string prefix = "projects/";
  if (!absl::StartsWith(name, prefix)) return "";
  name.erase(0, prefix.size());
  return name.substr(0, name.find('/'));
}

}  // namespace

absl::StatusOr<RestAnswer> LoggingApi::ListEntries(const RestCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const LogEntryQuery query, ReadQuery(call.body));
  const std::string project = ProjectNamedIn(call.body);
  if (project.empty()) {
    return absl::InvalidArgumentError(
        "resourceNames must be one name, \"projects/PROJECT\"");
  }
  VERNIER_RETURN_IF_ERROR(CheckProject(call.principal, project));
  const auto snapshot = store_.Snapshot();
  std::vector<std::shared_ptr<const StudySnapshot>> studies;
  if (const auto job = query.filter.RequiredValue("resource.labels.job_id")) {
    auto study = FindJob(*snapshot, JobIdIn(project, *job));
    if (study != nullptr) studies.push_back(std::move(study));
  } else {
    for (const auto& [id, study] : *snapshot) {
      if (!IsJob(*study)) continue;
      if (ProjectOf(*study) == project) studies.push_back(study);
    }
  }
  const LogPage page = ReadLogPage(studies, query, clock_.Now());
  VERNIER_RETURN_IF_ERROR(UseInCall({}));
  return std::make_shared<const std::string>(Print(project, page));
}

void LoggingApi::AddRoutes(RestRouter* router) {
  RestRoute list = {"logging.entries.list",
                    "POST",
                    "/v2/entries:list",
                    v1::READ,
                    "Lists entries of jobs' logs.",
                    nullptr,
                    nullptr,
                    {},
                    [this](const RestCall& call) { return ListEntries(call); }};
  list.max_body = kMaxBody;
  router->Add(std::move(list));
}

}  // namespace vernier
