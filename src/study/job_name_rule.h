#ifndef VERNIER_STUDY_JOB_NAME_RULE_H_
#define VERNIER_STUDY_JOB_NAME_RULE_H_

#include <string_view>

namespace vernier {

/// The rule that IsJobName (study/job_id.h) checks, as messages state it.
inline constexpr std::string_view kJobNameRule =
    "must be a letter followed by at most 127 letters, digits, '_' or '-'";

/// True if AI Platform would have accepted the name. Its API creates only such
/// jobs here, but shows all.
bool IsAiPlatformJobName(std::string_view text);
inline constexpr std::string_view kAiPlatformJobNameRule =
    "must be a letter followed by at most 127 letters, digits or '_'";

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_NAME_RULE_H_
