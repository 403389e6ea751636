#ifndef VERNIER_TESTS_FACES_PAGE_TYPES_H_
#define VERNIER_TESTS_FACES_PAGE_TYPES_H_

#include <filesystem>
#include <map>
#include <regex>
#include <string>

#include "base/json.h"
#include "tests/support/text_file.h"

namespace vernier {

/// Returns the members of an interface of web/src/types.ts, those of the
/// interface that it extends included, and whether an answer may lack each.
inline std::map<std::string, bool> PageMembers(
    const std::filesystem::path& types, const std::string& name) {
  std::map<std::string, bool> members;
  std::smatch found;
  const std::string text = ReadText(types);
  const std::regex heading("export interface " + name +
                           "( extends ([A-Za-z]+))? \\{\n");
  if (!std::regex_search(text, found, heading)) return members;
  if (found[2].matched) members = PageMembers(types, found[2]);
  const std::string rest = found.suffix();
  const std::string body = rest.substr(0, rest.find("\n}"));
  const std::regex member(R"(\n  ([A-Za-z]+)(\??):)");
  const std::string lines = "\n" + body;
  for (std::sregex_iterator at(lines.begin(), lines.end(), member), end;
       at != end; ++at) {
    members[(*at)[1]] = (*at)[2].length() > 0;
  }
  return members;
}

/// Returns what an answer has that the page does not know, and what it lacks
/// that the page relies on, a name in each line; "" if there is nothing.
inline std::string DifferenceFromPage(const std::filesystem::path& types,
                                      const std::string& name,
                                      const Json& answer) {
  const std::map<std::string, bool> members = PageMembers(types, name);
  if (members.empty()) return name + " is no interface of the page\n";
  std::string difference;
  for (const auto& [member, value] : answer.items()) {
    if (members.count(member) == 0) {
      difference += name + "." + member + " is sent and not known\n";
    }
  }
  for (const auto& [member, may_be_absent] : members) {
    if (!may_be_absent && !answer.contains(member)) {
      difference += name + "." + member + " is known and not sent\n";
    }
  }
  return difference;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_FACES_PAGE_TYPES_H_
