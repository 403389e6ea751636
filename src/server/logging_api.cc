#include "server/logging_api.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "server/log_entries.h"
#include "study/job_id.h"
#include "study/json.h"
#include "study/status_macros.h"
#include "study/timestamp_text.h"
#include "trials/filter_expression.h"
#include "trials/job_service.h"
#include "trials/study_names.h"

namespace vernier {
namespace {

constexpr std::size_t kDefaultPage = 50;
constexpr std::size_t kLargestPage = 1000;
// What one call reads of logs, and answers: then comes a page token.
constexpr std::size_t kMostRead = std::size_t{64} << 20;
constexpr std::size_t kMostAnswered = std::size_t{4} << 20;

constexpr std::array<std::pair<const char*, double>, 9> kSeverities = {{
    {"DEFAULT", 0},
    {"DEBUG", 100},
    {"INFO", 200},
    {"NOTICE", 300},
    {"WARNING", 400},
    {"ERROR", 500},
    {"CRITICAL", 600},
    {"ALERT", 700},
    {"EMERGENCY", 800},
}};

std::optional<double> NumberOfSeverity(const std::string& name) {
  for (const auto& [known, number] : kSeverities) {
    if (name == known) return number;
  }
  return std::nullopt;
}

struct ListOrder {
  FilterExpression filter;
  bool newest_first = false;
  std::size_t page_size = kDefaultPage;
  std::optional<LogPosition> after;
};

// "severity>=ERROR" means rank: numbers take the names' places.
std::string RankSeverities(std::string text) {
  for (const char* op : {">=", "<=", "!=", "=", ">", "<"}) {
    for (const auto& [name, number] : kSeverities) {
      for (const char* quote : {"", "\""}) {
        const std::string from =
            absl::StrCat("severity", op, quote, name, quote);
        for (std::size_t at = text.find(from); at != std::string::npos;
             at = text.find(from, at)) {
          text.replace(at, from.size(), absl::StrCat("severity", op, number));
        }
      }
    }
  }
  return text;
}

absl::StatusOr<LogPosition> ReadToken(const std::string& token) {
  const std::size_t bar = token.find('|');
  const auto time = ParseTimestamp(token.substr(0, bar));
  if (bar == std::string::npos || !time.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "pageToken must be one that an earlier answer held: \"", token, "\""));
  }
  return LogPosition{*time, token.substr(bar + 1)};
}

absl::StatusOr<std::string> TextOf(const Json& body, const char* field) {
  const auto found = body.find(field);
  if (found == body.end() || found->is_null()) return "";
  if (found->is_string()) return found->get<std::string>();
  return absl::InvalidArgumentError(absl::StrCat(field, " must be a text"));
}

absl::StatusOr<ListOrder> ReadOrder(const std::string& text) {
  VERNIER_ASSIGN_OR_RETURN(const Json body,
                           ParseJson(text.empty() ? "{}" : text));
  if (!body.is_object()) {
    return absl::InvalidArgumentError("the body must be a JSON object");
  }
  ListOrder order;
  VERNIER_ASSIGN_OR_RETURN(const std::string filter, TextOf(body, "filter"));
  VERNIER_ASSIGN_OR_RETURN(order.filter,
                           FilterExpression::Parse(RankSeverities(filter)));
  VERNIER_ASSIGN_OR_RETURN(const std::string by, TextOf(body, "orderBy"));
  if (!by.empty() && by != "timestamp asc" && by != "timestamp desc") {
    return absl::InvalidArgumentError(absl::StrCat(
        "orderBy must be \"timestamp asc\" or \"timestamp desc\": \"", by,
        "\""));
  }
  order.newest_first = by == "timestamp desc";
  if (const auto size = body.find("pageSize"); size != body.end() &&
                                               size->is_number_integer() &&
                                               size->get<std::int64_t>() > 0) {
    order.page_size = static_cast<std::size_t>(
        std::min<std::int64_t>(size->get<std::int64_t>(), kLargestPage));
  }
  VERNIER_ASSIGN_OR_RETURN(const std::string token, TextOf(body, "pageToken"));
  if (!token.empty()) {
    VERNIER_ASSIGN_OR_RETURN(order.after, ReadToken(token));
  }
  return order;
}

std::optional<FilterValue> Text(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return FilterValue{text, std::nullopt, false};
}

std::optional<FilterValue> Lookup(const LogEntry& entry,
                                  const std::string& key) {
  if (key == "timestamp") {
    return FilterValue{FormatTimestamp(entry.at), std::nullopt, false,
                       entry.at};
  }
  if (key == "insertId") return Text(entry.insert_id);
  if (key == "severity") {
    return FilterValue{entry.line.severity,
                       NumberOfSeverity(entry.line.severity), true};
  }
  if (key == "resource.labels.job_id") return Text(entry.job_id);
  if (key == "resource.labels.task_name") return Text(entry.task_name);
  if (key == "labels.\"ml.googleapis.com/trial_id\"" ||
      key == "labels.trial_id") {
    return Text(entry.trial_id);
  }
  if (key == "jsonPayload.message" || key == "textPayload") {
    return Text(entry.line.message);
  }
  return std::nullopt;
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

std::string TokenOf(const LogEntry& entry) {
  return absl::StrCat(FormatTimestamp(entry.at), "|", entry.insert_id);
}

/// A page of entries that match, and where to go on.
struct Page {
  std::deque<LogEntry> entries;
  std::string next_token;
};

Page ReadPage(LogEntries* all, const ListOrder& order) {
  Page page;
  std::size_t bytes = 0;
  while (std::unique_ptr<LogEntry> entry = all->Next()) {
    const LogPosition position{entry->at, entry->insert_id};
    if (order.after && !order.newest_first && position <= *order.after) {
      continue;
    }
    if (order.after && order.newest_first && position >= *order.after) break;
    const bool fits = order.filter.Matches([&entry](const std::string& key) {
      // One kind of resource under two names.
      if (key == "resource.type") {
        return std::optional(FilterValue{"ml_job", std::nullopt, false});
      }
      return Lookup(*entry, key);
    });
    if (fits) {
      bytes += entry->line.message.size() + entry->line.json.size();
      page.entries.push_back(*entry);
    }
    if (order.newest_first) {
      if (page.entries.size() > order.page_size) page.entries.pop_front();
      continue;
    }
    if (page.entries.size() == order.page_size || bytes > kMostAnswered ||
        all->bytes_read() > kMostRead) {
      page.next_token = TokenOf(*entry);
      return page;
    }
  }
  if (order.newest_first) {
    std::reverse(page.entries.begin(), page.entries.end());
    if (page.entries.size() == order.page_size) {
      page.next_token = TokenOf(page.entries.back());
    }
  }
  return page;
}

/// The one project that the call names: resourceNames, or projectIds of old.
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
  VERNIER_ASSIGN_OR_RETURN(const ListOrder order, ReadOrder(call.body));
  const std::string project = ProjectNamedIn(call.body);
  if (project.empty()) {
    return absl::InvalidArgumentError(
        "resourceNames must be one name, \"projects/PROJECT\"");
  }
  VERNIER_RETURN_IF_ERROR(CheckProject(call.principal, project));
  const auto snapshot = store_.Snapshot();
  std::vector<std::shared_ptr<const StudySnapshot>> studies;
  if (const auto job = order.filter.RequiredValue("resource.labels.job_id")) {
    auto study = FindJob(*snapshot, JobIdIn(project, *job));
    if (study != nullptr) studies.push_back(std::move(study));
  } else {
    for (const auto& [id, study] : *snapshot) {
      if (study->client != nullptr) continue;  // No job.
      if (ProjectOf(*study) == project) studies.push_back(study);
    }
  }
  TimeRange range = order.filter.RangeOf("timestamp");
  if (order.after.has_value()) {
    if (order.newest_first) {
      range.until = std::min(range.until, order.after->at);
    } else {
      range.from = std::max(range.from, order.after->at);
    }
  }
  LogEntries all(std::move(studies), range.from, range.until);
  const Page page = ReadPage(&all, order);
  Json answer = Json::object();
  for (const LogEntry& entry : page.entries) {
    answer["entries"].push_back(ToJson(project, entry));
  }
  if (!page.next_token.empty()) answer["nextPageToken"] = page.next_token;
  return std::make_shared<const std::string>(DumpJson(answer));
}

void LoggingApi::AddRoutes(RestRouter* router) {
  router->Add({"logging.entries.list",
               "POST",
               "/v2/entries:list",
               v1::READ,
               "Lists entries of jobs' logs.",
               nullptr,
               nullptr,
               {},
               [this](const RestCall& call) { return ListEntries(call); }});
}

}  // namespace vernier
