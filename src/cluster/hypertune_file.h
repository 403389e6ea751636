#ifndef VERNIER_CLUSTER_HYPERTUNE_FILE_H_
#define VERNIER_CLUSTER_HYPERTUNE_FILE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "study/measurement.h"

namespace vernier {

/// Longest line of a metric file that is read; longer ones are skipped.
inline constexpr std::size_t kMaxMetricLine = 65536;

/// What is to become of a last line without a newline.
enum class LastLine {
  kMayGrow,  ///< The writer may be in the middle of it: leave it.
  kIsDone,   ///< Nobody writes any more: take it if it is whole.
};

/// Understands the contents of a cloudml-hypertune file: a JSON object per
/// line with `timestamp`, `global_step` and one key per metric; values are
/// strings or numbers, also "nan", "inf" and "-inf". In order. Lines and values
/// that make no sense are skipped: they are a training program's business.
/// Without a timestamp the measurement is of 1970. Pure.
std::vector<Measurement> ParseHypertuneFile(std::string_view contents,
                                            LastLine last_line);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_HYPERTUNE_FILE_H_
