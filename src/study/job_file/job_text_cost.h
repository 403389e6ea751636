#ifndef VERNIER_STUDY_JOB_FILE_JOB_TEXT_COST_H_
#define VERNIER_STUDY_JOB_FILE_JOB_TEXT_COST_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace vernier {

/// The most bytes that the text of a job inside a call may have.
inline constexpr std::size_t kMaxJobTextBytes = std::size_t{4} << 20;

/// The most places in such a text, YAML or JSON, where a value may begin or
/// end. Each may take some 200 bytes once it is parsed.
inline constexpr std::int64_t kMaxPlacesOfJobText = 50'000;

/// Whether the text of a job that a call holds may be parsed; ask it before
/// anything is, since a YAML parser takes 100 bytes for some bytes of text.
/// INVALID_ARGUMENT beyond the limits. Linear, takes no memory. Pure.
absl::Status CheckJobText(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_JOB_TEXT_COST_H_
