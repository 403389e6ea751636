#include <unistd.h>
#include <vernier/v1/job_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/service_call.h"
#include "cli/command/verb.h"
#include "cli/display/local_time.h"
#include "cli/display/resource_paths.h"
#include "cli/text/console.h"
#include "cli/verbs/verbs.h"
#include "client/client_connection.h"

namespace vernier {
namespace {

using Jobs = v1::JobService::Stub;

/// Returns an event as a line: time, number, job, what happened. The output of
/// a program before it failed continues below, indented.
std::string EventLine(const Json& event) {
  return absl::StrCat(
      LocalTime(event.value("time", "")), "  ", event.value("sequence", ""),
      "  ", event.value("jobId", ""), "  ",
      absl::StrReplaceAll(absl::StripAsciiWhitespace(event.value("text", "")),
                          {{"\n", "\n    "}}),
      "\n");
}

struct EventFlags {
  v1::WatchEventsRequest request;
  bool follow = false;
};

absl::Status WatchEvents(Invocation& invocation, const EventFlags& flags) {
  VERNIER_RETURN_IF_ERROR(invocation.CheckLineFormat("events"));
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  v1::WatchEventsRequest request = flags.request;
  request.set_until_now(!flags.follow);
  request.set_stop_at_end(flags.follow && !request.job_id().empty());
  return client->StreamForJson(
      &Jobs::WatchEvents, request, [&](const std::string& text) {
        absl::StatusOr<Json> event = ParseJson(text);
        const bool is_written = invocation.wants_table() && event.ok()
                                    ? WriteText(stdout, EventLine(*event))
                                    : WriteData(stdout, text + "\n");
        return is_written && std::fflush(stdout) == 0;
      });
}

void DeclareEvents(CLI::App& app, Invocation& invocation) {
  const Verb<EventFlags> verb(app, invocation, "events",
                              "Print what happened to a job, or to all");
  EventFlags& flags = verb.words();
  verb->add_option("JOB", *flags.request.mutable_job_id(),
                   "Name of the job; default: all");
  verb->add_option_function<std::int64_t>(
          "--after",
          [&flags](std::int64_t number) {
            flags.request.set_after_sequence(number);
          },
          "Only events after this number")
      ->check(CLI::NonNegativeNumber);
  verb->add_flag("-f,--follow", flags.follow, "Go on as events come");
  verb.Does(Flags::kJob, &WatchEvents);
}

absl::Status Explain(const Call& call, const v1::ExplainRequest& request) {
  VERNIER_ASSIGN_OR_RETURN(const v1::ExplainResponse response,
                           call.client.Call(&Jobs::Explain, request));
  std::string text = response.text();
  if (!call.invocation.wants_table()) {
    return call.invocation.Show(Json{{"text", text}},
                                TextTable{{"text"}, {{text}}});
  }
  if (text.empty() || text.back() != '\n') text += '\n';
  WriteText(stdout, text);
  return absl::OkStatus();
}

void DeclareWhy(CLI::App& app, Invocation& invocation) {
  const Verb<v1::ExplainRequest> verb(
      app, invocation, "why",
      "Say why a job or a trial is as it is, and what it waits for");
  verb.Needs("JOB", *verb.words().mutable_job_id(), "Name of the job");
  verb.Sets("TRIAL", &v1::ExplainRequest::set_trial_id, "Number of the trial")
      ->check(CLI::NonNegativeNumber);
  verb.Does(Flags::kJob, &Explain);
}

absl::Status ShowInfo(const Call& call, const NoWords&) {
  VERNIER_ASSIGN_OR_RETURN(const Json info,
                           Ask(call.client, &Jobs::GetServiceInfo, {}));
  TextTable table{{"FIELD", "VALUE"}, {}};
  for (const auto& [key, value] : info.items()) {
    if (key == "notes") {
      for (const Json& note : value) {
        table.rows.push_back({"note", note.get<std::string>()});
      }
    } else if (value.is_array()) {
      for (const Json& device : value) {
        table.rows.push_back({"gpu", DumpJson(device)});
      }
    } else {
      table.rows.push_back({key, PlainText(value)});
    }
  }
  return call.invocation.Show(info, table, PathsOf(Resource::kServiceInfo));
}

}  // namespace

void DeclareInspectVerbs(CLI::App& app, Invocation& invocation) {
  DeclareEvents(app, invocation);
  DeclareWhy(app, invocation);
  Verb<NoWords>(app, invocation, "info",
                "Show the service: version, data directory, GPUs")
      .Does(Flags::kJob, &ShowInfo);
}

}  // namespace vernier
