#include "cluster/slurm/probe_report.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "base/version.h"
#include "base/whole_number.h"

namespace vernier {
namespace {

constexpr std::size_t kMostReportBytes = 4096;
constexpr std::size_t kMostWords = 500;
constexpr char kReportEnd[] = ".";

std::string ReportPath(const std::string& folder) { return folder + "/report"; }
std::string ScriptPath(const std::string& folder) { return folder + "/job.sh"; }

// Returns the batch script. Slurm copies it to the node, so it runs even where
// the folder is not visible; in that case its output is lost.
std::string ScriptOf(const ProbePlan& plan) {
  const std::string folder = InSingleQuotes(plan.folder);
  return absl::StrCat(
      "#!/bin/sh\nfolder=", folder, "\nread -r nonce < \"$folder/nonce\" &&\n",
      "  [ \"$nonce\" = ", plan.nonce, " ] || exit 9\n",
      InSingleQuotes(plan.program), " slurm-probe \"$folder\" ",
      InSingleQuotes(plan.url), " && exit 0\n",
      "printf 'program %s\\nnode %s\\n.\\n' $? \"$SLURMD_NODENAME\"",
      " > \"$folder/report\"\n");
}

std::string OneLine(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text.substr(0, kMostWords);
}

ProbeFinding Found(const ProbePlan& plan, const NodeReport& report) {
  ProbeFinding finding;
  finding.is_over = true;
  if (report.program_failure) {
    finding.obstacle = absl::StrCat(
        "node ", report.node, " cannot run ", plan.program, " (exit status ",
        *report.program_failure,
        "): put the program where the nodes see it, or say --slurm-program");
    return finding;
  }
  if (!report.url_error.empty()) {
    finding.hindrance = absl::StrCat("node ", report.node, " does not reach ",
                                     plan.url, ": ", report.url_error);
  } else if (report.version != kVersion) {
    finding.hindrance =
        absl::StrCat("node ", report.node, " has version ", report.version,
                     " of ", plan.program, "; this service is ", kVersion);
  }
  return finding;
}

}  // namespace

absl::Status MakeProbeFolder(const ProbePlan& plan) {
  VERNIER_RETURN_IF_ERROR(MakeDirectories(plan.folder));
  VERNIER_RETURN_IF_ERROR(
      OverwriteFile(plan.folder + "/nonce", plan.nonce + "\n"));
  // The report exists from the beginning, because NFS remembers if a file does
  // not exist.
  VERNIER_RETURN_IF_ERROR(OverwriteFile(ReportPath(plan.folder), ""));
  return OverwriteFile(ScriptPath(plan.folder), ScriptOf(plan));
}

SbatchCall CallFor(const ProbePlan& plan, const SlurmOptions& defaults) {
  SbatchCall call{plan.name, {}};
  // If the node does not see the folder, a log or a work folder in it would end
  // the job before it has reported anything.
  call.words = {"--parsable",         "--no-requeue",
                "--export=ALL",       "--job-name=" + plan.name,
                "--comment=vernier",  "--chdir=/",
                "--output=/dev/null", "--time=2",
                "--ntasks=1",         "--cpus-per-task=1"};
  for (std::string& word : SiteWords(defaults)) {
    call.words.push_back(std::move(word));
  }
  call.words.insert(call.words.end(), defaults.extra_args.begin(),
                    defaults.extra_args.end());
  call.words.push_back(ScriptPath(plan.folder));
  return call;
}

absl::Status WriteNodeReport(const std::string& folder,
                             const NodeReport& report) {
  std::string text = absl::StrCat("node ", OneLine(report.node), "\nversion ",
                                  OneLine(report.version), "\n");
  if (!report.url_error.empty()) {
    absl::StrAppend(&text, "url ", OneLine(report.url_error), "\n");
  }
  if (report.program_failure) {
    absl::StrAppend(&text, "program ", *report.program_failure, "\n");
  }
  return OverwriteFile(ReportPath(folder),
                       absl::StrCat(text, kReportEnd, "\n"));
}

std::optional<NodeReport> ReadNodeReport(const std::string& folder) {
  const absl::StatusOr<std::string> text =
      ReadSmallFile(ReportPath(folder), kMostReportBytes);
  if (!text.ok()) return std::nullopt;
  NodeReport report;
  for (const auto line : absl::StrSplit(*text, '\n')) {
    const std::pair<std::string, std::string> entry =
        absl::StrSplit(line, absl::MaxSplits(' ', 1));
    const auto& [name, value] = entry;
    // This line shows that the report is complete.
    if (name == kReportEnd) return report;
    if (name == "node") report.node = value;
    if (name == "version") report.version = value;
    if (name == "url") report.url_error = value;
    if (name == "program") {
      report.program_failure =
          static_cast<int>(ParseWholeNumber(value).value_or(1));
    }
  }
  return std::nullopt;
}

ProbeFinding JudgeProbe(const ProbePlan& plan,
                        const std::optional<ListedJob>& job,
                        const std::optional<NodeReport>& report, bool is_late) {
  if (report) return Found(plan, *report);
  ProbeFinding finding;
  if (!is_late || (job && !IsFinal(job->state))) return finding;
  finding.is_over = true;
  if (!job) {
    finding.hindrance = "the job that was to look at a node is not listed";
  } else if (job->state != SlurmState::kFailed &&
             job->state != SlurmState::kCompleted) {
    // The job ended for a reason that proves nothing about the folder.
    finding.hindrance =
        absl::StrCat("the job that was to look at a node ended as ", job->word);
  } else {
    finding.obstacle = absl::StrCat(
        "node ", job->nodes, " does not see ", plan.folder,
        ", or cannot write there: the data directory must be on a file system "
        "that the nodes share, at the same path (a probe job ended as ",
        job->word, job->reason.empty() ? "" : ": ", job->reason, ")");
  }
  return finding;
}

}  // namespace vernier
