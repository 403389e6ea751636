#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "cli/command/verb.h"
#include "cli/display/yaml_text.h"
#include "cli/submission/job_submission.h"
#include "cli/text/console.h"
#include "cli/text/terminal_text.h"
#include "cli/verbs/verbs.h"
#include "study/job_file/job_parser.h"
#include "study/study_file/study_file_writer.h"

namespace vernier {
namespace {

// Reads the study file of `file` back. Its text is not shown if it has a
// mistake, so that messages have no lines.
absl::StatusOr<ParsedJob> ReadBack(const std::string& text,
                                   const std::string& file) {
  ParseJobOptions options;
  options.require_job_id = false;
  std::vector<SpecError> errors;
  absl::StatusOr<ParsedJob> read = ParseJob(text, options, &errors);
  if (read.ok()) return read;
  std::string message = absl::StrCat(
      JobFileName(file), " cannot be written as a study file; run it as it is");
  for (SpecError& error : errors) {
    error.line = 0;
    absl::StrAppend(&message, "\n", FormatSpecError(error));
  }
  return absl::InvalidArgumentError(message);
}

// True if `noted` has the field, or fields below it.
bool IsNoted(const std::vector<std::string>& noted, const std::string& field) {
  return std::any_of(noted.begin(), noted.end(),
                     [&field](const std::string& each) {
                       return each == field || each.starts_with(field + ".");
                     });
}

// Says which fields of a job are not in its study file, `written`, which means
// the job `read`.
void NoteLeftOut(const ParsedJob& job, const WrittenStudyFile& written,
                 const ParsedJob& read) {
  for (const std::string& field : written.left_out) {
    PrintTo(stderr,
            "vernier: note: %s is left out: a study file has no word for it\n",
            Printable(field, LineBreaks::kToBlanks).c_str());
  }
  const JobDocument document = DocumentOf(read);
  // Some fields without effect have a word all the same.
  for (const std::string& field : NoteForeignFields(job)) {
    const std::vector<std::string> path = absl::StrSplit(field, '.');
    if (IsNoted(written.left_out, field) || document.Find(path) != nullptr) {
      continue;
    }
    PrintTo(stderr, "vernier: note: %s is left out: it has no counterpart\n",
            Printable(field, LineBreaks::kToBlanks).c_str());
  }
}

// Returns the study file that corresponds to a job file.
absl::StatusOr<std::string> AsStudyFile(const ParsedJob& job,
                                        const std::string& file) {
  const absl::StatusOr<WrittenStudyFile> written = WriteStudyFile(job.json);
  if (!written.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        JobFileName(file), ": ", std::string(written.status().message())));
  }
  VERNIER_ASSIGN_OR_RETURN(const ParsedJob read, ReadBack(written->text, file));
  NoteLeftOut(job, *written, read);
  return written->text;
}

absl::Status Convert(Invocation&, const std::string& file) {
  VERNIER_ASSIGN_OR_RETURN(const std::string text, ReadJobFile(file));
  VERNIER_RETURN_IF_ERROR(CheckHasContent(text, file));
  const JobDocument document = DocumentOfFile(text, file);
  VERNIER_ASSIGN_OR_RETURN(const ParsedJob job,
                           document.ToJob(JobCompleteness::kMayBeAdded));
  VERNIER_ASSIGN_OR_RETURN(const std::string other,
                           document.is_study_file() ? YamlFromJson(job.json)
                                                    : AsStudyFile(job, file));
  PrintTo(stdout, "%s", Printable(other, LineBreaks::kKeep).c_str());
  return absl::OkStatus();
}

}  // namespace

void DeclareConvertVerb(CLI::App& app, Invocation& invocation) {
  const Verb<std::string> verb(
      app, invocation, "convert",
      "Print a job file, or that of another tool, as a study file, or a study "
      "file as a job file");
  verb.Needs("file", verb.words(),
             "Study file or job file; - is standard input");
  verb.Does(Flags::kNone, &Convert);
}

}  // namespace vernier
