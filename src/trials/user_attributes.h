#ifndef VERNIER_TRIALS_USER_ATTRIBUTES_H_
#define VERNIER_TRIALS_USER_ATTRIBUTES_H_

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
using UserAttributes = std::map<std::string, std::string>;

/// The namespace of the metadata in which attributes are kept, so that those of
/// OSS Vizier's clients read them, too.
inline constexpr char kAttributeNamespace[] = ":attributes";

inline constexpr std::size_t kMaxAttributeName = 256;
/// Names and values of one study or one trial, together.
inline constexpr std::size_t kMaxAttributeBytes = std::size_t{64} << 10;

/// The attributes among the metadata of a study or a trial. Pure.
UserAttributes AttributesOf(const Metadata& metadata);

/// The updates that add `set` to what `present`, the metadata of the study or
/// of `trial`, has; what is there already is left out. INVALID_ARGUMENT for a
/// name or a value that cannot be one, and if there would be more than
/// kMaxAttributeBytes. Pure.
absl::StatusOr<std::vector<MetadataUpdate>> AttributeUpdates(
    const Metadata& present, std::optional<TrialId> trial,
    const UserAttributes& set);

/// As AttributeUpdates of a trial, for what its program says: what cannot be an
/// attribute, or has no room, becomes one of `problems`, in words; the rest is
/// set. Pure.
std::vector<MetadataUpdate> AttributeUpdatesOfProgram(
    const Metadata& present, TrialId trial, const UserAttributes& set,
    std::vector<std::string>* problems);

/// What people wrote about a trial, which its metadata has; empty: nothing.
/// Pure.
std::string NoteOf(const Metadata& metadata);

/// The update that replaces a trial's note. INVALID_ARGUMENT if it is longer
/// than kMostNoteBytes. Pure.
absl::StatusOr<MetadataUpdate> NoteUpdate(TrialId trial,
                                          const std::string& note);

}  // namespace vernier

#endif  // VERNIER_TRIALS_USER_ATTRIBUTES_H_
