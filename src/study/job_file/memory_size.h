#ifndef VERNIER_STUDY_JOB_FILE_MEMORY_SIZE_H_
#define VERNIER_STUDY_JOB_FILE_MEMORY_SIZE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "study/config/object_reader.h"

namespace vernier {

/// Returns the megabytes (2^20 bytes) of "16G", "512M", "1T" or "4096", which
/// means megabytes as in sbatch: 1 .. 2^30. nullopt for any other text.
std::optional<std::int64_t> ParseMegabytes(std::string_view text);

/// Reads a field of `reader` that is such a size. nullopt if it is absent;
/// reports any other text.
std::optional<std::int64_t> ReadMegabytes(ObjectReader& reader,
                                          std::string_view key);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_MEMORY_SIZE_H_
