#include "cluster/secret_mask.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/json.h"

namespace vernier {
namespace {

constexpr char kMask[] = "***";
constexpr std::size_t kShortest = 4;
// Shorter lines of a value with several lines, and shorter ends of a value, may
// be any word.
constexpr std::size_t kShortestPart = 8;

std::string PercentEncoded(const std::string& text) {
  std::string encoded;
  for (const char c : text) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
        std::string_view("-_.~").find(c) != std::string_view::npos) {
      encoded += c;
      continue;
    }
    char hex[4];
    std::snprintf(hex, sizeof(hex), "%%%02X", static_cast<unsigned char>(c));
    encoded += hex;
  }
  return encoded;
}

// Returns the text as JSON and Python's repr print it between quotes.
std::string Quoted(const std::string& text, const std::string& quote) {
  return absl::StrReplaceAll(text, {{"\\", "\\\\"},
                                    {"\n", "\\n"},
                                    {"\r", "\\r"},
                                    {"\t", "\\t"},
                                    {quote, "\\" + quote}});
}

// Returns the texts to mask, longest first, since one may be a part of another.
std::vector<std::string> FormsOf(
    const std::map<std::string, std::string>& secrets) {
  std::set<std::string> forms;
  const auto add = [&forms](const std::string& text, std::size_t shortest) {
    if (text.size() < shortest) return;
    forms.insert(
        {text, PercentEncoded(text), Quoted(text, "\""), Quoted(text, "'")});
  };
  for (const auto& [name, value] : secrets) {
    add(value, kShortest);
    if (value.find('\n') == std::string::npos) continue;
    const std::vector<std::string> lines = absl::StrSplit(value, '\n');
    for (const std::string& line : lines) add(line, kShortestPart);
  }
  std::vector<std::string> sorted(forms.begin(), forms.end());
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return sorted;
}

// Returns how many bytes of `text` from its beginning on are the end of `form`.
std::size_t EndOfForm(std::string_view text, std::string_view form) {
  for (std::size_t size = std::min(text.size(), form.size() - 1);
       size >= kShortestPart; --size) {
    if (text.substr(0, size) == form.substr(form.size() - size)) return size;
  }
  return 0;
}

}  // namespace

std::string MaskSecrets(std::string text,
                        const std::map<std::string, std::string>& secrets) {
  const std::vector<std::string> forms = FormsOf(secrets);
  // The log's lines follow a line of the service's own, or begin the text.
  for (const std::size_t begin : {text.find('\n') + 1, std::size_t{0}}) {
    for (const std::string& form : forms) {
      const std::size_t size =
          EndOfForm(std::string_view(text).substr(begin), form);
      if (size > 0) text.replace(begin, size, kMask);
    }
  }
  for (const std::string& form : forms) {
    text = absl::StrReplaceAll(text, {{form, kMask}});
  }
  return text;
}

std::vector<std::string> MaskProblems(
    const absl::StatusOr<std::map<std::string, std::string>>& secrets,
    std::vector<std::string> problems) {
  if (problems.empty()) return problems;
  if (!secrets.ok()) {
    return {
        "some reports could not be read, and are not shown, since the "
        "job's secrets cannot be read"};
  }
  for (std::string& problem : problems) {
    problem = MaskSecrets(std::move(problem), *secrets);
  }
  return problems;
}

void MaskAttributes(const std::map<std::string, std::string>& secrets,
                    std::map<std::string, std::string>* attributes) {
  if (secrets.empty()) return;
  for (auto& [name, value] : *attributes) {
    if (const auto json = ParseJson(value); json.ok()) value = DumpJson(*json);
    value = MaskSecrets(std::move(value), secrets);
  }
}

}  // namespace vernier
