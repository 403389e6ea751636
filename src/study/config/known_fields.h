#ifndef VERNIER_STUDY_CONFIG_KNOWN_FIELDS_H_
#define VERNIER_STUDY_CONFIG_KNOWN_FIELDS_H_

#include <string_view>

namespace vernier {

/// Where a field of this name (case and '_' aside) belongs in a job file. The
/// message about a field at the wrong level names that place. "" if the name
/// occurs in several places or in none.
std::string_view HomeOfField(std::string_view key);

}  // namespace vernier

#endif  // VERNIER_STUDY_CONFIG_KNOWN_FIELDS_H_
