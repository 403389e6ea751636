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

/// Returns the attributes among the metadata of a study or a trial. Pure.
UserAttributes AttributesOf(const Metadata& metadata);

/// Returns the updates that add `set` to `present`, the metadata of the study
/// or of `trial`, without the attributes that are there already with the same
/// value. INVALID_ARGUMENT for a name or a value that cannot be one, and if
/// there would be more than kMaxAttributeBytes. Pure.
absl::StatusOr<std::vector<MetadataUpdate>> AttributeUpdates(
    const Metadata& present, std::optional<TrialId> trial,
    const UserAttributes& set);

/// Does the same for what the program of a trial has reported, but without
/// errors: for each attribute that is not valid, or has no room, a text is
/// added to `problems`; the others are set. Pure.
std::vector<MetadataUpdate> AttributeUpdatesOfProgram(
    const Metadata& present, TrialId trial, const UserAttributes& set,
    std::vector<std::string>* problems);

/// Returns the note that people wrote about a trial, from its metadata; empty
/// if there is none. Pure.
std::string NoteOf(const Metadata& metadata);

/// Returns the update that replaces a trial's note. INVALID_ARGUMENT if it is
/// longer than kMostNoteBytes. Pure.
absl::StatusOr<MetadataUpdate> NoteUpdate(TrialId trial,
                                          const std::string& note);

}  // namespace vernier

#endif  // VERNIER_TRIALS_USER_ATTRIBUTES_H_
