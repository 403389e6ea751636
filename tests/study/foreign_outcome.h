#ifndef VERNIER_TESTS_STUDY_FOREIGN_OUTCOME_H_
#define VERNIER_TESTS_STUDY_FOREIGN_OUTCOME_H_

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_replace.h"
#include "base/json.h"
#include "study/job_file/job_document.h"
#include "study/job_file/job_parser.h"

namespace vernier {

/// What another tool's file has become.
struct ForeignOutcome {
  Json job;
  std::vector<std::string> notes;    ///< FILE:LINE:COLUMN: FIELD: TEXT
  std::vector<std::string> ignored;  ///< Fields.
  std::string error;

  const Json& search() const { return job["trainingInput"]["hyperparameters"]; }
  const Json& params() const { return search()["params"]; }
  const Json& vernier() const { return job["vernier"]; }
};

inline ForeignOutcome ReadForeign(
    const std::string& text,
    const JobDocument::ReadBeside& read_beside = nullptr) {
  const JobDocument document(text, "f", read_beside);
  const auto job = document.ToJob(JobCompleteness::kMayBeAdded);
  if (!job.ok()) return {Json(), {}, {}, std::string(job.status().message())};
  // What is stored is the same job again.
  const auto again = ParseJob(job->json, {"again", false});
  EXPECT_EQ(again.ok() ? again->json : again.status().ToString(), job->json);
  ForeignOutcome outcome = {*ParseJson(job->json), {}, job->ignored_fields, ""};
  for (const SpecError& note : job->notes) {
    outcome.notes.push_back(FormatSpecError(note));
  }
  return outcome;
}

/// Reads `text` with `from` replaced, which must be in it.
inline ForeignOutcome ReadForeignWith(const std::string& text,
                                      const std::string& from,
                                      const std::string& to) {
  const std::string changed = absl::StrReplaceAll(text, {{from, to}});
  EXPECT_NE(changed, text) << from;
  return ReadForeign(changed);
}

}  // namespace vernier

#endif  // VERNIER_TESTS_STUDY_FOREIGN_OUTCOME_H_
