#ifndef VERNIER_STUDY_CONFIG_CONFIG_READER_H_
#define VERNIER_STUDY_CONFIG_CONFIG_READER_H_

#include <cstddef>
#include <string_view>

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {

inline constexpr std::size_t kMaxConfigBytes = std::size_t{16} << 20;

/// Reads one document, YAML or JSON, into `tree`. Returns false if it cannot be
/// read; `diagnostics` then says why and where. Total, and bounded in time and
/// memory: see kMaxConfigBytes, kMaxConfigDepth, kMaxConfigNodes.
bool ReadConfig(std::string_view text, ConfigTree& tree,
                SpecDiagnostics& diagnostics);

enum class JsonOutcome {
  kRead,
  kNotJson,     ///< Nothing was reported: it may still be YAML.
  kOverLimits,  ///< JSON, but too large; reported.
};

/// Reads a JSON text, trailing commas allowed, into `tree`. All positions carry
/// `flag`, which is borrowed; with a flag they have no line.
JsonOutcome ReadJsonConfig(std::string_view text, std::string_view flag,
                           ConfigTree& tree, SpecDiagnostics& diagnostics);

/// Reads a YAML document into `tree`, like ReadConfig.
bool ReadYamlConfig(std::string_view text, ConfigTree& tree,
                    SpecDiagnostics& diagnostics);

}  // namespace vernier

#endif  // VERNIER_STUDY_CONFIG_CONFIG_READER_H_
