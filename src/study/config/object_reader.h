#ifndef VERNIER_STUDY_CONFIG_OBJECT_READER_H_
#define VERNIER_STUDY_CONFIG_OBJECT_READER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_name.h"
#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {

struct IntegerRange {
  std::int64_t min;
  std::int64_t max;
};

/// Reads one mapping of a job file field by field, reports what is wrong, and
/// writes the mapping's normal form as JSON, in the order of the calls.
///
/// Each getter returns nullopt (or an empty container) if the field is absent,
/// null or wrong; it reports a wrong one. An empty string is absent, as in
/// proto3's JSON. Keys that no call asked for are reported by Finish. Not
/// thread-safe.
class ObjectReader {
 public:
  /// `node` null: the mapping is absent, and so is every field; a missing field
  /// is then reported at `parent`. All are borrowed.
  ObjectReader(const ConfigNode* node, const ConfigPosition& parent,
               std::string path, SpecDiagnostics& diagnostics);

  bool is_present() const { return map_ != nullptr; }
  /// True if the field is there and neither null nor empty text, whatever else
  /// it holds.
  bool Has(std::string_view key);
  /// True if the field is there and holds no text, or nothing but blanks; not
  /// if it is null.
  bool IsBlank(std::string_view key);

  std::optional<std::string> String(std::string_view key);
  std::optional<bool> Bool(std::string_view key);
  /// Written as a JSON number, like the API's int32.
  std::optional<int> Integer(std::string_view key, IntegerRange range);
  /// Written as a JSON string, like the API's int64.
  std::optional<std::int64_t> Int64(std::string_view key, IntegerRange range);
  /// Refuses a whole number that a double cannot represent exactly.
  std::optional<double> Number(std::string_view key);
  /// "7200s"; fractions are rounded up.
  std::optional<std::chrono::seconds> Duration(std::string_view key,
                                               std::chrono::seconds min,
                                               std::chrono::seconds max);
  /// Returns the index in `names`, which are upper-case unless `any_case`.
  std::optional<std::size_t> EnumIndex(std::string_view key,
                                       std::span<const std::string_view> names,
                                       bool any_case);
  template <typename E, std::size_t n>
  std::optional<E> Enum(std::string_view key, const EnumName<E> (&names)[n],
                        bool any_case = false) {
    std::string_view texts[n];
    for (std::size_t i = 0; i < n; ++i) texts[i] = names[i].name;
    const auto index = EnumIndex(key, texts, any_case);
    if (!index) return std::nullopt;
    return names[*index].value;
  }

  /// The largest number of entries in a list of a new job unless the section
  /// sets another limit.
  static constexpr std::size_t kMostEntries = 10'000;
  /// Returns true if the list at `key`, if there is one, has at most `max`
  /// entries. Otherwise reports it; the list must not be read then, since a
  /// mistake in each entry would cost more than the list. `what` names the
  /// entries.
  bool HasAtMost(std::string_view key, std::size_t max, std::string_view what);
  /// Returns the number of entries of the list at `key`; 0 if there is none.
  std::size_t ListSize(std::string_view key);
  std::vector<std::string> Strings(std::string_view key);
  std::vector<double> Numbers(std::string_view key);
  /// True if the list at `key` has an item true or false without quotes.
  bool ListsBooleans(std::string_view key);
  /// Writes a field that the file left out into the normal form.
  void SetBool(std::string_view key, bool value) {
    Emit(key, value ? "true" : "false");
  }
  void SetText(std::string_view key, std::string_view value);
  std::map<std::string, std::string> StringMap(std::string_view key,
                                               std::size_t max_size);

  /// Returns the mapping at `key`; hand it to Attach when it has been read.
  ObjectReader Child(std::string_view key);
  /// Like Child, but a single value at `key` stands for a mapping whose only
  /// field is `field`, with that value.
  ObjectReader ChildOrField(std::string_view key, std::string_view field);
  void Attach(std::string_view key, ObjectReader& child);
  /// Returns the mappings of the list at `key`, like Child.
  std::vector<ObjectReader> Children(std::string_view key);
  void AttachList(std::string_view key, std::vector<ObjectReader>& children);

  /// Lists the field, if it is present, as one without effect. A getter must
  /// still read it.
  void MarkIgnored(std::string_view key);
  /// Accepts any value, which has no effect and is left out of the JSON.
  void SkipOutput(std::string_view key);

  /// Reports `message` at the field, or at the mapping if it is absent.
  void Error(std::string_view key, std::string message);
  /// Like Error, with the field's value as written in the file appended.
  void ValueError(std::string_view key, const std::string& message);

  /// Like Error, for a rule that is newer than the job file's format. A job
  /// that was stored before the rule was made keeps its value, so that its
  /// database opens.
  void NewRuleError(std::string_view key, std::string message);

  /// Reports `message` at one entry of the mapping at `key`.
  void EntryError(std::string_view key, std::string_view entry,
                  std::string message);

  /// Like Error, at the key instead of its value.
  void KeyError(std::string_view key, std::string message);
  /// See SpecDiagnostics.
  bool is_full() const { return diagnostics_->is_full(); }

  /// Returns the keys of the mapping, in the order of the file.
  std::vector<std::string_view> Keys() const;

  /// Returns the field's text as written in the file, or "" if it has none.
  std::string_view RawText(std::string_view key);
  /// Returns the field's path, such as "trainingInput.region".
  std::string PathOf(std::string_view key) const;

  /// Reports unknown keys. To be called once, last.
  void Finish();
  /// Returns the JSON object of the fields that were read.
  std::string json() const { return "{" + json_ + "}"; }

 private:
  const ConfigNode* Find(std::string_view key);
  const ConfigNode* FindScalar(std::string_view key, std::string_view wanted);
  const ConfigNode* FindOfKind(std::string_view key, ConfigNode::Kind kind,
                               std::string_view wanted);
  std::optional<std::int64_t> ReadInteger(std::string_view key,
                                          IntegerRange range);
  // Returns the number in `node`, which stands at `path`, or nullopt if it is
  // none.
  std::optional<double> ItemNumber(const ConfigNode& node,
                                   const std::string& path);
  // Returns the text in `node`, an item or a member's value, or nullopt if it
  // is none.
  std::optional<std::string> ItemText(const ConfigNode& node,
                                      const std::string& path);
  bool IsListShort(std::string_view key);
  void Emit(std::string_view key, std::string_view json_value);
  void ReportUnknown(const ConfigMember& member);

  // The mapping that ChildOrField made; shared, because readers are copied.
  // Null if `map_` is borrowed.
  std::shared_ptr<const ConfigNode> made_;
  const ConfigNode* map_;
  ConfigPosition position_;
  std::string path_;
  SpecDiagnostics* diagnostics_;
  std::vector<std::string_view> known_;
  std::string json_;
};

}  // namespace vernier

#endif  // VERNIER_STUDY_CONFIG_OBJECT_READER_H_
