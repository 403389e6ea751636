#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/display/yaml_text.h"
#include "cli/submission/job_submission.h"
#include "cli/text/console.h"
#include "cli/text/terminal_text.h"
#include "cli/verbs/verbs.h"
#include "study/job_file/job_parser.h"
#include "study/study_file/study_file_writer.h"

namespace vernier {
namespace {

// Returns the study file that corresponds to a job file.
absl::StatusOr<std::string> AsStudyFile(const ParsedJob& job,
                                        const std::string& file) {
  VERNIER_ASSIGN_OR_RETURN(const WrittenStudyFile written,
                           WriteStudyFile(job.json));
  for (const std::string& field : written.left_out) {
    PrintTo(stderr,
            "vernier: note: %s is left out: a study file has no word for it\n",
            Printable(field, LineBreaks::kToBlanks).c_str());
  }
  // These are from the file of another tool; a job file's own are among the
  // others.
  for (const std::string& field : NoteForeignFields(job)) {
    const auto& said = written.left_out;
    if (std::find(said.begin(), said.end(), field) != said.end()) continue;
    PrintTo(stderr, "vernier: note: %s is left out: it has no counterpart\n",
            Printable(field, LineBreaks::kToBlanks).c_str());
  }
  // Checks that the result is a file that can be read.
  ParseJobOptions options;
  options.file_name = absl::StrCat("the study file of ", JobFileName(file));
  options.require_job_id = false;
  VERNIER_RETURN_IF_ERROR(ParseJob(written.text, options).status());
  return written.text;
}

absl::StatusOr<int> Convert(const std::string& file) {
  VERNIER_ASSIGN_OR_RETURN(const std::string text, ReadJobFile(file));
  VERNIER_RETURN_IF_ERROR(CheckHasContent(text, file));
  const JobDocument document = DocumentOfFile(text, file);
  VERNIER_ASSIGN_OR_RETURN(const ParsedJob job,
                           document.ToJob(JobCompleteness::kMayBeAdded));
  VERNIER_ASSIGN_OR_RETURN(const std::string other,
                           document.is_study_file() ? YamlFromJson(job.json)
                                                    : AsStudyFile(job, file));
  PrintTo(stdout, "%s", Printable(other, LineBreaks::kKeep).c_str());
  return kExitDone;
}

}  // namespace

void DeclareConvertVerb(CLI::App& app, Invocation& invocation) {
  CLI::App* verb = app.add_subcommand(
      "convert",
      "Print a job file, or that of another tool, as a study file, or a study "
      "file as a job file");
  auto file = std::make_shared<std::string>();
  verb->add_option("file", *file, "Study file or job file; - is standard input")
      ->required();
  verb->callback([&invocation, file] {
    invocation.set_action([file] { return Convert(*file); });
  });
}

}  // namespace vernier
