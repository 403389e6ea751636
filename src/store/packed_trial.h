#ifndef VERNIER_STORE_PACKED_TRIAL_H_
#define VERNIER_STORE_PACKED_TRIAL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "store/name_table.h"
#include "store/records.h"
#include "store/trial_brief.h"

namespace vernier {

/// A trial in one stretch of bytes, some 250 instead of 1,800. They live in
/// memory only, never on disk, so their form may change with every release, and
/// whoever reads them has written them.

/// A parameter's value whose text is borrowed.
using ParameterView = std::variant<double, std::int64_t, std::string_view>;

/// Appends the packed form of `trial` to `bytes`. Texts that other trials have,
/// too, are in `*names`, which is replaced if it lacks some.
void PackTrial(const TrialRecord& trial,
               std::shared_ptr<const NameTable>* names, std::string* bytes);

/// The trial that PackTrial was given. `names` is the table as PackTrial left
/// it, or one that follows it.
TrialRecord UnpackTrial(const char* packed, const NameTable& names);

/// BriefOf the trial, without unpacking it.
TrialBrief UnpackBrief(const char* packed);

/// TrialRecord::parameters alone.
Parameters UnpackParameters(const char* packed, const NameTable& names);

/// The value of the first parameter of this name; nullopt if there is none. Its
/// text is valid as long as `packed` and `names`.
std::optional<ParameterView> FindParameter(const char* packed,
                                           const NameTable& names,
                                           std::string_view name);

}  // namespace vernier

#endif  // VERNIER_STORE_PACKED_TRIAL_H_
