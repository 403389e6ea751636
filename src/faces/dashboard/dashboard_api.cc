#include "faces/dashboard/dashboard_api.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/calls/call_meter.h"
#include "base/json.h"
#include "base/json_bounds.h"
#include "base/status_macros.h"
#include "base/whole_number.h"
#include "edge/http/request_json.h"
#include "edge/http/rest_error.h"
#include "faces/dashboard/change_source.h"
#include "faces/dashboard/changed_trials.h"
#include "faces/dashboard/columns.h"
#include "faces/dashboard/curve_columns.h"
#include "faces/dashboard/job_text.h"
#include "faces/dashboard/newest_events.h"
#include "faces/dashboard/timeline_columns.h"
#include "faces/dashboard/trial_columns.h"
#include "faces/dashboard/trial_files.h"
#include "faces/messages/trial_message.h"
#include "store/study_kinds.h"
#include "store/study_names.h"
#include "study/job_file/job_text_cost.h"
#include "study/job_id.h"
#include "study/words/event_words.h"
#include "trials/trial_query.h"

namespace vernier {
namespace {

constexpr char kJsonType[] = "application/json; charset=UTF-8";
constexpr std::string_view kApi = "/ui/api/";
constexpr std::string_view kRpc = "/ui/rpc/";
constexpr std::uint64_t kMaxBody = std::uint64_t{16} << 20;  // A job file's.
constexpr std::size_t kMostEvents = 1000;
// The approximate number of columns besides parameters and metrics.
constexpr std::size_t kColumnsOfLife = 16;
constexpr std::size_t kMostCurves = 1000;
constexpr std::int64_t kMostPoints = 2000;
constexpr std::int64_t kFewestPoints = 2;
constexpr std::int64_t kDefaultPoints = 200;

HttpResponse JsonAnswer(std::string text) {
  return TextResponse(200, kJsonType, std::move(text));
}

HttpResponse ColumnAnswer(std::string bytes) {
  return TextResponse(200, ColumnWriter::kContentType, std::move(bytes));
}

/// Returns a number in the query, or `absent`. INVALID_ARGUMENT.
absl::StatusOr<std::int64_t> ReadNumber(const HttpRequest& request,
                                        std::string_view name,
                                        std::int64_t absent) {
  const auto text = request.Query(name);
  if (!text.has_value() || text->empty()) return absent;
  const auto number = ParseWholeNumber(*text);
  if (number.has_value()) return *number;
  return absl::InvalidArgumentError(absl::StrCat(std::string(name),
                                                 " must be a whole number: \"",
                                                 std::string(*text), "\""));
}

absl::StatusOr<std::optional<EventSequence>> ReadSince(
    const HttpRequest& request) {
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t since,
                           ReadNumber(request, "since", -1));
  if (since < 0) return std::optional<EventSequence>();
  return std::optional<EventSequence>(EventSequence(since));
}

/// Returns the project of a new job: the named one, else the caller's.
absl::StatusOr<std::string> ProjectFor(const Principal& caller,
                                       const std::string& named) {
  std::string project = named.empty() ? caller.project : named;
  if (project.empty()) project = std::string(kDefaultProject);
  VERNIER_RETURN_IF_ERROR(CheckProjectId(project));
  VERNIER_RETURN_IF_ERROR(CheckProject(caller, project));
  return project;
}

/// A job that the page sends, to be looked at or to be run.
struct SentJob {
  std::string project;
  std::string text;
  std::string request_id;
};

absl::StatusOr<SentJob> ReadSentJob(const Principal& caller,
                                    const std::string& body) {
  VERNIER_RETURN_IF_ERROR(CheckJsonBounds(body, kManyValues));
  VERNIER_ASSIGN_OR_RETURN(const Json json, ReadJsonObject(body));
  SentJob job;
  VERNIER_ASSIGN_OR_RETURN(job.project,
                           ProjectFor(caller, TextAt(json, "project")));
  job.text = TextAt(json, "text");
  VERNIER_RETURN_IF_ERROR(CheckJobText(job.text));
  job.request_id = TextAt(json, "requestId");
  return job;
}

bool MaySee(const Principal& caller, const StudySnapshot& study) {
  return CheckProject(caller, ProjectOf(study)).ok();
}

absl::StatusOr<std::vector<TrialId>> ReadTrials(const std::string& text,
                                                const StudySnapshot& study) {
  std::vector<TrialId> trials;
  for (const std::string& part :
       std::vector<std::string>(absl::StrSplit(text, ','))) {
    const auto number = ParseWholeNumber(part);
    if (!number.has_value() || *number < 1 ||
        *number > std::ssize(study.trials) || trials.size() == kMostCurves) {
      return absl::InvalidArgumentError(absl::StrCat(
          "trials must be at most ", kMostCurves, " numbers of trials, 1 to ",
          study.trials.size(), ": \"", part, "\""));
    }
    trials.push_back(TrialId(*number));
  }
  // A trial that is named twice is shown once.
  std::sort(trials.begin(), trials.end());
  trials.erase(std::unique(trials.begin(), trials.end()), trials.end());
  return trials;
}

Json EventJson(const Event& event) {
  constexpr double kMicroseconds = 1000;
  const absl::StatusOr<Json> parsed = ParseJson(event.payload);
  const Json payload = parsed.ok() ? *parsed : Json::object();
  const std::int64_t trial = event.trial ? ToInt(*event.trial) : 0;
  const EventWords words =
      WordsOfEvent(event.kind, trial, event.attempt, payload);
  return {{"sequence", ToInt(event.sequence)},
          {"time", static_cast<double>(
                       std::chrono::duration_cast<std::chrono::microseconds>(
                           event.at.time_since_epoch())
                           .count()) /
                       kMicroseconds},
          {"kind", event.kind},
          {"trial", trial},
          {"attempt", event.attempt},
          {"payload", payload},
          {"words",
           {{"subject", words.subject},
            {"what", words.what},
            {"more", words.more},
            {"isBad", words.is_bad}}}};
}

}  // namespace

DashboardApi::DashboardApi(const Dependencies& dependencies)
    : dependencies_(dependencies) {
  const std::string studies = "/ui/api/studies/{study}";
  Add("GET", "/ui/api/jobs", v1::READ, &DashboardApi::ListStudies);
  Add("GET", "/ui/api/changes", v1::READ, &DashboardApi::Changes);
  Add("GET", studies, v1::READ, &DashboardApi::GetStudy);
  Add("GET", studies + "/trials", v1::READ, &DashboardApi::Trials);
  Add("GET", studies + "/curves", v1::READ, &DashboardApi::Curves);
  Add("GET", studies + "/select", v1::READ, &DashboardApi::Select);
  Add("GET", studies + "/timeline", v1::READ, &DashboardApi::Timeline);
  Add("GET", studies + "/events", v1::READ, &DashboardApi::Events);
  Add("GET", studies + "/log/{trial}", v1::READ, &DashboardApi::Log);
  Add("GET", studies + "/files/{trial}", v1::READ, &DashboardApi::Files);
  Add("GET", studies + "/file/{trial}", v1::READ, &DashboardApi::File);
  Add("POST", "/ui/api/validate", v1::READ, &DashboardApi::Validate);
  Add("POST", "/ui/api/submit", v1::RUN, &DashboardApi::Submit);
  // Each method has a permission of its own.
  Add("POST", "/ui/rpc/{service}/{method}", v1::READ, &DashboardApi::RunMethod);
}

void DashboardApi::Add(const std::string& method, const std::string& pattern,
                       v1::Permission permission, Handler handler) {
  RestRoute route;
  route.id = absl::StrCat(method, " ", pattern);
  route.method = method;
  route.pattern = pattern;
  route.permission = permission;
  handlers_[route.id] = handler;
  router_.Add(std::move(route));
}

bool DashboardApi::Takes(std::string_view path) {
  return path.substr(0, kApi.size()) == kApi ||
         path.substr(0, kRpc.size()) == kRpc;
}

std::unique_ptr<HttpExchange> DashboardApi::Begin(const HttpRequest& request,
                                                  const Principal& caller) {
  return std::make_unique<BufferedExchange>(
      request.method == "POST" ? kMaxBody : 0,
      [this, request, caller](std::string body) {
        RestRouter::Match match = router_.Find(request.method, request.path);
        if (match.route == nullptr) {
          return ErrorResponse(absl::NotFoundError(absl::StrCat(
              "there is no such method: ", request.method, " ", request.path)));
        }
        const Call call{request, caller, match.variables, std::move(body)};
        Answer answer = Run(match, call);
        return answer.ok() ? *std::move(answer)
                           : ErrorResponse(answer.status());
      });
}

DashboardApi::Answer DashboardApi::Run(const RestRouter::Match& match,
                                       const Call& call) {
  VERNIER_RETURN_IF_ERROR(
      CheckPermission(call.caller, match.route->permission));
  return (this->*handlers_.at(match.route->id))(call);
}

DashboardApi::StudyAnswer DashboardApi::StudyOf(const Call& call) const {
  VERNIER_ASSIGN_OR_RETURN(
      auto study,
      FindStudy(*dependencies_.store.Snapshot(), call.variables.at("study")));
  if (MaySee(call.caller, *study)) return study;
  return absl::NotFoundError(
      absl::StrCat("no such study: ", call.variables.at("study")));
}

absl::StatusOr<const TrialRecord*> DashboardApi::TrialOf(
    const Call& call, const StudySnapshot& study) const {
  const auto number = ParseWholeNumber(call.variables.at("trial"));
  if (number.has_value() && *number >= 1 &&
      *number <= std::ssize(study.trials) &&
      !IsDeleted(study.trials.Brief(TrialId(*number)))) {
    return &study.trials.Get(TrialId(*number));
  }
  return absl::NotFoundError(
      absl::StrCat(study.name, " has no trial ", call.variables.at("trial")));
}

std::optional<StudyWork> DashboardApi::WorkOf(
    const StudySnapshot& study) const {
  const auto client = AsClientStudy(study);
  if (!client.has_value()) return std::nullopt;
  return WorkOn(*client, dependencies_.clock.Now(), dependencies_.presence_of);
}

DashboardApi::Answer DashboardApi::ListStudies(const Call& call) {
  const auto sequence = dependencies_.store.LastEvent();
  const auto snapshot = dependencies_.store.Snapshot();
  summaries_.Forget(*snapshot);
  std::string list;
  for (auto it = snapshot->rbegin(); it != snapshot->rend(); ++it) {
    if (!MaySee(call.caller, *it->second)) continue;
    const auto text =
        summaries_.Of(it->second, dependencies_.hindrances.Of(it->first),
                      WorkOf(*it->second));
    VERNIER_RETURN_IF_ERROR(UseInCall({1, 2 * text->size()}));
    absl::StrAppend(&list, list.empty() ? "" : ",", *text);
  }
  return JsonAnswer(absl::StrCat("{\"sequence\":", ToInt(sequence),
                                 ",\"jobs\":[", list, "]}"));
}

DashboardApi::Answer DashboardApi::GetStudy(const Call& call) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, StudyOf(call));
  return JsonAnswer(DescribeStudy(*study,
                                  dependencies_.hindrances.Of(study->id),
                                  dependencies_.clock.Now(), WorkOf(*study)));
}

DashboardApi::Answer DashboardApi::Trials(const Call& call) {
  // The sequence is read before the study, so that no change falls between the
  // two.
  const EventSequence sequence = dependencies_.store.LastEvent();
  VERNIER_ASSIGN_OR_RETURN(const auto study, StudyOf(call));
  VERNIER_ASSIGN_OR_RETURN(const auto since, ReadSince(call.http));
  std::optional<std::vector<TrialId>> changed;
  if (since.has_value()) {
    VERNIER_ASSIGN_OR_RETURN(
        changed, TrialsChangedSince(dependencies_.store, *study, *since));
  }
  ColumnWriter columns;
  columns.Set("sequence", ToInt(sequence));
  columns.Set("full", !changed.has_value());
  const std::vector<TrialId> trials =
      changed.has_value() ? *std::move(changed) : AllTrials(*study);
  // The memory of a value that is held in a vector, in the columns and in the
  // answer.
  constexpr std::size_t kBytesOfValue = 3 * sizeof(double);
  const std::size_t values = kColumnsOfLife + study->spec->parameters.size() +
                             study->spec->metrics.size();
  VERNIER_RETURN_IF_ERROR(
      UseInCall({std::ssize(trials), trials.size() * values * kBytesOfValue}));
  WriteTrialColumns(*study, trials, &columns);
  return ColumnAnswer(columns.Finish(std::ssize(trials)));
}

DashboardApi::Answer DashboardApi::Curves(const Call& call) {
  const EventSequence sequence = dependencies_.store.LastEvent();
  VERNIER_ASSIGN_OR_RETURN(const auto study, StudyOf(call));
  VERNIER_ASSIGN_OR_RETURN(const auto since, ReadSince(call.http));
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t points,
                           ReadNumber(call.http, "points", kDefaultPoints));
  if (points < kFewestPoints || points > kMostPoints) {
    return absl::InvalidArgumentError(absl::StrCat(
        "points must be ", kFewestPoints, " to ", kMostPoints, ": ", points));
  }
  std::string metric = call.http.QueryText("metric");
  if (metric.empty()) metric = ObjectiveOf(*study->spec).name;
  std::vector<TrialId> trials;
  std::optional<std::vector<TrialId>> changed;
  if (const std::string named = call.http.QueryText("trials"); !named.empty()) {
    VERNIER_ASSIGN_OR_RETURN(trials, ReadTrials(named, *study));
  } else if (since.has_value()) {
    VERNIER_ASSIGN_OR_RETURN(
        changed, TrialsChangedSince(dependencies_.store, *study, *since));
    if (changed.has_value()) trials = *changed;
    if (trials.size() > kMostCurves) changed.reset();
  }
  if (trials.empty() || trials.size() > kMostCurves) {
    if (!changed.has_value()) trials = TrialsWithCurves(*study);
  }
  ColumnWriter columns;
  columns.Set("sequence", ToInt(sequence));
  columns.Set("full", !changed.has_value());
  VERNIER_RETURN_IF_ERROR(
      WriteCurveColumns(dependencies_.store, *study, trials, metric,
                        static_cast<std::size_t>(points), &columns));
  return ColumnAnswer(columns.Finish(std::ssize(trials)));
}

DashboardApi::Answer DashboardApi::Select(const Call& call) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, StudyOf(call));
  TrialQuery query;
  query.filter = call.http.QueryText("filter");
  VERNIER_ASSIGN_OR_RETURN(const std::vector<TrialId> trials,
                           SelectTrials(*study, query));
  std::vector<std::int32_t> ids;
  ids.reserve(trials.size());
  for (const TrialId trial : trials) {
    ids.push_back(static_cast<std::int32_t>(ToInt(trial)));
  }
  ColumnWriter columns;
  columns.Add("id", ids);
  return ColumnAnswer(columns.Finish(std::ssize(ids)));
}

DashboardApi::Answer DashboardApi::Timeline(const Call& call) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, StudyOf(call));
  ColumnWriter columns;
  WriteTimelineColumns(*study, &columns);
  return ColumnAnswer(columns.Finish(std::ssize(study->trials)));
}

DashboardApi::Answer DashboardApi::Events(const Call& call) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, StudyOf(call));
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t after,
                           ReadNumber(call.http, "after", 0));
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t limit,
                           ReadNumber(call.http, "limit", kMostEvents));
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t before,
                           ReadNumber(call.http, "before", 0));
  const auto most = static_cast<std::size_t>(
      std::clamp<std::int64_t>(after < 0 ? -after : limit, 1, kMostEvents));
  VERNIER_ASSIGN_OR_RETURN(const std::vector<Event> events,
                           before > 0 || after < 0
                               ? NewestEvents(dependencies_.store, *study,
                                              EventSequence(before), most)
                               : dependencies_.store.ListEvents(
                                     EventSequence(after), study->id, most));
  Json list = Json::array();
  for (const Event& event : events) list.push_back(EventJson(event));
  return JsonAnswer(DumpJson(Json{{"events", std::move(list)}}));
}

DashboardApi::Answer DashboardApi::Log(const Call& call) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, StudyOf(call));
  VERNIER_ASSIGN_OR_RETURN(const TrialRecord* const trial,
                           TrialOf(call, *study));
  LogQuestion question;
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t attempt,
                           ReadNumber(call.http, "attempt", 0));
  VERNIER_ASSIGN_OR_RETURN(question.offset, ReadNumber(call.http, "offset", 0));
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t limit,
                           ReadNumber(call.http, "limit", 0));
  question.attempt = static_cast<int>(
      std::clamp<std::int64_t>(attempt, -1, std::ssize(trial->attempts) + 1));
  question.limit =
      static_cast<std::size_t>(std::clamp<std::int64_t>(limit, 0, INT32_MAX));
  question.replica = call.http.QueryText("replica");
  VERNIER_ASSIGN_OR_RETURN(std::string text,
                           ReadTrialLog(*study, *trial, question));
  return JsonAnswer(std::move(text));
}

absl::Status DashboardApi::CheckTrial(const Call& call) const {
  VERNIER_ASSIGN_OR_RETURN(const auto study, StudyOf(call));
  return TrialOf(call, *study).status();
}

absl::StatusOr<std::string> DashboardApi::OutputFolder(const Call& call) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, StudyOf(call));
  VERNIER_ASSIGN_OR_RETURN(const TrialRecord* const trial,
                           TrialOf(call, *study));
  const std::string folder = JobDirOf(*study, *trial);
  if (folder.empty()) return WorkFolderOf(*study, *trial);
  if (folder.rfind("gs://", 0) != 0) {
    if (AreApart(folder, dependencies_.data_dir)) return folder;
    return absl::PermissionDeniedError(absl::StrCat(
        "the folder of the trial's files, ", folder,
        ", contains the service's own, where its keys and secrets are"));
  }
  return dependencies_.buckets.LocalPath(
      folder, BucketUser::Of(ProjectOf(*study)), BucketRight::kRead);
}

// Returns the code that working directories have copies of; none if a job's
// files lie elsewhere.
absl::StatusOr<CodeTwins> DashboardApi::CodeOf(const Call& call) const {
  VERNIER_ASSIGN_OR_RETURN(const auto study, StudyOf(call));
  const auto job = AsJob(*study);
  const bool is_elsewhere =
      !job.has_value() || !job->run().spec->training_input.job_dir.empty();
  return is_elsewhere ? CodeTwins() : CodeTwins::Of(job->run());
}

DashboardApi::Answer DashboardApi::Files(const Call& call) {
  VERNIER_RETURN_IF_ERROR(CheckTrial(call));
  const std::string path = call.http.QueryText("path");
  const absl::StatusOr<std::string> folder = OutputFolder(call);
  VERNIER_ASSIGN_OR_RETURN(const CodeTwins code, CodeOf(call));
  absl::StatusOr<std::string> text =
      folder.ok() ? ListTrialFiles(*folder, path, code) : folder;
  // A trial without files, or without any yet, is not an error.
  if (absl::IsNotFound(text.status()) && path.empty()) {
    return JsonAnswer(
        DumpJson(Json{{"folder", folder.ok() ? *folder : ""},
                      {"entries", Json::array()},
                      {"isCut", false},
                      {"note", std::string(text.status().message())}}));
  }
  if (!text.ok()) return text.status();
  return JsonAnswer(*std::move(text));
}

DashboardApi::Answer DashboardApi::File(const Call& call) {
  VERNIER_ASSIGN_OR_RETURN(const std::string folder, OutputFolder(call));
  return DownloadTrialFile(folder, call.http.QueryText("path"));
}

DashboardApi::Answer DashboardApi::Changes(const Call& call) {
  VERNIER_ASSIGN_OR_RETURN(const auto since, ReadSince(call.http));
  HttpResponse response = TextResponse(200, "text/event-stream", "");
  response.source = std::make_unique<ChangeSource>(
      dependencies_.store, dependencies_.clock,
      [caller = call.caller](const StudySnapshot& study) {
        return MaySee(caller, study);
      },
      since);
  return response;
}

DashboardApi::Answer DashboardApi::Validate(const Call& call) {
  VERNIER_ASSIGN_OR_RETURN(const SentJob job,
                           ReadSentJob(call.caller, call.body));
  const JobService::Look look = HasPermission(call.caller, v1::RUN)
                                    ? JobService::Look::kAtFiles
                                    : JobService::Look::kAtJobOnly;
  return JsonAnswer(
      ValidateJobText(dependencies_.jobs, job.project, job.text, look));
}

DashboardApi::Answer DashboardApi::Submit(const Call& call) {
  VERNIER_ASSIGN_OR_RETURN(const SentJob job,
                           ReadSentJob(call.caller, call.body));
  VERNIER_ASSIGN_OR_RETURN(
      std::string answer,
      SubmitJobText(dependencies_.jobs, job.project, job.text, job.request_id));
  return JsonAnswer(std::move(answer));
}

DashboardApi::Answer DashboardApi::RunMethod(const Call& call) {
  // More would take too much memory once it is parsed.
  VERNIER_RETURN_IF_ERROR(CheckJsonBounds(call.body, kManyValues));
  VERNIER_ASSIGN_OR_RETURN(
      std::string text,
      dependencies_.methods.Run(call.caller,
                                absl::StrCat(call.variables.at("service"), "/",
                                             call.variables.at("method")),
                                call.body));
  return JsonAnswer(std::move(text));
}

}  // namespace vernier
