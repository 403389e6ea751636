#ifndef VERNIER_STUDY_METRICS_FORMER_NAMES_H_
#define VERNIER_STUDY_METRICS_FORMER_NAMES_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace vernier {

/// The names that renamed metrics of a study had, by the names that they have
/// now. The first of a list is the name under which the store keeps all values
/// of the metric, whatever it is called; it is the metric's own name if that
/// was renamed back. Programs may report under any of them.
using FormerNames = std::map<std::string, std::vector<std::string>>;

/// The most names in one list.
inline constexpr std::size_t kMostFormerNames = 16;

/// Returns the name under which the store keeps the values of a metric. Valid
/// as long as the arguments.
const std::string& RecordedName(const FormerNames& names,
                                const std::string& present);

/// Returns the present name of the metric with this RecordedName; the name
/// itself if it is of no renamed metric. Valid as long as the arguments.
const std::string& NameOfRecorded(const FormerNames& names,
                                  const std::string& recorded);

/// Returns the present name of the renamed metric that has or had this name;
/// null if there is none. Valid as long as `names`.
const std::string* FindFormer(const FormerNames& names,
                              const std::string& former);

}  // namespace vernier

#endif  // VERNIER_STUDY_METRICS_FORMER_NAMES_H_
