#include "faces/optuna/optuna_message.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/shown_text.h"
#include "base/stable_digest.h"
#include "base/utf8.h"

namespace vernier {
namespace {

constexpr std::size_t kMostResourceBytes = 400;
constexpr std::size_t kKeptNameBytes = 200;
constexpr char kTimeForm[] = "%Y-%m-%d %H:%M:%E6S";

// Calls `use` with each key and value of a namespace.
template <typename Use>
void ForEachIn(const Metadata& metadata, std::string_view space,
               const Use& use) {
  for (auto at = metadata.lower_bound({std::string(space), ""});
       at != metadata.end() && at->first.first == space; ++at) {
    use(at->first.second, at->second.value);
  }
}

std::string PercentEncoded(std::string_view name) {
  std::string encoded;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '%' || c == '/' || byte < 0x20 || byte == 0x7f) {
      absl::StrAppend(&encoded, "%", absl::Hex(byte, absl::kZeroPad2));
    } else {
      encoded += c;
    }
  }
  return encoded;
}

DeclaredParameter DeclaredOf(const StudyRecord& study, const std::string& name,
                             std::string_view text) {
  DeclaredParameter declared;
  const std::size_t end = std::min(text.find(' '), text.size());
  declared.internal = FromExactText(text.substr(0, end)).value_or(0);
  if (end < text.size()) {
    declared.distribution = text.substr(end + 1);
  } else if (const auto* first =
                 FindText(*study.metadata, kDistributionSpace, name)) {
    declared.distribution = *first;
  }
  return declared;
}

void FillTimes(const TrialRecord& trial, optuna::Trial* to) {
  const auto fill = [&](const char* key, const std::optional<Timestamp>& time) {
    const std::string* given = FindText(trial.metadata, kTrialSpace, key);
    if (given != nullptr) return *given == kNoTime ? "" : *given;
    return time.has_value() ? LocalTimeText(*time) : "";
  };
  to->set_datetime_start(fill(kStartKey, trial.started_at));
  to->set_datetime_complete(fill(kCompleteKey, trial.ended_at));
}

void FillValues(const StudyRecord& study, const TrialRecord& trial,
                optuna::Trial* to) {
  if (!IsTerminal(trial.state)) {
    const auto* values = FindText(trial.metadata, kTrialSpace, kValuesKey);
    if (values == nullptr) return;
    for (const double value : FromExactTexts(*values)) to->add_values(value);
    return;
  }
  if (trial.final_report.has_value()) {
    const std::size_t count = std::min(study.spec->metrics.size(),
                                       trial.final_report->metrics.size());
    for (std::size_t i = 0; i < count; ++i) {
      to->add_values(trial.final_report->metrics[i].value);
    }
  }
}

}  // namespace

std::int64_t OptunaIdOf(StudyId study, TrialId trial) {
  return ToInt(study) * kTrialIdsOfStudy + ToInt(trial);
}

StudyId StudyOfOptunaId(std::int64_t trial_id) {
  return StudyId{trial_id / kTrialIdsOfStudy};
}

TrialId TrialOfOptunaId(std::int64_t trial_id) {
  return TrialId{trial_id % kTrialIdsOfStudy};
}

std::string ResourceNameOf(std::string_view name) {
  // No encoded name has a '%' that two hexadecimal digits do not follow.
  std::string encoded = PercentEncoded(name);
  if (encoded.empty()) encoded = "%empty";
  if (encoded == "." || encoded == "..") absl::StrAppend(&encoded, "%dot");
  if (encoded.size() > kMostResourceBytes) {
    std::string_view kept(encoded.data(), kKeptNameBytes);
    kept = kept.substr(0, FindInvalidUtf8(kept));
    encoded =
        absl::StrCat(std::string(kept), "%long", absl::Hex(StableDigest(name)));
  }
  return absl::StrCat(kOptunaParent, "/studies/", encoded);
}

optuna::Study OriginalOf(ClientStudyRef study) {
  optuna::Study original;
  original.ParseFromString(study.run().original->bytes);
  return original;
}

optuna::Study ToOptuna(ClientStudyRef study) {
  optuna::Study to = OriginalOf(study);
  to.set_study_id(ToInt(study->id));
  FillTexts(*study->metadata, kUserSpace, to.mutable_user_attributes());
  FillTexts(*study->metadata, kSystemSpace, to.mutable_system_attributes());
  return to;
}

std::string ObjectiveName(std::size_t index, std::size_t count) {
  return count == 1 ? "value" : absl::StrCat("value_", index);
}

void FillTexts(const Metadata& metadata, std::string_view space,
               google::protobuf::Map<std::string, std::string>* map) {
  ForEachIn(metadata, space,
            [map](const std::string& key, const std::string& value) {
              (*map)[key] = value;
            });
}

const std::string* FindText(const Metadata& metadata, std::string_view space,
                            std::string_view key) {
  const auto found = metadata.find({std::string(space), std::string(key)});
  return found == metadata.end() ? nullptr : &found->second.value;
}

std::optional<DeclaredParameter> FindDeclared(const StudyRecord& study,
                                              const TrialRecord& trial,
                                              const std::string& name) {
  const auto* text = FindText(trial.metadata, kParameterSpace, name);
  if (text == nullptr) return std::nullopt;
  return DeclaredOf(study, name, *text);
}

optuna::TrialState StateOf(const TrialRecord& trial) {
  switch (trial.state) {
    case TrialState::kRequested:
      return optuna::WAITING;
    case TrialState::kActive:
    case TrialState::kStopping: {
      const auto* waits = FindText(trial.metadata, kTrialSpace, kWaitingKey);
      return waits != nullptr && *waits == "1" ? optuna::WAITING
                                               : optuna::RUNNING;
    }
    case TrialState::kCompleted:
      return optuna::COMPLETE;
    case TrialState::kStopped:
      return trial.end_cause == TrialEndCause::kUserError ? optuna::FAIL
                                                          : optuna::PRUNED;
    case TrialState::kInfeasible:
      return trial.end_cause == TrialEndCause::kNotFinite ? optuna::COMPLETE
                                                          : optuna::FAIL;
    case TrialState::kFailed:
      return optuna::FAIL;
  }
  return optuna::FAIL;
}

void FillTrial(const StudyRecord& study, const TrialRecord& trial,
               const std::vector<Measurement>& reports, optuna::Trial* to) {
  to->set_trial_id(OptunaIdOf(study.id, trial.id));
  to->set_number(ToInt(trial.id) - 1);
  to->set_state(StateOf(trial));
  FillValues(study, trial, to);
  FillTimes(trial, to);
  ForEachIn(trial.metadata, kParameterSpace,
            [&](const std::string& name, const std::string& text) {
              DeclaredParameter declared = DeclaredOf(study, name, text);
              (*to->mutable_params())[name] = declared.internal;
              (*to->mutable_distributions())[name] =
                  std::move(declared.distribution);
            });
  FillTexts(trial.metadata, kUserSpace, to->mutable_user_attributes());
  FillTexts(trial.metadata, kSystemSpace, to->mutable_system_attributes());
  auto& values = *to->mutable_intermediate_values();
  ForEachIn(trial.metadata, kReportSpace,
            [&](const std::string& step, const std::string& value) {
              values[std::strtoll(step.c_str(), nullptr, 10)] =
                  FromExactText(value).value_or(0);
            });
  for (const Measurement& one : reports) values[one.step] = one.value;
}

std::string ExactText(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.begin(), text.end(), value);
  return {text.begin(), end.ptr};
}

std::optional<double> FromExactText(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

std::string ExactTexts(const google::protobuf::RepeatedField<double>& values) {
  std::string texts;
  for (const double value : values) {
    absl::StrAppend(&texts, texts.empty() ? "" : " ", ExactText(value));
  }
  return texts;
}

std::vector<double> FromExactTexts(std::string_view text) {
  std::vector<double> values;
  for (const absl::string_view one :
       absl::StrSplit(absl::string_view(text.data(), text.size()), ' ',
                      absl::SkipEmpty())) {
    values.push_back(FromExactText({one.data(), one.size()}).value_or(0));
  }
  return values;
}

std::string LocalTimeText(Timestamp time) {
  return absl::FormatTime(kTimeForm,
                          absl::FromUnixMicros(time.time_since_epoch().count()),
                          absl::LocalTimeZone());
}

absl::Status CheckLocalTime(const std::string& text) {
  constexpr std::size_t kLength = 26;  // With six digits of the fraction.
  absl::Time time;
  if (text.empty() ||
      (text.size() == kLength &&
       absl::ParseTime("%Y-%m-%d %H:%M:%E*S", text, absl::LocalTimeZone(),
                       &time, nullptr))) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("a time must be empty or like 2026-11-28 14:03:09.000125: ",
                   ShowText(text)));
}

}  // namespace vernier
