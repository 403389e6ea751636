#include "cli/command/invocation.h"

#include <unistd.h>
#include <vernier/v1/job_service.grpc.pb.h>
#include <vernier/v1/study_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/nearest_name.h"
#include "base/status_macros.h"
#include "cli/background/service_finder.h"
#include "cli/command/completion.h"
#include "cli/display/output_format.h"
#include "cli/display/terminal.h"
#include "cli/text/console.h"
#include "client/client_connection.h"
#include "study/job_id.h"

namespace vernier {

Invocation::Invocation(std::optional<std::vector<std::string>> tail)
    : tail_(std::move(tail)) {}
Invocation::~Invocation() = default;

void Invocation::DeclareFormatFlag(CLI::App& app) {
  app.add_option("--format", format_,
                 "table, json, yaml, csv or value(PATH,...)");
}

void Invocation::DeclareClientFlags(CLI::App& app) {
  DeclareFormatFlag(app);
  app.add_option("--endpoint", endpoint_,
                 "Service: unix:PATH or HOST:PORT (default $VERNIER_ENDPOINT, "
                 "else the one of the data directory)");
  app.add_option("--data-dir", data_dir_,
                 "Data directory of the service (default $VERNIER_HOME)");
}

void Invocation::DeclareJobFlags(CLI::App& app) {
  DeclareClientFlags(app);
  app.add_option("--project", project_,
                 "Whose jobs: names are this project's, and so are lists "
                 "(default $VERNIER_PROJECT; NAME@PROJECT works, too)");
}

ClientCredentials Invocation::Credentials() const {
  auto credentials = CredentialsOfEnvironment();
  if (!project_.empty()) credentials.project = project_;
  return credentials;
}

absl::StatusOr<const ClientConnection*> Invocation::Client() {
  if (client_ == nullptr) {
    const auto credentials = Credentials();
    if (!credentials.project.empty()) {
      VERNIER_RETURN_IF_ERROR(CheckProjectId(credentials.project));
    }
    VERNIER_ASSIGN_OR_RETURN(const Endpoint endpoint,
                             FindService(endpoint_, data_dir_));
    client_ = std::make_unique<const ClientConnection>(endpoint, credentials);
  }
  return client_.get();
}

absl::StatusOr<const ClientConnection*> Invocation::Reconnect() {
  client_.reset();
  return Client();
}

bool Invocation::has_named_service() const {
  return !NamedEndpoint(endpoint_, data_dir_).empty();
}

bool Invocation::SpeaksToOwnService() const {
  const std::string named = NamedEndpoint(endpoint_, data_dir_);
  return named.empty() || named.rfind("unix:", 0) == 0;
}

std::vector<std::string> Invocation::JobNamesNow(const std::string& prefix) {
  constexpr int kMostNames = 500;
  std::vector<std::string> names;
  const std::optional<Endpoint> service = RunningService(endpoint_, data_dir_);
  if (!service.has_value()) return names;
  const ClientConnection client(*service, Credentials());
  v1::ListJobsRequest request;
  request.set_page_size(kMostNames);
  const auto answer =
      client.CallForJson(&v1::JobService::Stub::ListJobs, request);
  const auto jobs =
      answer.ok() ? ParseJson(*answer) : absl::StatusOr<Json>(answer.status());
  if (!jobs.ok()) return names;
  for (const Json& job : jobs->value("jobs", Json::array())) {
    const std::string name = job.value("jobId", "");
    if (name.rfind(prefix, 0) == 0) names.push_back(name);
  }
  return names;
}

std::vector<std::string> Invocation::StudyNamesNow(const std::string& prefix) {
  std::vector<std::string> names;
  const std::optional<Endpoint> service = RunningService(endpoint_, data_dir_);
  if (!service.has_value()) return names;
  const ClientConnection client(*service, Credentials());
  const auto answer =
      client.CallForJson(&v1::StudyService::Stub::ListStudies, {});
  if (!answer.ok()) return names;
  names = StudyNames(*answer, JobNamesNow(""));
  std::erase_if(names, [&prefix](const std::string& name) {
    return name.rfind(prefix, 0) != 0;
  });
  return names;
}

absl::Status Invocation::Print(std::string_view json,
                               const absl::StatusOr<TextTable>& table,
                               const PathCheck& may_be_absent) const {
  VERNIER_ASSIGN_OR_RETURN(const OutputFormat format,
                           ParseOutputFormat(format_));
  VERNIER_RETURN_IF_ERROR(table.status());
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           Render(format, json, *table, may_be_absent,
                                  StandardOutput().palette, TableWidth()));
  if (format.kind == OutputFormat::Kind::kTable) {
    WritePainted(stdout, text);
  } else {
    WriteData(stdout, text);
  }
  if (std::fflush(stdout) != 0) {
    return absl::InternalError("cannot write to standard output");
  }
  return absl::OkStatus();
}

absl::Status Invocation::Show(const Json& document, const TextTable& table,
                              const PathCheck& may_be_absent) const {
  return Print(DumpJson(document), table, may_be_absent);
}

void Invocation::NoteIfEmpty(const std::string& list) const {
  // A list that came in pieces ends with a line end.
  if ((list == "[]" || list == "[]\n") && wants_table())
    PrintTo(stderr, "Listed 0 items.\n");
}

absl::Status Invocation::CheckLineFormat(const std::string& what) const {
  if (wants_table() || format_ == "json") return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--format of ", what, " must be table or json: ", format_));
}

std::string Invocation::EndpointHint() const {
  const bool is_flag = !endpoint_.empty();
  if (client_ == nullptr || NamedEndpoint(endpoint_, data_dir_).empty()) {
    return "";
  }
  const std::string where = is_flag ? "leave out --endpoint"
                                    : "unset VERNIER_ENDPOINT, which named it";
  const absl::StatusOr<Endpoint> own = OwnSocket(data_dir_);
  if (!own.ok()) return "";
  if (!SomebodyListens(own->socket_path)) {
    return absl::StrCat("; to start a service of your own, ", where);
  }
  return absl::StrCat("; your own service listens at ", own->ToString(),
                      ": to reach it, ", where);
}

std::string Invocation::FlagsForHints() const {
  std::string flags;
  if (!endpoint_.empty()) absl::StrAppend(&flags, " --endpoint ", endpoint_);
  if (!data_dir_.empty()) absl::StrAppend(&flags, " --data-dir ", data_dir_);
  return flags;
}

std::string Invocation::WholeJobName(const std::string& name) const {
  const std::string project = Credentials().project;
  // A plain name means the default project, unless a variable says otherwise.
  const bool is_plain =
      project.empty() || (project == kDefaultProject &&
                          CredentialsOfEnvironment().project.empty());
  return is_plain || name.find('@') != std::string::npos
             ? name
             : absl::StrCat(name, "@", project);
}

std::string Invocation::NearestJobHint(const std::string& name,
                                       bool may_be_study) {
  const JobIdParts asked = SplitJobId(WholeJobName(name));
  const bool is_plain = name.find('@') == std::string::npos;
  std::vector<std::string> names;
  for (const std::string& each : JobNamesNow("")) {
    const JobIdParts job = SplitJobId(each);
    if (job.project == asked.project) names.push_back(job.name);
  }
  if (may_be_study && is_plain) {
    for (std::string& study : StudyNamesNow("")) {
      names.push_back(std::move(study));
    }
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view nearest = NearestName(asked.name, known);
  if (nearest.empty()) return "";
  return absl::StrCat("; did you mean ", std::string(nearest),
                      is_plain ? "" : "@" + asked.project, "?");
}

}  // namespace vernier
