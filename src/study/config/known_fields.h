#ifndef VERNIER_STUDY_CONFIG_KNOWN_FIELDS_H_
#define VERNIER_STUDY_CONFIG_KNOWN_FIELDS_H_

#include <string>
#include <string_view>

namespace vernier {

/// Returns the place where a field of this name (case and '_' aside) belongs in
/// a job file, for the message about a field at the wrong level. "" if the name
/// occurs in several places or in none.
std::string HomeOfField(std::string_view key);

}  // namespace vernier

#endif  // VERNIER_STUDY_CONFIG_KNOWN_FIELDS_H_
