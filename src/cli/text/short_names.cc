#include "cli/text/short_names.h"

#include <algorithm>
#include <map>
#include <set>

#include "cli/text/terminal_text.h"

namespace vernier {
namespace {

// Names that share a long beginning form a group. In each group the part where
// the names differ is determined (AddGroup), and up to kMostKept characters of
// it are kept when a name is cut, because they alone tell the names apart.

// If names share a beginning of this length, their difference must be shown.
constexpr std::size_t kAlike = 6;
constexpr std::size_t kMostKept = 16;
constexpr std::size_t kUsualEnd = 8;
constexpr std::size_t kContext = 2;
constexpr char kMark[] = "~";

/// A name as a list of characters, so that none is cut in two.
using Letters = std::vector<std::string>;

Letters LettersOf(const std::string& name) {
  Letters letters;
  for (const char c : name) {
    const bool goes_on = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (!goes_on || letters.empty()) letters.emplace_back();
    letters.back() += c;
  }
  return letters;
}

std::string Joined(const Letters& letters, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) text += letters[i];
  return text;
}

std::size_t CommonPrefix(const Letters& a, const Letters& b) {
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t n = 0;
  while (n < most && a[n] == b[n]) ++n;
  return n;
}

std::size_t CommonSuffix(const Letters& a, const Letters& b, std::size_t most) {
  std::size_t n = 0;
  while (n < most && a[a.size() - 1 - n] == b[b.size() - 1 - n]) ++n;
  return n;
}

/// The piece [begin, end) of a name that is kept even if there is little room.
struct Kept {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Determines where the names of a group differ.
void AddGroup(const std::vector<Letters>& group,
              std::map<Letters, Kept>* pieces) {
  if (group.size() == 1) {
    const std::size_t size = group.front().size();
    (*pieces)[group.front()] = {size - std::min(size, kUsualEnd), size};
    return;
  }
  // The names are sorted, so the first and the last have least in common.
  const std::size_t prefix = CommonPrefix(group.front(), group.back());
  std::size_t suffix = group.front().size() - prefix;
  for (const Letters& name : group) {
    suffix = CommonSuffix(name, group.front(),
                          std::min(suffix, name.size() - prefix));
  }
  for (const Letters& name : group) {
    const std::size_t last = name.size() - suffix;
    if (last - prefix > kMostKept) {
      (*pieces)[name] = {name.size() - kMostKept, name.size()};
    } else {
      (*pieces)[name] = {prefix - std::min(prefix, kContext),
                         std::min(name.size(), last + kContext)};
    }
  }
}

std::map<Letters, Kept> KeptPieces(const std::set<Letters>& names) {
  std::map<Letters, Kept> pieces;
  std::vector<Letters> group;
  for (const Letters& name : names) {
    if (!group.empty() && CommonPrefix(group.back(), name) < kAlike) {
      AddGroup(group, &pieces);
      group.clear();
    }
    group.push_back(name);
  }
  if (!group.empty()) AddGroup(group, &pieces);
  return pieces;
}

std::string Shortened(const Letters& name, Kept kept, std::size_t width) {
  const std::size_t size = name.size();
  const bool is_inside = kept.end < size;
  const std::size_t marks = is_inside ? 2 : 1;
  // The piece begins where names differ; at a name's end it keeps its own end.
  if (kept.end - kept.begin > width - marks) {
    if (is_inside) {
      kept.end = kept.begin + width - marks;
    } else {
      kept.begin = kept.end - (width - marks);
    }
  }
  const std::size_t room = width - (kept.end - kept.begin) - marks;
  const std::size_t head =
      std::min(kept.begin, is_inside ? (room + 1) / 2 : room);
  const std::size_t tail =
      is_inside ? std::min(size - kept.end, room - head) : 0;
  std::string text = Joined(name, 0, head);
  if (head < kept.begin) text += kMark;
  text += Joined(name, kept.begin, kept.end);
  if (tail < size - kept.end) text += kMark;
  text += Joined(name, size - tail, size);
  return CutToWidth(text, width);
}

}  // namespace

std::vector<std::string> ShortNames(const std::vector<std::string>& names,
                                    const std::vector<std::size_t>& widths) {
  std::vector<Letters> whole;
  whole.reserve(names.size());
  for (const std::string& name : names) {
    whole.push_back(LettersOf(Printable(name, LineBreaks::kToBlanks)));
  }
  const std::map<Letters, Kept> pieces =
      KeptPieces({whole.begin(), whole.end()});
  std::vector<std::string> shown;
  shown.reserve(names.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const std::string text = Joined(whole[i], 0, whole[i].size());
    const std::size_t width = std::max(widths[i], kFewestNameColumns);
    const bool fits = DisplayWidth(text) <= width;
    shown.push_back(fits ? text
                         : Shortened(whole[i], pieces.at(whole[i]),
                                     std::min(width, whole[i].size())));
  }
  return shown;
}

std::vector<std::string> ShortNames(const std::vector<std::string>& names,
                                    std::size_t width) {
  return ShortNames(names, std::vector<std::size_t>(names.size(), width));
}

}  // namespace vernier
