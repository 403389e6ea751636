#ifndef VERNIER_STUDY_JOB_FILE_CODE_NOTES_H_
#define VERNIER_STUDY_JOB_FILE_CODE_NOTES_H_

#include <string>
#include <vector>

namespace vernier {

/// Returns the service's notes about the copy of a job's code, a sentence each:
/// vernier.codeNotes of a stored job's JSON. Pure.
std::vector<std::string> CodeNotesOf(const std::string& spec_json);

/// Returns a job's JSON without the notes, as its user wrote it. Pure.
std::string WithoutCodeNotes(const std::string& spec_json);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_CODE_NOTES_H_
