#include "study/job_file/code_notes.h"

#include <optional>

#include "base/json.h"

namespace vernier {
namespace {

constexpr char kNotesKey[] = "codeNotes";

/// Returns nullopt if the job has no notes. Most have none, and those are not
/// parsed.
std::optional<Json> ParseNoted(const std::string& spec_json) {
  if (spec_json.find(kNotesKey) == std::string::npos) return std::nullopt;
  absl::StatusOr<Json> job = ParseJson(spec_json);
  if (!job.ok()) return std::nullopt;
  const auto section = job->find("vernier");
  if (section == job->end() || !section->contains(kNotesKey))
    return std::nullopt;
  return *std::move(job);
}

}  // namespace

std::vector<std::string> CodeNotesOf(const std::string& spec_json) {
  std::vector<std::string> notes;
  const std::optional<Json> job = ParseNoted(spec_json);
  if (!job.has_value()) return notes;
  for (const Json& note : job->at("vernier").at(kNotesKey)) {
    if (note.is_string()) notes.push_back(note.get<std::string>());
  }
  return notes;
}

std::string WithoutCodeNotes(const std::string& spec_json) {
  std::optional<Json> job = ParseNoted(spec_json);
  if (!job.has_value()) return spec_json;
  job->at("vernier").erase(kNotesKey);
  return DumpJson(*job);
}

}  // namespace vernier
