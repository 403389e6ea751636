#ifndef VERNIER_TRIALS_CLIENTS_CLIENT_ATTRIBUTES_H_
#define VERNIER_TRIALS_CLIENTS_CLIENT_ATTRIBUTES_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/change.h"
#include "store/study_records.h"

namespace vernier {

/// JSON values by name.
using ClientAttributes = std::map<std::string, std::string>;

/// The namespace of the metadata in which a client's attributes are kept, so
/// that those of OSS Vizier's clients read them, too.
inline constexpr char kAttributeNamespace[] = ":attributes";

inline constexpr std::size_t kMaxAttributeName = 256;
/// Names and values of one study or one trial, together.
inline constexpr std::size_t kMaxAttributeBytes = std::size_t{64} << 10;

/// The attributes among the metadata of a study or a trial. Pure.
ClientAttributes AttributesOf(const Metadata& metadata);

/// The updates that add `set` to what `present`, the metadata of the study or
/// of `trial`, has. INVALID_ARGUMENT for a name or a value that cannot be one,
/// and if there would be more than kMaxAttributeBytes. Pure.
absl::StatusOr<std::vector<MetadataUpdate>> AttributeUpdates(
    const Metadata& present, std::optional<TrialId> trial,
    const ClientAttributes& set);

}  // namespace vernier

#endif  // VERNIER_TRIALS_CLIENTS_CLIENT_ATTRIBUTES_H_
