#include "buckets/object_metadata.h"

#include "absl/strings/str_cat.h"
#include "study/status_macros.h"

namespace vernier {
namespace {

absl::Status Check(const char* name, const std::optional<std::int64_t>& wanted,
                   std::int64_t actual, bool is_equality) {
  if (!wanted || (*wanted == actual) == is_equality) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat(
      "a precondition does not hold: ", name, "=", *wanted, ", and it is ",
      actual, actual == 0 ? " (there is no such object)" : ""));
}

}  // namespace

absl::Status CheckPreconditions(const Preconditions& preconditions,
                                const ObjectMetadata* current) {
  const std::int64_t generation = current == nullptr ? 0 : current->generation;
  const std::int64_t metageneration =
      current == nullptr ? 0 : current->metageneration;
  VERNIER_RETURN_IF_ERROR(Check(
      "ifGenerationMatch", preconditions.generation_match, generation, true));
  VERNIER_RETURN_IF_ERROR(Check("ifGenerationNotMatch",
                                preconditions.generation_not_match, generation,
                                false));
  VERNIER_RETURN_IF_ERROR(Check("ifMetagenerationMatch",
                                preconditions.metageneration_match,
                                metageneration, true));
  return Check("ifMetagenerationNotMatch",
               preconditions.metageneration_not_match, metageneration, false);
}

}  // namespace vernier
