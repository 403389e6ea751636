#include <vernier/v1/access_service.grpc.pb.h>
#include <vernier/v1/study_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/background/web_browser.h"
#include "cli/command/service_call.h"
#include "cli/command/verb.h"
#include "cli/display/duration_text.h"
#include "cli/text/console.h"
#include "cli/verbs/verbs.h"
#include "study/job_id.h"

namespace vernier {
namespace {

using Access = v1::AccessService::Stub;
using Studies = v1::StudyService::Stub;

struct UiFlags {
  std::string job;
  bool no_browser = false;
  bool read_only = false;
  v1::CreateSignInCodeRequest request;
  std::string lifetime;
};

/// Returns the address of a job's or a study's view in the page.
std::string ViewOf(const std::string& job) {
  return job.empty()
             ? ""
             : absl::StrCat("/jobs/", absl::StrReplaceAll(job, {{"%", "%25"},
                                                                {"/", "%2F"},
                                                                {"?", "%3F"},
                                                                {"#", "%23"},
                                                                {" ", "%20"}}));
}

/// Returns the name by which the page knows the job or study that the user
/// named. NOT_FOUND if there is none; the page would only report that after the
/// sign-in.
absl::StatusOr<std::string> NameInPage(Invocation& invocation,
                                       const UiFlags& flags) {
  const std::string& project = flags.request.project();
  const bool is_whole = flags.job.find_first_of("@/") != std::string::npos;
  const bool is_plain =
      project.empty() || project == kDefaultProject || is_whole;
  v1::GetStudyRequest request;
  request.set_study(is_plain ? flags.job
                             : absl::StrCat(flags.job, "@", project));
  VERNIER_ASSIGN_OR_RETURN(const Json study,
                           Ask(invocation, &Studies::GetStudy, request));
  return study.value("name", flags.job);
}

absl::Status OpenDashboard(Invocation& invocation, const UiFlags& flags) {
  v1::CreateSignInCodeRequest request = flags.request;
  request.set_read_only(flags.read_only);
  if (!flags.lifetime.empty()) {
    VERNIER_ASSIGN_OR_RETURN(const auto seconds, ParseDuration(flags.lifetime));
    request.mutable_lifetime()->set_seconds(seconds.count());
  }
  std::string job;
  if (!flags.job.empty()) {
    VERNIER_ASSIGN_OR_RETURN(job, NameInPage(invocation, flags));
  }
  VERNIER_ASSIGN_OR_RETURN(const Json answer,
                           Ask(invocation, &Access::CreateSignInCode, request));
  const std::string url = answer.value("url", "") + ViewOf(job);
  const bool opens = !flags.no_browser && HasWebBrowser();
  if (opens) {
    const absl::Status opened = OpenInBrowser(url);
    if (opened.ok()) {
      PrintTo(stderr, "Opening %s in the browser\n",
              url.substr(0, url.find('#')));
      return absl::OkStatus();
    }
    PrintTo(stderr, "vernier: %s\n", std::string(opened.message()));
  }
  PrintTo(stdout, "%s\n", url);
  std::fflush(stdout);
  PrintTo(stderr,
          "The address is good for one sign-in within two minutes. From "
          "another machine, first: ssh -L PORT:127.0.0.1:PORT HOST\n");
  return absl::OkStatus();
}

}  // namespace

void DeclareUiVerb(CLI::App& app, Invocation& invocation) {
  const Verb<UiFlags> verb(app, invocation, "ui",
                           "Open the dashboard in the browser");
  UiFlags& flags = verb.words();
  verb->add_option("JOB", flags.job, "Open this job's view; default: all");
  verb->add_flag("--no-browser", flags.no_browser,
                 "Only print the address to open");
  verb->add_flag("--read-only", flags.read_only,
                 "Only to look at one project; needs --project");
  verb->add_option("--project", *flags.request.mutable_project(),
                   "Show this project alone; default: all");
  verb->add_option("--for", flags.lifetime,
                   "How long the browser stays signed in; default: 12h");
  verb.Does(Flags::kClient, &OpenDashboard);
}

}  // namespace vernier
