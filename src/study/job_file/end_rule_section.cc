#include "study/job_file/end_rule_section.h"

#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

constexpr int kMaxExitCode = 255;
constexpr std::size_t kMaxReason = 1000;

std::vector<int> ReadExitCodes(ObjectReader& rule) {
  std::vector<int> codes;
  for (const double code : rule.Numbers("exitCodes")) {
    if (!(code >= 0 && code <= kMaxExitCode) || std::floor(code) != code) {
      rule.Error("exitCodes", absl::StrCat("must be whole numbers from 0 to ",
                                           kMaxExitCode, "; not ", code));
      continue;
    }
    codes.push_back(static_cast<int>(code));
  }
  return codes;
}

std::vector<int> ReadSignals(ObjectReader& rule) {
  std::vector<int> signals;
  for (const std::string& name : rule.Strings("signals")) {
    const int number = SignalNumber(name);
    if (number == 0) {
      rule.Error("signals",
                 absl::StrCat("must be names such as SIGSEGV; not \"",
                              ShowText(name), "\""));
      continue;
    }
    signals.push_back(number);
  }
  return signals;
}

EndRule ReadEndRule(ObjectReader& reader) {
  EndRule rule;
  rule.exit_codes = ReadExitCodes(reader);
  rule.signals = ReadSignals(reader);
  rule.log_pattern = reader.String("logPattern").value_or("");
  if (!rule.log_pattern.empty()) {
    const absl::Status checked = CheckLogPattern(rule.log_pattern);
    if (!checked.ok()) {
      reader.Error("logPattern", std::string(checked.message()));
    }
  }
  const auto action = reader.Enum("action", kEndActionNames);
  if (!action.has_value() && !reader.Has("action")) {
    reader.Error("action", "is missing");
  }
  rule.action = action.value_or(rule.action);
  rule.reason = reader.String("reason").value_or("");
  if (rule.reason.size() > kMaxReason) {
    reader.Error("reason",
                 absl::StrCat("must have at most ", kMaxReason, " bytes"));
  }
  const bool has_condition = reader.Has("exitCodes") || reader.Has("signals") ||
                             reader.Has("logPattern");
  if (!has_condition) {
    reader.Error("exitCodes",
                 "or signals or logPattern must say for which ends the rule "
                 "holds");
  }
  return rule;
}

}  // namespace

std::vector<EndRule> ReadEndRules(ObjectReader& section) {
  std::vector<EndRule> rules;
  std::vector<ObjectReader> readers = section.Children("endRules");
  if (readers.size() > kMaxEndRules) {
    section.Error("endRules", absl::StrCat("must be at most ", kMaxEndRules));
    return rules;
  }
  for (ObjectReader& reader : readers) rules.push_back(ReadEndRule(reader));
  section.AttachList("endRules", readers);
  return rules;
}

}  // namespace vernier
