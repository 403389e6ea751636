#ifndef VERNIER_CLUSTER_SECRET_MASK_H_
#define VERNIER_CLUSTER_SECRET_MASK_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

/// `text`, which a program may have printed, with "***" for each value of
/// `secrets` (by name), so that it may be stored and shown: as the value is, as
/// programs print it in quotes or in an address, and each long line of one with
/// several. The end of a value at which `text` begins, because it was cut off
/// there, is one, too. Values of fewer than 4 characters are left alone, since
/// they occur by chance. Pure.
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

/// What is told in place of attributes that cannot be masked.
inline constexpr char kAttributesNotKept[] =
    "what the program says about its trial is not kept, since the job's "
    "secrets cannot be read";

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SECRET_MASK_H_
