#include "base/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vernier {
namespace {

// Longer text cannot be a misspelling of any known name.
constexpr std::size_t kMaxLength = 64;

std::string Folded(std::string_view text) {
  std::string folded;
  for (const char c : text) {
    if (c == '_' || c == '-') continue;
    folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return folded;
}

// Counts insertions, deletions, substitutions and swaps of neighbours (optimal
// string alignment).
std::size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1),
      current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = a[i - 1] == b[j - 1] ? 0 : 1;
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1,
                             previous[j - 1] + substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

}  // namespace

bool IsSameName(std::string_view a, std::string_view b) {
  return a.size() <= kMaxLength && Folded(a) == Folded(b);
}

std::string_view NearestName(std::string_view text,
                             std::span<const std::string_view> candidates) {
  if (text.empty() || text.size() > kMaxLength) return "";
  const std::string folded = Folded(text);
  std::string_view nearest;
  // One wrong letter in three is still a misspelling.
  std::size_t smallest = std::max<std::size_t>(1, folded.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = EditDistance(folded, Folded(candidate));
    if (distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  if (!nearest.empty() || folded.size() < 3) return nearest;
  for (const std::string_view candidate : candidates) {
    const bool is_shorter =
        nearest.empty() || candidate.size() < nearest.size();
    if (is_shorter && Folded(candidate).find(folded) != std::string::npos) {
      nearest = candidate;
    }
  }
  return nearest;
}

std::string DidYouMean(std::string_view text,
                       std::span<const std::string_view> candidates) {
  const std::string_view nearest = NearestName(text, candidates);
  return nearest.empty() ? "" : "; did you mean " + std::string(nearest) + "?";
}

}  // namespace vernier
