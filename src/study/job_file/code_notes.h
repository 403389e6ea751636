#ifndef VERNIER_STUDY_JOB_FILE_CODE_NOTES_H_
#define VERNIER_STUDY_JOB_FILE_CODE_NOTES_H_

#include <string>
#include <vector>

namespace vernier {

/// What the service noted about the copy of a job's code: vernier.codeNotes of
/// a stored job's JSON, a sentence each. Pure.
std::vector<std::string> CodeNotesOf(const std::string& spec_json);

/// A job's JSON without them: what its user asked for. Pure.
std::string WithoutCodeNotes(const std::string& spec_json);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_CODE_NOTES_H_
