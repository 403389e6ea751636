#ifndef VERNIER_CLUSTER_SECRET_MASK_H_
#define VERNIER_CLUSTER_SECRET_MASK_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

/// Returns `text`, which a program may have printed, with "***" in the place of
/// each value of `secrets` (by name), so that it may be stored and shown.
/// Masked are the value as it is, as programs print it in quotes or in an
/// address, each long line of a value with several lines, and the end of a
/// value at the very beginning of `text`, which may have been cut there. Values
/// of fewer than 4 characters are not masked, since they occur by chance. Pure.
std::string MaskSecrets(std::string text,
                        const std::map<std::string, std::string>& secrets);

/// Masks reports that could not be read, which problems quote; one text in
/// their place if the secrets cannot be read. Pure.
std::vector<std::string> MaskProblems(
    const absl::StatusOr<std::map<std::string, std::string>>& secrets,
    std::vector<std::string> problems);

/// Masks the values, JSON texts, of what a program says about its trial; it may
/// say its settings, and a secret among them. They are written anew first, so
/// that none hides behind an escape. Pure.
void MaskAttributes(const std::map<std::string, std::string>& secrets,
                    std::map<std::string, std::string>* attributes);

/// The text that is shown in place of attributes that cannot be masked.
inline constexpr char kAttributesNotKept[] =
    "what the program says about its trial is not kept, since the job's "
    "secrets cannot be read";

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SECRET_MASK_H_
