#include <unistd.h>
#include <vernier/v1/job_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/service_call.h"
#include "cli/display/local_time.h"
#include "cli/display/resource_paths.h"
#include "cli/display/resource_tables.h"
#include "cli/text/console.h"
#include "cli/text/terminal_text.h"
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

absl::StatusOr<int> WatchEvents(Invocation& invocation,
                                const v1::WatchEventsRequest& request) {
  VERNIER_RETURN_IF_ERROR(invocation.CheckLineFormat("events"));
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  VERNIER_RETURN_IF_ERROR(client->StreamForJson(
      &Jobs::WatchEvents, request, [&](const std::string& text) {
        absl::StatusOr<Json> event = ParseJson(text);
        const bool is_written = invocation.wants_table() && event.ok()
                                    ? WriteText(stdout, EventLine(*event))
                                    : WriteData(stdout, text + "\n");
        return is_written && std::fflush(stdout) == 0;
      }));
  return kExitDone;
}

void DeclareEvents(CLI::App& app, Invocation& invocation) {
  CLI::App* verb =
      app.add_subcommand("events", "Print what happened to a job, or to all");
  auto request = std::make_shared<v1::WatchEventsRequest>();
  auto follow = std::make_shared<bool>(false);
  verb->add_option("JOB", *request->mutable_job_id(),
                   "Name of the job; default: all");
  verb->add_option_function<std::int64_t>(
          "--after",
          [request](std::int64_t number) {
            request->set_after_sequence(number);
          },
          "Only events after this number")
      ->check(CLI::NonNegativeNumber);
  verb->add_flag("-f,--follow", *follow, "Go on as events come");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request, follow] {
    invocation.set_action([&invocation, request, follow] {
      request->set_until_now(!*follow);
      request->set_stop_at_end(*follow && !request->job_id().empty());
      return WatchEvents(invocation, *request);
    });
  });
}

void DeclareWhy(CLI::App& app, Invocation& invocation) {
  CLI::App* verb = app.add_subcommand(
      "why", "Say why a job or a trial is as it is, and what it waits for");
  auto request = std::make_shared<v1::ExplainRequest>();
  verb->add_option("JOB", *request->mutable_job_id(), "Name of the job")
      ->required();
  verb->add_option_function<std::int64_t>(
          "TRIAL",
          [request](std::int64_t trial) { request->set_trial_id(trial); },
          "Number of the trial")
      ->check(CLI::NonNegativeNumber);
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request] {
    invocation.set_action([&invocation, request]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                               invocation.Client());
      VERNIER_ASSIGN_OR_RETURN(const v1::ExplainResponse response,
                               client->Call(&Jobs::Explain, *request));
      std::string text = response.text();
      if (!invocation.wants_table()) {
        Json document = Json::object();
        document["text"] = text;
        VERNIER_RETURN_IF_ERROR(invocation.Print(
            DumpJson(document), TextTable{{"text"}, {{text}}}));
        return kExitDone;
      }
      if (text.empty() || text.back() != '\n') text += '\n';
      WriteText(stdout, text);
      return kExitDone;
    });
  });
}

void DeclareInfo(CLI::App& app, Invocation& invocation) {
  CLI::App* verb = app.add_subcommand(
      "info", "Show the service: version, data directory, GPUs");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation] {
    invocation.set_action([&invocation]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(
          const std::string text,
          CallForJson(invocation, &Jobs::GetServiceInfo, {}));
      VERNIER_ASSIGN_OR_RETURN(const Json info, ParseJson(text));
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
          table.rows.push_back({key, value.is_string()
                                         ? value.get<std::string>()
                                         : DumpJson(value)});
        }
      }
      VERNIER_RETURN_IF_ERROR(
          invocation.Print(text, table, PathsOf(Resource::kServiceInfo)));
      return kExitDone;
    });
  });
}

}  // namespace

void DeclareInspectVerbs(CLI::App& app, Invocation& invocation) {
  DeclareEvents(app, invocation);
  DeclareWhy(app, invocation);
  DeclareInfo(app, invocation);
}

}  // namespace vernier
