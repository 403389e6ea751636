#include <vernier/v1/job_service.grpc.pb.h>
#include <vernier/v1/study_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/random_bits.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/service_call.h"
#include "cli/display/job_lookup.h"
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
CLI::Option* DeclareTrial(CLI::App& verb,
                          const std::shared_ptr<Request>& request,
                          const char* about = "Number of the trial") {
  verb.add_option("JOB", *request->mutable_job_id(), "Name of the job")
      ->required();
  return verb.add_option_function<std::int64_t>(
      "TRIAL", [request](std::int64_t trial) { request->set_trial_id(trial); },
      about);
}

/// Declares --limit of a request.
template <typename Request>
void DeclareLimit(CLI::App& verb, const std::shared_ptr<Request>& request,
                  const std::string& flags, const std::string& about) {
  verb.add_option_function<int>(
          flags, [request](int limit) { request->set_limit(limit); }, about)
      ->check(CLI::NonNegativeNumber);
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

absl::StatusOr<int> ListTrials(Invocation& invocation,
                               const v1::ListTrialsRequest& request,
                               TrialFiles files) {
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  if (invocation.format() == "json") {
    VERNIER_RETURN_IF_ERROR(StreamTrials(*client, request, PrintPiece));
    return kExitDone;
  }
  std::string trials;
  VERNIER_RETURN_IF_ERROR(
      StreamTrials(*client, request, [&trials](const std::string& piece) {
        trials += piece;
        return absl::OkStatus();
      }));
  VERNIER_RETURN_IF_ERROR(
      PrintTrials(invocation, *client, request.job_id(), trials, files));
  invocation.NoteIfEmpty(trials);
  return kExitDone;
}

void DeclareListTrials(CLI::App& trials, Invocation& invocation) {
  CLI::App* verb = trials.add_subcommand("list", "List a job's trials");
  auto request = std::make_shared<v1::ListTrialsRequest>();
  verb->add_option("JOB", *request->mutable_job_id(), "Name of the job")
      ->required();
  verb->add_option("--filter", *request->mutable_filter(),
                   "E.g. \"state=completed AND lr<0.01\"");
  verb->add_option(
      "--sort,--sort-by", *request->mutable_sort(),
      "trial, objective, a parameter or metric, best; - before it: "
      "descending");
  DeclareLimit(*verb, request, "--limit", "At most so many; 0: all");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request] {
    invocation.set_action([&invocation, request] {
      return ListTrials(invocation, *request, TrialFiles::kWithout);
    });
  });
}

void DeclareBest(CLI::App& trials, Invocation& invocation) {
  CLI::App* verb =
      trials.add_subcommand("best", "The best trials of a job, best first");
  auto request = std::make_shared<v1::ListTrialsRequest>();
  auto recommend = std::make_shared<bool>(false);
  verb->add_option("JOB", *request->mutable_job_id(), "Name of the job")
      ->required();
  verb->add_option("--filter", *request->mutable_filter(),
                   "As for trials list");
  DeclareLimit(
      *verb, request, "-n,--limit",
      absl::StrCat("At most so many (default ", kBestByDefault,
                   ", and all of the front of several metrics); 0: all"));
  verb->add_flag("--recommend", *recommend,
                 "With very many trials: wait for the model's recommendation");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request, recommend, verb] {
    const bool has_limit = verb->count("--limit") > 0;
    invocation.set_action([&invocation, request, recommend,
                           has_limit]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                               invocation.Client());
      VERNIER_ASSIGN_OR_RETURN(
          v1::ListTrialsRequest best,
          BestTrialsRequest(*client, request->job_id(), kBestByDefault));
      if (has_limit) best.set_limit(request->limit());
      if (!request->filter().empty()) {
        best.set_filter(
            absl::StrCat("(", request->filter(), ") AND ", best.filter()));
      }
      VERNIER_ASSIGN_OR_RETURN(const int code,
                               ListTrials(invocation, best, TrialFiles::kWith));
      if (invocation.wants_table()) {
        const std::string line =
            RecommendationLine(*client, request->job_id(),
                               *recommend ? Patience::kWait : Patience::kNone);
        PrintTo(stdout, "%s", line.c_str());
      }
      return code;
    });
  });
}

void DeclareDescribeTrial(CLI::App& trials, Invocation& invocation) {
  CLI::App* verb =
      trials.add_subcommand("describe", "Show a trial and its attempts");
  auto request = std::make_shared<v1::GetTrialRequest>();
  DeclareTrial(*verb, request)->required()->check(CLI::NonNegativeNumber);
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request] {
    invocation.set_action([&invocation, request]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                               invocation.Client());
      VERNIER_ASSIGN_OR_RETURN(const std::string text,
                               client->CallForJson(&Jobs::GetTrial, *request));
      VERNIER_ASSIGN_OR_RETURN(const std::string typed, TypedTrial(text));
      VERNIER_RETURN_IF_ERROR(invocation.Print(
          typed, TrialFieldTable(typed, invocation.digits()),
          PathsOf(Resource::kTrial,
                  ParameterNamesOf(*client, request->job_id()))));
      return kExitDone;
    });
  });
}

void DeclareStop(CLI::App& trials, Invocation& invocation) {
  CLI::App* verb = trials.add_subcommand(
      "stop", "End one trial; its last value stays, and the search goes on");
  auto request = std::make_shared<v1::StopTrialRequest>();
  DeclareTrial(*verb, request)->required()->check(CLI::PositiveNumber);
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request] {
    invocation.set_action([&invocation, request]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                               invocation.Client());
      VERNIER_ASSIGN_OR_RETURN(const std::string text,
                               client->CallForJson(&Jobs::StopTrial, *request));
      VERNIER_ASSIGN_OR_RETURN(const std::string typed, TypedTrial(text));
      VERNIER_RETURN_IF_ERROR(
          invocation.Print(typed, TrialFieldTable(typed, invocation.digits())));
      return kExitDone;
    });
  });
}

// Prints the trial's metric problems below the table of its values: which could
// not be taken, and how others were interpreted.
absl::Status PrintMetricProblems(Invocation& invocation,
                                 const v1::ListMeasurementsRequest& listed) {
  v1::GetTrialRequest request;
  request.set_job_id(listed.job_id());
  request.set_trial_id(listed.trial_id());
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  VERNIER_ASSIGN_OR_RETURN(const v1::Trial trial,
                           client->Call(&Jobs::GetTrial, request));
  for (const std::string& problem : trial.metric_problems()) {
    PrintTo(stderr, "note: %s\n", problem);
  }
  return absl::OkStatus();
}

void DeclareMeasurements(CLI::App& trials, Invocation& invocation) {
  CLI::App* verb =
      trials.add_subcommand("measurements",
                            "What a trial reported, step by step, and "
                            "what could not be taken");
  auto request = std::make_shared<v1::ListMeasurementsRequest>();
  DeclareTrial(*verb, request)->required()->check(CLI::NonNegativeNumber);
  verb->add_option("--metric", *request->mutable_metric(), "Only this metric");
  DeclareLimit(*verb, request, "--limit", "At most so many");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request] {
    invocation.set_action([&invocation, request]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                               invocation.Client());
      VERNIER_ASSIGN_OR_RETURN(
          const std::string answer,
          client->CallForJson(&Jobs::ListMeasurements, *request));
      VERNIER_ASSIGN_OR_RETURN(const std::string list, MeasurementsIn(answer));
      VERNIER_RETURN_IF_ERROR(
          invocation.Print(list, MeasurementTable(list, invocation.digits()),
                           PathsOf(Resource::kMeasurement)));
      invocation.NoteIfEmpty(list);
      if (invocation.wants_table()) {
        VERNIER_RETURN_IF_ERROR(PrintMetricProblems(invocation, *request));
      }
      return kExitDone;
    });
  });
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

absl::StatusOr<int> Propose(Invocation& invocation, const AddFlags& flags,
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
    VERNIER_RETURN_IF_ERROR(
        invocation.Print(text, StudyFieldTable(text, invocation.digits())));
    return kExitDone;
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
          waiting, waiting == 1 ? "" : "s", flags.source->c_str(),
          waiting == 1 ? "s" : "", flags.job.c_str());
  return kExitDone;
}

absl::StatusOr<int> AddTrials(Invocation& invocation, const AddFlags& flags) {
  VERNIER_ASSIGN_OR_RETURN(const std::string points, PointsOf(flags));
  if (flags.source.has_value()) return Propose(invocation, flags, points);
  v1::AddTrialsRequest request;
  VERNIER_RETURN_IF_ERROR(ReadMessage(
      "points", absl::StrCat("{\"points\":", points, "}"), &request));
  request.set_job_id(flags.job);
  request.set_request_id(RandomHex());
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           CallForJson(invocation, &Jobs::AddTrials, request));
  if (!invocation.wants_table()) {
    VERNIER_RETURN_IF_ERROR(invocation.Print(
        text, JobFieldTable(text, invocation.digits()), PathsOfJob(text)));
    return kExitDone;
  }
  VERNIER_ASSIGN_OR_RETURN(const Json added, ParseJson(points));
  VERNIER_ASSIGN_OR_RETURN(const Json job, ParseJson(text));
  const std::size_t waiting = job.value("vernier", Json::object())
                                  .value("queuedPoints", Json::array())
                                  .size();
  PrintTo(stderr, "Job [%s] tries %zu more point%s next; %zu wait%s.\n",
          flags.job.c_str(), added.size(), added.size() == 1 ? "" : "s",
          waiting, waiting == 1 ? "s" : "");
  return kExitDone;
}

void DeclareAdd(CLI::App& trials, Invocation& invocation) {
  CLI::App* verb = trials.add_subcommand(
      "add",
      "Give a point by hand; it is tried before any suggestion, or, with "
      "--source, when the source is trusted");
  auto flags = std::make_shared<AddFlags>();
  verb->add_option("JOB", flags->job,
                   "Name of the job; with --source, of any study")
      ->required();
  CLI::Option* param =
      verb->add_option("--param", flags->params,
                       "NAME=VALUE, once per parameter; without: its default")
          ->take_all();
  verb->add_option("--params-file", flags->params_file,
                   "JSON: an object of names and values, or a list of them")
      ->excludes(param);
  verb->add_option("--source", flags->source,
                   "Who proposes the point, a name: it is tried only if the "
                   "name is trusted more than the search");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, flags] {
    invocation.set_action(
        [&invocation, flags] { return AddTrials(invocation, *flags); });
  });
}

absl::StatusOr<int> PrintLogs(Invocation& invocation,
                              const v1::ReadLogRequest& request) {
  VERNIER_RETURN_IF_ERROR(invocation.CheckLineFormat("logs"));
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  VERNIER_RETURN_IF_ERROR(PrintLog(*client, request,
                                   invocation.wants_table()
                                       ? LogPrinter::Style::kHeaders
                                       : LogPrinter::Style::kJson));
  return kExitDone;
}

void DeclareLogs(CLI::App& trials, Invocation& invocation) {
  CLI::App* verb =
      trials.add_subcommand("logs", "Print the logs of a trial, or of all");
  auto request = std::make_shared<v1::ReadLogRequest>();
  auto follow = std::make_shared<bool>(false);
  DeclareTrial(*verb, request, "Number of the trial; default: all")
      ->check(CLI::NonNegativeNumber);
  verb->add_option_function<int>(
          "--attempt",
          [request](int attempt) { request->set_attempt(attempt); },
          "Default: the newest")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--replica,--task-name", *request->mutable_replica(),
                   "E.g. worker-replica-2; default: all");
  verb->add_option_function<int>(
          "--tail", [request](int lines) { request->set_tail_lines(lines); },
          "Only the last so many lines")
      ->check(CLI::NonNegativeNumber);
  verb->add_flag("-f,--follow", *follow, "Go on until it ends");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request, follow] {
    invocation.set_action([&invocation, request, follow] {
      request->set_follow(*follow);
      return PrintLogs(invocation, *request);
    });
  });
}

void DeclareCommand(CLI::App& trials, Invocation& invocation) {
  CLI::App* verb = trials.add_subcommand(
      "command", "Print a shell line that runs a trial by hand");
  auto request = std::make_shared<v1::GetTrialCommandRequest>();
  DeclareTrial(*verb, request)->required();
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request] {
    invocation.set_action([&invocation, request]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(
          const std::string answer,
          CallForJson(invocation, &Jobs::GetTrialCommand, *request));
      VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(answer));
      const std::string line = document.value("line", "");
      const std::string note = document.value("note", "");
      if (!invocation.wants_table()) {
        TextTable table;
        VERNIER_RETURN_IF_ERROR(invocation.Print(answer, table));
        return kExitDone;
      }
      WriteData(stdout, line + "\n");
      if (!note.empty()) {
        PrintTo(stderr, "vernier: note: %s\n", note.c_str());
      }
      return kExitDone;
    });
  });
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
