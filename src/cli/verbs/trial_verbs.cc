#include <vernier/v1/job_service.grpc.pb.h>
#include <vernier/v1/study_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/random_bits.h"
#include "base/status_macros.h"
#include "cli/command/service_call.h"
#include "cli/command/verb.h"
#include "cli/display/json_list.h"
#include "cli/display/resource_paths.h"
#include "cli/display/resource_tables.h"
#include "cli/display/study_tables.h"
#include "cli/display/trial_json.h"
#include "cli/submission/job_submission.h"
#include "cli/submission/point_flags.h"
#include "cli/text/console.h"
#include "cli/verbs/best_trials_request.h"
#include "cli/verbs/recommendation_line.h"
#include "cli/verbs/verbs.h"
#include "client/client_connection.h"
#include "client/message_reader.h"

namespace vernier {
namespace {

using Jobs = v1::JobService::Stub;
using Studies = v1::StudyService::Stub;

constexpr int kBestByDefault = 5;

/// Declares JOB and TRIAL, the names of a request's trial. The TRIAL is not
/// required yet.
template <typename Request>
CLI::Option* DeclareTrial(const Verb<Request>& verb,
                          const char* about = "Number of the trial") {
  verb.Needs("JOB", *verb.words().mutable_job_id(), "Name of the job");
  return verb.Sets("TRIAL", &Request::set_trial_id, about);
}

/// Passes the list of trials to `take`, piece by piece: one answer has no room
/// for a hundred thousand of them, and a pipe gets them as they come.
absl::Status StreamTrials(
    const ClientConnection& client, const v1::ListTrialsRequest& request,
    const std::function<absl::Status(const std::string&)>& take) {
  JsonList list;
  const auto add = [&](const std::string& trial) -> absl::Status {
    VERNIER_ASSIGN_OR_RETURN(const std::string typed, TypedTrial(trial));
    VERNIER_ASSIGN_OR_RETURN(const std::string piece, list.Add(typed));
    return take(piece);
  };
  absl::Status taken;
  VERNIER_RETURN_IF_ERROR(client.StreamForJson(&Jobs::StreamTrials, request,
                                               [&](const std::string& trial) {
                                                 taken = add(trial);
                                                 return taken.ok();
                                               }));
  VERNIER_RETURN_IF_ERROR(taken);
  return take(list.End());
}

absl::Status PrintPiece(const std::string& text) {
  return WriteData(stdout, text)
             ? absl::OkStatus()
             : absl::InternalError("cannot write to standard output");
}

absl::Status ListTrials(const Call& call, const v1::ListTrialsRequest& request,
                        TrialFiles files) {
  const auto& [invocation, client] = call;
  if (invocation.format() == "json") {
    return StreamTrials(client, request, PrintPiece);
  }
  std::string trials;
  VERNIER_RETURN_IF_ERROR(
      StreamTrials(client, request, [&trials](const std::string& piece) {
        trials += piece;
        return absl::OkStatus();
      }));
  VERNIER_RETURN_IF_ERROR(
      PrintTrials(invocation, client, request.job_id(), trials, files));
  invocation.NoteIfEmpty(trials);
  return absl::OkStatus();
}

void DeclareListTrials(CLI::App& trials, Invocation& invocation) {
  const Verb<v1::ListTrialsRequest> verb(trials, invocation, "list",
                                         "List a job's trials");
  v1::ListTrialsRequest& words = verb.words();
  verb.Needs("JOB", *words.mutable_job_id(), "Name of the job");
  verb->add_option("--filter", *words.mutable_filter(),
                   "E.g. \"state=completed AND lr<0.01\"");
  verb->add_option(
      "--sort,--sort-by", *words.mutable_sort(),
      "trial, objective, a parameter or metric, best; - before it: "
      "descending");
  verb.Sets("--limit", &v1::ListTrialsRequest::set_limit,
            "At most so many; 0: all")
      ->check(CLI::NonNegativeNumber);
  verb.Does(Flags::kJob,
            [](const Call& call, const v1::ListTrialsRequest& request) {
              return ListTrials(call, request, TrialFiles::kWithout);
            });
}

struct BestFlags {
  std::string job;
  std::string filter;
  std::optional<int> limit;
  bool recommend = false;
};

absl::Status ListBest(const Call& call, const BestFlags& flags) {
  VERNIER_ASSIGN_OR_RETURN(
      v1::ListTrialsRequest best,
      BestTrialsRequest(call.client, flags.job, kBestByDefault));
  if (flags.limit.has_value()) best.set_limit(*flags.limit);
  if (!flags.filter.empty()) {
    best.set_filter(absl::StrCat("(", flags.filter, ") AND ", best.filter()));
  }
  VERNIER_RETURN_IF_ERROR(ListTrials(call, best, TrialFiles::kWith));
  if (call.invocation.wants_table()) {
    PrintTo(
        stdout, "%s",
        RecommendationLine(call.client, flags.job,
                           flags.recommend ? ModelWait::kYes : ModelWait::kNo));
  }
  return absl::OkStatus();
}

void DeclareBest(CLI::App& trials, Invocation& invocation) {
  const Verb<BestFlags> verb(trials, invocation, "best",
                             "The best trials of a job, best first");
  BestFlags& flags = verb.words();
  verb.Needs("JOB", flags.job, "Name of the job");
  verb->add_option("--filter", flags.filter, "As for trials list");
  verb->add_option(
          "-n,--limit", flags.limit,
          absl::StrCat("At most so many (default ", kBestByDefault,
                       ", and all of the front of several metrics); 0: all"))
      ->check(CLI::NonNegativeNumber);
  verb->add_flag("--recommend", flags.recommend,
                 "With very many trials: wait for the model's recommendation");
  verb.Does(Flags::kJob, &ListBest);
}

absl::Status DescribeTrial(const Call& call,
                           const v1::GetTrialRequest& request) {
  const auto& [invocation, client] = call;
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           client.CallForJson(&Jobs::GetTrial, request));
  VERNIER_ASSIGN_OR_RETURN(const std::string typed, TypedTrial(text));
  return invocation.Print(
      typed, TrialFieldTable(typed, invocation.digits()),
      PathsOf(Resource::kTrial, ParameterNamesOf(client, request.job_id())));
}

void DeclareDescribeTrial(CLI::App& trials, Invocation& invocation) {
  const Verb<v1::GetTrialRequest> verb(trials, invocation, "describe",
                                       "Show a trial and its attempts");
  DeclareTrial(verb)->required()->check(CLI::NonNegativeNumber);
  verb.Does(Flags::kJob, &DescribeTrial);
}

absl::Status StopTrial(const Call& call, const v1::StopTrialRequest& request) {
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           call.client.CallForJson(&Jobs::StopTrial, request));
  VERNIER_ASSIGN_OR_RETURN(const std::string typed, TypedTrial(text));
  return call.invocation.Print(
      typed, TrialFieldTable(typed, call.invocation.digits()));
}

void DeclareStop(CLI::App& trials, Invocation& invocation) {
  const Verb<v1::StopTrialRequest> verb(
      trials, invocation, "stop",
      "End one trial; its last value stays, and the search goes on");
  DeclareTrial(verb)->required()->check(CLI::PositiveNumber);
  verb.Does(Flags::kJob, &StopTrial);
}

// Prints the trial's metric problems below the table of its values: which could
// not be taken, and how others were interpreted.
absl::Status PrintMetricProblems(const ClientConnection& client,
                                 const v1::ListMeasurementsRequest& listed) {
  v1::GetTrialRequest request;
  request.set_job_id(listed.job_id());
  request.set_trial_id(listed.trial_id());
  VERNIER_ASSIGN_OR_RETURN(const v1::Trial trial,
                           client.Call(&Jobs::GetTrial, request));
  for (const std::string& problem : trial.metric_problems()) {
    PrintTo(stderr, "note: %s\n", problem);
  }
  return absl::OkStatus();
}

absl::Status ListMeasurements(const Call& call,
                              const v1::ListMeasurementsRequest& request) {
  const auto& [invocation, client] = call;
  VERNIER_ASSIGN_OR_RETURN(
      const std::string answer,
      client.CallForJson(&Jobs::ListMeasurements, request));
  VERNIER_ASSIGN_OR_RETURN(const std::string list, MeasurementsIn(answer));
  VERNIER_RETURN_IF_ERROR(
      invocation.Print(list, MeasurementTable(list, invocation.digits()),
                       PathsOf(Resource::kMeasurement)));
  invocation.NoteIfEmpty(list);
  return invocation.wants_table() ? PrintMetricProblems(client, request)
                                  : absl::OkStatus();
}

void DeclareMeasurements(CLI::App& trials, Invocation& invocation) {
  const Verb<v1::ListMeasurementsRequest> verb(
      trials, invocation, "measurements",
      "What a trial reported, step by step, and what could not be taken");
  DeclareTrial(verb)->required()->check(CLI::NonNegativeNumber);
  verb->add_option("--metric", *verb.words().mutable_metric(),
                   "Only this metric");
  verb.Sets("--limit", &v1::ListMeasurementsRequest::set_limit,
            "At most so many")
      ->check(CLI::NonNegativeNumber);
  verb.Does(Flags::kJob, &ListMeasurements);
}

struct AddFlags {
  std::string job;
  std::vector<std::string> params;
  std::string params_file;
  std::optional<std::string> source;
};

absl::StatusOr<std::string> PointsOf(const AddFlags& flags) {
  if (flags.params_file.empty()) return PointsFromFlags(flags.params);
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           ReadJobFile(flags.params_file));
  return PointsFromFile(text, flags.params_file);
}

absl::Status Propose(Invocation& invocation, const AddFlags& flags,
                     const std::string& points) {
  v1::ProposePointsRequest request;
  VERNIER_RETURN_IF_ERROR(ReadMessage(
      "points", absl::StrCat("{\"points\":", points, "}"), &request));
  request.set_study(flags.job);
  request.set_source(*flags.source);
  request.set_request_id(RandomHex());
  VERNIER_ASSIGN_OR_RETURN(
      const std::string text,
      CallForJson(invocation, &Studies::ProposePoints, request));
  if (!invocation.wants_table()) {
    return invocation.Print(text, StudyFieldTable(text, invocation.digits()));
  }
  VERNIER_ASSIGN_OR_RETURN(const Json study, ParseJson(text));
  const Json proposed = study.value("proposedPoints", Json::array());
  const auto waiting =
      std::count_if(proposed.begin(), proposed.end(), [&](const Json& point) {
        return point.value("source", "") == flags.source;
      });
  PrintTo(stderr,
          "%td point%s of \"%s\" wait%s in [%s] until it is trusted more than "
          "the search itself.\n",
          waiting, waiting == 1 ? "" : "s", *flags.source,
          waiting == 1 ? "s" : "", flags.job);
  return absl::OkStatus();
}

absl::Status AddTrials(Invocation& invocation, const AddFlags& flags) {
  VERNIER_ASSIGN_OR_RETURN(const std::string points, PointsOf(flags));
  if (flags.source.has_value()) return Propose(invocation, flags, points);
  v1::AddTrialsRequest request;
  VERNIER_RETURN_IF_ERROR(ReadMessage(
      "points", absl::StrCat("{\"points\":", points, "}"), &request));
  request.set_job_id(flags.job);
  request.set_request_id(RandomHex());
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           CallForJson(invocation, &Jobs::AddTrials, request));
  if (!invocation.wants_table()) return PrintJob(invocation, text);
  VERNIER_ASSIGN_OR_RETURN(const Json added, ParseJson(points));
  VERNIER_ASSIGN_OR_RETURN(const Json job, ParseJson(text));
  const std::size_t waiting = job.value("vernier", Json::object())
                                  .value("queuedPoints", Json::array())
                                  .size();
  PrintTo(stderr, "Job [%s] tries %zu more point%s next; %zu wait%s.\n",
          flags.job, added.size(), added.size() == 1 ? "" : "s", waiting,
          waiting == 1 ? "s" : "");
  return absl::OkStatus();
}

void DeclareAdd(CLI::App& trials, Invocation& invocation) {
  const Verb<AddFlags> verb(
      trials, invocation, "add",
      "Give a point by hand; it is tried before any suggestion, or, with "
      "--source, when the source is trusted");
  AddFlags& flags = verb.words();
  verb.Needs("JOB", flags.job, "Name of the job; with --source, of any study");
  CLI::Option* param =
      verb->add_option("--param", flags.params,
                       "NAME=VALUE, once per parameter; without: its default")
          ->take_all();
  verb->add_option("--params-file", flags.params_file,
                   "JSON: an object of names and values, or a list of them")
      ->excludes(param);
  verb->add_option("--source", flags.source,
                   "Who proposes the point, a name: it is tried only if the "
                   "name is trusted more than the search");
  verb.Does(Flags::kJob, &AddTrials);
}

void DeclareLogs(CLI::App& trials, Invocation& invocation) {
  const Verb<v1::ReadLogRequest> verb(trials, invocation, "logs",
                                      "Print the logs of a trial, or of all");
  v1::ReadLogRequest& words = verb.words();
  DeclareTrial(verb, "Number of the trial; default: all")
      ->check(CLI::NonNegativeNumber);
  verb.Sets("--attempt", &v1::ReadLogRequest::set_attempt,
            "Default: the newest")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--replica,--task-name", *words.mutable_replica(),
                   "E.g. worker-replica-2; default: all");
  verb.Sets("--tail", &v1::ReadLogRequest::set_tail_lines,
            "Only the last so many lines")
      ->check(CLI::NonNegativeNumber);
  verb->add_flag_function(
          "-f,--follow",
          [&words](std::int64_t given) { words.set_follow(given > 0); },
          "Go on until it ends")
      ->take_last();
  verb.Does(
      Flags::kJob, [](Invocation& caller, const v1::ReadLogRequest& request) {
        return PrintLogInFormat(caller, request, LogPrinter::Style::kHeaders);
      });
}

absl::Status PrintCommand(const Call& call,
                          const v1::GetTrialCommandRequest& request) {
  VERNIER_ASSIGN_OR_RETURN(const Json command,
                           Ask(call.client, &Jobs::GetTrialCommand, request));
  if (!call.invocation.wants_table()) {
    return call.invocation.Show(command, TextTable{});
  }
  WriteData(stdout, command.value("line", "") + "\n");
  const std::string note = command.value("note", "");
  if (!note.empty()) PrintTo(stderr, "vernier: note: %s\n", note);
  return absl::OkStatus();
}

void DeclareCommand(CLI::App& trials, Invocation& invocation) {
  const Verb<v1::GetTrialCommandRequest> verb(
      trials, invocation, "command",
      "Print a shell line that runs a trial by hand");
  DeclareTrial(verb)->required();
  verb.Does(Flags::kJob, &PrintCommand);
}

absl::StatusOr<std::vector<std::string>> MetricsOf(
    const ClientConnection& client, const std::string& study) {
  v1::GetStudyRequest request;
  request.set_study(study);
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           client.CallForJson(&Studies::GetStudy, request));
  return MetricNamesIn(text);
}

}  // namespace

absl::Status PrintTrials(const Invocation& invocation,
                         const ClientConnection& client,
                         const std::string& job_id, const std::string& trials,
                         TrialFiles files) {
  const ParameterNames names = ParameterNamesOf(client, job_id);
  std::optional<TrialColumns> columns;
  if (invocation.format() == "csv") {
    columns.emplace();
    VERNIER_ASSIGN_OR_RETURN(columns->parameters, names());
    VERNIER_ASSIGN_OR_RETURN(columns->metrics, MetricsOf(client, job_id));
  }
  VERNIER_ASSIGN_OR_RETURN(
      TextTable table, TrialTable(trials, files, invocation.digits(), columns));
  table.has_best_first = files == TrialFiles::kWith;
  return invocation.Print(trials, table, PathsOf(Resource::kTrial, names));
}

void DeclareTrialVerbs(CLI::App& app, Invocation& invocation) {
  CLI::App* trials =
      app.add_subcommand("trials", "Look at a job's trials, or add some");
  trials->require_subcommand(1);
  DeclareAdd(*trials, invocation);
  DeclareListTrials(*trials, invocation);
  DeclareBest(*trials, invocation);
  DeclareDescribeTrial(*trials, invocation);
  DeclareMeasurements(*trials, invocation);
  DeclareLogs(*trials, invocation);
  DeclareCommand(*trials, invocation);
  DeclareStop(*trials, invocation);
  DeclareNoteVerb(Of::kTrial, *trials, invocation);
  DeclareSetAttributesVerb(Of::kTrial, *trials, invocation);
  DeclareLogs(app, invocation);
}

}  // namespace vernier
