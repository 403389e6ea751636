#ifndef VERNIER_STUDY_JOB_FILE_JOB_PARSER_H_
#define VERNIER_STUDY_JOB_FILE_JOB_PARSER_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "study/config/spec_error.h"
#include "study/job_file/job_document.h"
#include "study/job_spec.h"

namespace vernier {

/// A job as parsed: the typed spec and its AI Platform JSON.
struct ParsedJob {
  JobSpec spec;
  /// The job in AI Platform's JSON form, one line: only the fields the user
  /// gave, normalised (numbers unquoted or quoted as the API does, enum names
  /// in full, int64 as strings). Parsing it again gives the same spec and JSON.
  /// Fields that only the service sets (state, createTime, ...) are left out.
  std::string json;
  /// Fields that were accepted but have no effect here, as field paths.
  std::vector<std::string> ignored_fields;
  /// What became of the fields of another tool's file that have no counterpart,
  /// with the place and the reason. Those without effect are also among
  /// `ignored_fields`.
  std::vector<SpecError> notes = {};
  /// Secret variables that go with the job, by name. They are in neither `spec`
  /// nor `json`; the parser leaves this empty, and callers that have secrets
  /// fill it.
  std::map<std::string, std::string> secrets = {};
  /// The document that the parser made the job from; none if the job came from
  /// elsewhere, such as the store.
  std::optional<JobDocument> document = std::nullopt;
};

struct ParseJobOptions {
  std::string file_name;       ///< For messages.
  bool require_job_id = true;  ///< Off while a CLI may still add it.
};

/// Parses and validates a job in YAML or JSON (docs/job-file.md). Total: any
/// bytes give a ParsedJob or all errors of the input, in the order of their
/// lines. Bounded: at most 16 MiB, 100 levels, 1,000,000 nodes after aliases.
///
/// This is the only way to a JobSpec: files, flags and RPCs all come through
/// it. Thread-safe.
///
/// Returns INVALID_ARGUMENT whose message is one FormatSpecError line per
/// error; `errors`, if not null, receives them one by one. Callers that have
/// flags to apply, or need the job more than once, use JobDocument.
absl::StatusOr<ParsedJob> ParseJob(std::string_view text,
                                   const ParseJobOptions& options,
                                   std::vector<SpecError>* errors = nullptr);

/// Parses a job's JSON that ParseJob made and the service keeps. A job that an
/// older version accepted stays valid: rules that were added since
/// (ObjectReader::NewRuleError) hold for new jobs only. Otherwise as ParseJob.
absl::StatusOr<ParsedJob> ParseStoredJob(std::string_view json);

/// Parses and validates the `hyperparameters` of a job by themselves, for
/// studies without one. QUASI_RANDOM_SEARCH may be their algorithm. Otherwise
/// as ParseJob.
absl::StatusOr<HyperparameterSpec> ParseHyperparameters(std::string_view text);

/// Returns the document that a job was made from, or one made from its JSON if
/// there is none.
JobDocument DocumentOf(const ParsedJob& job);

/// Returns `job` with `overrides` applied to the document that it was made
/// from; its secrets stay. The errors are ParseJob's.
absl::StatusOr<ParsedJob> WithOverrides(
    const ParsedJob& job, const std::vector<FieldOverride>& overrides);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_JOB_PARSER_H_
