#include "cluster/code/ignore_rules.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/unique_fd.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

struct Case {
  const char* pattern;
  const char* path;  // With a slash at its end: a folder.
  bool is_left_out;
};

bool LeavesOut(const IgnoreRules& rules, std::string path) {
  const bool is_folder = path.back() == '/';
  if (is_folder) path.pop_back();
  return rules.LeavesOut(path, is_folder ? EntryKind::kFolder
                                         : EntryKind::kOther) != nullptr;
}

TEST(IgnoreRulesTest, ReadsPatternsAsGitDoes) {
  const Case cases[] = {
      {"data", "data", true},
      {"data", "data/", true},
      {"data", "deep/data", true},
      {"data", "database", false},
      // A slash at the end: folders only.
      {"data/", "data/", true},
      {"data/", "data", false},
      {"data/", "deep/data/", true},
      // A slash elsewhere: from this folder on.
      {"/data", "data", true},
      {"/data", "deep/data", false},
      {"a/b", "a/b", true},
      {"a/b", "x/a/b", false},
      {"/a/b/", "a/b/", true},
      // Stars do not match slashes, two of them do.
      {"*.ckpt", "deep/x.ckpt", true},
      {"*.ckpt", ".ckpt", true},
      {"a/*", "a/b", true},
      {"a/*", "a/b/c", false},
      {"a/*/c", "a/b/c", true},
      {"a/*/c", "a/b/b/c", false},
      {"**/c", "c", true},
      {"**/c", "a/b/c", true},
      {"a/**", "a/b/c", true},
      {"a/**", "a/", false},
      {"a/**/c", "a/c", true},
      {"a/**/c", "a/b/b/c", true},
      {"a/**/c", "a/bc", false},
      {"**", "a/b", true},
      {"a*b*c", "aXbbXc", true},
      {"a*b*c", "aXcXb", false},
      // One character.
      {"?.py", "a.py", true},
      {"?.py", ".py", false},
      {"[ab].py", "a.py", true},
      {"[!ab].py", "a.py", false},
      {"[^ab].py", "c.py", true},
      {"[a-c].py", "b.py", true},
      {"[a-]x", "-x", true},
      {"[]a]x", "]x", true},
      {"[[:digit:]]x", "7x", true},
      {"[[:digit:]]x", "ax", false},
      {"[\\]]x", "]x", true},
      {"[a", "[a", false},
      {"[[:nothing:]]", "a", false},
      // Escapes.
      {"\\#a", "#a", true},
      {"#a", "#a", false},
      {"\\!a", "!a", true},
      {"\\*", "*", true},
      {"\\*", "a", false},
      {"a\\", "a", false},
      {"a ", "a", true},
      {"a\\ ", "a ", true},
      {"a\r", "a", true},
      {"", "a", false},
  };
  for (const auto& [pattern, path, is_left_out] : cases) {
    const auto rules = IgnoreRules::Parse(pattern, "", nullptr);
    ASSERT_TRUE(rules.ok());
    EXPECT_EQ(LeavesOut(**rules, path), is_left_out)
        << "pattern \"" << pattern << "\", path " << path;
  }
}

TEST(IgnoreRulesTest, TheLastLineOfTheDeepestFileDecides) {
  const auto root =
      IgnoreRules::Parse("\xef\xbb\xbf*.txt\n!a.txt\n/keep\n", "", nullptr)
          .value();
  EXPECT_TRUE(LeavesOut(*root, "b.txt"));
  EXPECT_FALSE(LeavesOut(*root, "a.txt"));
  const auto inner = IgnoreRules::Parse("!b.txt\n/only\n", "in", root).value();
  EXPECT_FALSE(LeavesOut(*inner, "in/b.txt"));
  EXPECT_TRUE(LeavesOut(*inner, "in/c.txt"));
  EXPECT_TRUE(LeavesOut(*inner, "in/only"));
  EXPECT_FALSE(LeavesOut(*inner, "in/keep"));
  const IgnoreLine* line = inner->LeavesOut("in/only", EntryKind::kOther);
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->file, "in/.vernierignore");
  EXPECT_EQ(line->number, 2);
}

TEST(IgnoreRulesTest, HasLimits) {
  std::string text;
  for (std::size_t i = 0; i <= kMaxIgnorePatterns; ++i) text += "x\n";
  EXPECT_TRUE(absl::IsResourceExhausted(
      IgnoreRules::Parse(text, "", nullptr).status()));
  // No time may be exponential.
  std::string pattern;
  for (int i = 0; i < 500; ++i) pattern += "*a";
  const auto rules = IgnoreRules::Parse(pattern + "b", "", nullptr).value();
  EXPECT_FALSE(LeavesOut(*rules, std::string(4000, 'a')));
  std::string deep = "**/a";
  for (int i = 0; i < 500; ++i) deep += "/**/a";
  std::string path = "a";
  for (int i = 0; i < 1000; ++i) path += "/a";
  EXPECT_FALSE(
      LeavesOut(*IgnoreRules::Parse(deep + "/b", "", nullptr).value(), path));
}

TEST(IgnoreRulesTest, AFileThatIsNoneIsRefused) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo((folder / kIgnoreFile).c_str(), 0600), 0);
  const UniqueFd fd(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY));
  EXPECT_TRUE(absl::IsInvalidArgument(
      IgnoreRules::ReadIn(fd.get(), folder.path(), "", nullptr).status()));
}

TEST(IgnoreRulesTest, ALineForAPathMatchesNothingElse) {
  for (const char* path :
       {"data", "a b ", "#x", "!x", "we[i]rd*?", "back\\slash", "deep/er"}) {
    const auto rules =
        IgnoreRules::Parse(IgnoreLineFor(path, EntryKind::kOther), "", nullptr)
            .value();
    EXPECT_TRUE(LeavesOut(*rules, path)) << path;
    EXPECT_FALSE(LeavesOut(*rules, absl::StrCat("in/", path))) << path;
  }
  EXPECT_EQ(IgnoreLineFor("data", EntryKind::kFolder), "/data/");
}

// Compares with what git itself says of random patterns and trees. All trees
// lie in one repository, so that git is asked once.
class AgainstGit {
 public:
  explicit AgainstGit(std::uint64_t seed) : rng_(seed) {}

  void AddTree(const std::string& tree) {
    fs::create_directory(folder_ / tree);
    for (int i = 0; i < 20; ++i) MakePath(tree);
    for (const char* inner : {"", "/a", "/a/b", "/b"}) {
      const std::string folder = tree + inner;
      if (!fs::is_directory(folder_ / folder)) continue;
      std::string text;
      const std::size_t lines = *inner == '\0' ? 6 : Draw(3);
      for (std::size_t i = 0; i < lines; ++i) text += Pattern() + "\n";
      texts_[folder] = text;
      WriteText(fs::path(folder_ / folder) / ".gitignore", text);
    }
  }

  /// Where the two differ, with the patterns; "" if nowhere.
  std::string Differences() {
    std::set<std::string> ignored;
    if (!AskGit(&ignored)) return "git could not be asked";
    if (ignored.empty() || ignored.size() == paths_.size()) return "vacuous";
    std::string differences;
    for (const std::string& path : paths_) {
      const bool is_gits = ignored.count(path) > 0;
      if (IsIgnored(path) == is_gits) continue;
      const std::string tree = path.substr(0, path.find('/'));
      absl::StrAppend(&differences, path,
                      is_gits ? " is left out by git alone\n"
                              : " is left out by us alone\n");
      for (const auto& [folder, text] : texts_) {
        if (folder != tree && !absl::StartsWith(folder, tree + "/")) continue;
        absl::StrAppend(&differences, "--- ", folder, "/.gitignore\n", text);
      }
    }
    return differences;
  }

 private:
  std::size_t Draw(std::size_t below) { return rng_() % below; }
  template <std::size_t kSize>
  const char* One(const std::array<const char*, kSize>& of) {
    return of[Draw(kSize)];
  }

  std::string Name() {
    constexpr std::array<const char*, 12> kNames = {
        "a", "b", "ab", "ba", "a.b", ".a", "abc", "-", "a]", "#a", "!b", "B"};
    return One(kNames);
  }
  void MakePath(const std::string& tree) {
    std::string path = tree;
    const std::size_t depth = 1 + Draw(4);
    for (std::size_t i = 0; i < depth; ++i) {
      absl::StrAppend(&path, "/", Name());
      std::error_code error;
      if (i + 1 == depth && Draw(3) > 0) {
        if (!fs::exists(folder_ / path)) WriteText(folder_ / path, "");
      } else if (!fs::create_directory(folder_ / path, error) &&
                 !fs::is_directory(folder_ / path)) {
        return;
      }
      paths_.insert(path);
    }
  }
  std::string Pattern() {
    // No "**" beside other characters: git's documents say that they are plain
    // stars, and its prefix comparison sometimes makes more of them.
    constexpr std::array<const char*, 22> kPieces = {
        "a",     "b",    "c",     "ab",          "*",    "?",
        "[ab]",  "[!a]", "[^b]",  "[a-c]",       "[]a]", ".",
        "\\a",   "-",    "[a-]",  "[[:alpha:]]", "\\#",  "[\\]a]",
        "[b-a]", "[a",   "[A-Z]", "[[:upper:]x]"};
    std::string pattern = Draw(4) == 0 ? "!" : "";
    if (Draw(4) == 0) pattern += "/";
    const std::size_t segments = 1 + Draw(3);
    for (std::size_t i = 0; i < segments; ++i) {
      if (i > 0) pattern += "/";
      if (Draw(5) == 0) {
        pattern += "**";
        continue;
      }
      const std::size_t pieces = 1 + Draw(3);
      for (std::size_t j = 0; j < pieces; ++j) {
        const std::string piece = One(kPieces);
        if (piece == "*" && absl::EndsWith(pattern, "*")) continue;
        pattern += piece;
      }
    }
    if (Draw(4) == 0) pattern += "/";
    if (Draw(8) == 0) pattern += " ";
    return pattern;
  }
  bool AskGit(std::set<std::string>* ignored) {
    std::string input;
    for (const std::string& path : paths_) input += path + "\n";
    const std::string list = other_ / "list";
    WriteText(list, input);
    const std::string git =
        absl::StrCat("cd '", folder_.path(),
                     "' && git init -q . && git -c core.excludesFile= -c "
                     "core.quotePath=false check-ignore --no-index --stdin < '",
                     list, "' 2>/dev/null");
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(
        ::popen(git.c_str(), "re"), &::pclose);
    if (pipe == nullptr) return false;
    std::string output;
    char buffer[4096];
    while (const std::size_t n =
               std::fread(buffer, 1, sizeof(buffer), pipe.get())) {
      output.append(buffer, n);
    }
    const int status = ::pclose(pipe.release());
    // 1: none is ignored.
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) return false;
    const std::vector<std::string> lines =
        absl::StrSplit(output, '\n', absl::SkipEmpty());
    ignored->insert(lines.begin(), lines.end());
    return true;
  }
  // As a walk through the folders does it.
  bool IsIgnored(const std::string& path) {
    IgnoreRules::Ptr rules;
    std::string so_far;
    const std::vector<std::string> names = absl::StrSplit(path, '/');
    for (const std::string& name : names) {
      const auto text = texts_.find(so_far);
      if (text != texts_.end()) {
        rules = IgnoreRules::Parse(text->second, so_far, rules).value();
      }
      absl::StrAppend(&so_far, so_far.empty() ? "" : "/", name);
      const EntryKind kind = fs::is_directory(folder_ / so_far)
                                 ? EntryKind::kFolder
                                 : EntryKind::kOther;
      if (rules != nullptr && rules->LeavesOut(so_far, kind) != nullptr) {
        return true;
      }
    }
    return false;
  }

  std::mt19937_64 rng_;
  const ScratchFolder folder_;
  const ScratchFolder other_;
  std::set<std::string> paths_;
  std::map<std::string, std::string> texts_;
};

TEST(IgnoreRulesTest, AgreesWithGitOnRandomPatterns) {
  const char* rounds = std::getenv("VERNIER_IGNORE_ROUNDS");
  const int count = rounds == nullptr ? 1 : std::atoi(rounds);
  for (int seed = 1; seed <= count; ++seed) {
    AgainstGit comparison(static_cast<std::uint64_t>(seed));
    for (int i = 0; i < 15; ++i) comparison.AddTree(absl::StrCat("t", i));
    EXPECT_EQ(comparison.Differences(), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace vernier
