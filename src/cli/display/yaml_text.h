#ifndef VERNIER_CLI_DISPLAY_YAML_TEXT_H_
#define VERNIER_CLI_DISPLAY_YAML_TEXT_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vernier {

/// Returns a JSON document as block-style YAML that reads back as the same
/// document; texts that YAML would read as another type are quoted.
/// INVALID_ARGUMENT if `json` is not JSON.
absl::StatusOr<std::string> YamlFromJson(std::string_view json);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_YAML_TEXT_H_
