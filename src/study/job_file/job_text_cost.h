#ifndef VERNIER_STUDY_JOB_FILE_JOB_TEXT_COST_H_
#define VERNIER_STUDY_JOB_FILE_JOB_TEXT_COST_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace vernier {

/// The largest size in bytes of a job's text inside a call.
inline constexpr std::size_t kMaxJobTextBytes = std::size_t{4} << 20;

/// The largest number of places in such a text, YAML or JSON, where a value may
/// begin or end. Each may take some 200 bytes once it is parsed.
inline constexpr std::int64_t kMaxPlacesOfJobText = 50'000;

/// Returns OK if the text of a job inside a call may be parsed. To be asked
/// before anything is parsed, since a YAML parser may take 100 bytes for each
/// byte of text. INVALID_ARGUMENT beyond the limits. Linear, takes no memory.
/// Pure.
absl::Status CheckJobText(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_JOB_TEXT_COST_H_
