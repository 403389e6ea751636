#ifndef VERNIER_STUDY_JOB_FILE_END_RULE_SECTION_H_
#define VERNIER_STUDY_JOB_FILE_END_RULE_SECTION_H_

#include <vector>

#include "study/config/object_reader.h"
#include "study/ends/end_rule.h"

namespace vernier {

/// Reads `endRules` of the vernier section: the consequences of ends with
/// certain exit codes, signals or lines of the log. Reports rules that apply to
/// no end, or to all of them.
std::vector<EndRule> ReadEndRules(ObjectReader& section);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_END_RULE_SECTION_H_
