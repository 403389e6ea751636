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

/// A trial packed into some 250 bytes instead of 1,800. The packed form lives
/// in memory only, never on disk, so it may change with every release: the
/// process that reads it has also written it.

/// A parameter's value whose text is borrowed.
using ParameterView = std::variant<double, std::int64_t, std::string_view>;

/// Appends the packed form of `trial` to `bytes`. Texts that trials share are
/// stored in `*names`, which is replaced by a longer table if it lacks some.
void PackTrial(const TrialRecord& trial,
               std::shared_ptr<const NameTable>* names, std::string* bytes);

/// Returns the trial that PackTrial was given. `names` is the table as
/// PackTrial left it, or a longer one made from it.
TrialRecord UnpackTrial(const char* packed, const NameTable& names);

/// BriefOf the trial, without unpacking it.
TrialBrief UnpackBrief(const char* packed);

/// TrialRecord::parameters alone.
Parameters UnpackParameters(const char* packed, const NameTable& names);

/// Returns the value of the first parameter of this name; nullopt if there is
/// none. Its text is valid as long as `packed` and `names`.
std::optional<ParameterView> FindParameter(const char* packed,
                                           const NameTable& names,
                                           std::string_view name);

}  // namespace vernier

#endif  // VERNIER_STORE_PACKED_TRIAL_H_
