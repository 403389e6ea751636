#include "faces/messages/vizier_name.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/whole_number.h"

namespace vernier {
namespace {

std::vector<std::string> SplitAtSlashes(std::string_view name) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t slash = name.find('/');
    parts.emplace_back(name.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    name.remove_prefix(slash + 1);
  }
}

// Returns the parts of `name` where `form` has a '*', which matches any text.
absl::StatusOr<std::vector<std::string>> Match(std::string_view name,
                                               std::string_view form,
                                               const char* example) {
  const std::vector<std::string> parts = SplitAtSlashes(name);
  const std::vector<std::string> wanted = SplitAtSlashes(form);
  std::vector<std::string> found;
  bool matches = parts.size() == wanted.size();
  for (std::size_t i = 0; matches && i < parts.size(); ++i) {
    matches = wanted[i] == "*" ? !parts[i].empty() : parts[i] == wanted[i];
    if (wanted[i] == "*") found.push_back(parts[i]);
  }
  if (matches) return found;
  return absl::InvalidArgumentError(absl::StrCat(
      "a name must have the form ", example, ": \"", std::string(name), "\""));
}

// Studies of the Python package and of REST have names that begin so.
bool IsOfProject(std::string_view name) {
  return name.rfind("projects/", 0) == 0;
}

absl::StatusOr<std::int64_t> ParsePositive(std::string_view text) {
  const auto number = ParseWholeNumber(text);
  if (!number.has_value() || *number < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a positive number: \"", std::string(text), "\""));
  }
  return *number;
}

}  // namespace

absl::Status CheckVizierOwner(std::string_view name) {
  if (IsOfProject(name)) {
    return Match(name, "projects/*/locations/*", "projects/P/locations/L")
        .status();
  }
  return Match(name, "owners/*", "owners/OWNER").status();
}

absl::Status CheckVizierStudy(std::string_view name) {
  if (IsOfProject(name)) {
    return Match(name, "projects/*/locations/*/studies/*",
                 "projects/P/locations/L/studies/STUDY")
        .status();
  }
  return Match(name, "owners/*/studies/*", "owners/OWNER/studies/STUDY")
      .status();
}

absl::StatusOr<VizierTrialName> ParseVizierTrial(std::string_view name) {
  VERNIER_ASSIGN_OR_RETURN(const std::vector<std::string> parts,
                           Match(name, "owners/*/studies/*/trials/*",
                                 "owners/OWNER/studies/STUDY/trials/NUMBER"));
  VERNIER_ASSIGN_OR_RETURN(const TrialId trial, ParseVizierTrialId(parts[2]));
  return VizierTrialName{
      absl::StrCat("owners/", parts[0], "/studies/", parts[1]), trial};
}

absl::StatusOr<VizierOperationName> ParseVizierOperation(
    std::string_view name) {
  VERNIER_ASSIGN_OR_RETURN(
      const std::vector<std::string> parts,
      Match(name, "owners/*/operations/suggestion/*/*/*",
            "owners/OWNER/operations/suggestion/STUDY/CLIENT/NUMBER"));
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t number, ParsePositive(parts[3]));
  return VizierOperationName{
      absl::StrCat("owners/", parts[0], "/studies/", parts[1]), parts[2],
      number};
}

absl::StatusOr<TrialId> ParseVizierTrialId(std::string_view text) {
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t number, ParsePositive(text));
  return TrialId{number};
}

std::string VizierOperation(const VizierOperationName& name) {
  constexpr std::string_view kMiddle = "/studies/";
  const std::size_t middle = name.study.rfind(kMiddle);
  return absl::StrCat(name.study.substr(0, middle), "/operations/suggestion/",
                      name.study.substr(middle + kMiddle.size()), "/",
                      name.client_id, "/", name.number);
}

}  // namespace vernier
