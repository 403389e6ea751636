#include "study/job_id.h"

#include <cstddef>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

constexpr std::size_t kLongestName = 128;
constexpr std::size_t kLongestProject = 63;
constexpr std::size_t kLongestDomain = 190;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsLetter(char c) { return IsLower(c) || (c >= 'A' && c <= 'Z'); }

/// True for lower-case letters, digits and `inner`; `inner` must not be at
/// either end.
bool IsLabel(std::string_view text, std::string_view inner,
             std::size_t longest) {
  if (text.empty() || text.size() > longest) return false;
  for (const char c : text) {
    if (!IsLower(c) && !IsDigit(c) && inner.find(c) == std::string_view::npos) {
      return false;
    }
  }
  return inner.find(text.front()) == std::string_view::npos &&
         inner.find(text.back()) == std::string_view::npos;
}

}  // namespace

bool IsJobName(std::string_view text) {
  if (text.empty() || text.size() > kLongestName || !IsLetter(text[0])) {
    return false;
  }
  for (const char c : text) {
    if (!IsLetter(c) && !IsDigit(c) && c != '_' && c != '-') return false;
  }
  return true;
}

absl::Status CheckProjectId(std::string_view project) {
  std::string_view id = project;
  const std::size_t colon = id.find(':');
  const bool has_domain = colon != std::string_view::npos;
  if (has_domain) id.remove_prefix(colon + 1);
  if (IsLabel(id, "-", kLongestProject) &&
      (!has_domain ||
       IsLabel(project.substr(0, colon), "-.", kLongestDomain))) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "a project's id must have 1 to ", kLongestProject,
      " lower-case letters, digits and '-', neither beginning nor ending with "
      "'-', perhaps after \"DOMAIN:\": \"",
      std::string(project.substr(0, kLongestDomain)), "\""));
}

std::string JobIdIn(std::string_view project, std::string_view name) {
  if (!IsJobName(name)) return "";
  std::string id(name);
  if (project != kDefaultProject) id.append("@").append(project);
  return id;
}

JobIdParts SplitJobId(std::string_view job_id) {
  const std::size_t at = job_id.rfind('@');
  if (at == std::string_view::npos) {
    return {std::string(job_id), std::string(kDefaultProject)};
  }
  return {std::string(job_id.substr(0, at)),
          std::string(job_id.substr(at + 1))};
}

std::string ProjectOfName(std::string_view name) {
  std::size_t begin = name.find('/');
  if (begin == std::string_view::npos) return SplitJobId(name).project;
  const std::string_view kind = name.substr(0, begin);
  if (kind != "owners" && kind != "projects") return "";
  const std::size_t end = name.find('/', ++begin);
  if (end == std::string_view::npos) return "";
  return std::string(name.substr(begin, end - begin));
}

}  // namespace vernier
