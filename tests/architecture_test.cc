// Keeps the include graph a DAG and each third-party header in its own corner.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

// A room, which is a folder of src/ or a part of one, may include itself, the
// rooms listed for it and all that lies below those.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"study", {}},
    {"suggest/space", {"study"}},
    {"suggest/stopping", {"study"}},
    {"suggest/design", {"study", "suggest/space"}},
    {"suggest/gp", {"study", "suggest/space"}},
    {"suggest/acquisition",
     {"study", "suggest/space", "suggest/design", "suggest/gp"}},
    {"suggest",
     {"study", "suggest/space", "suggest/stopping", "suggest/design",
      "suggest/gp", "suggest/acquisition", "suggest/x86_64_v3"}},
    // The second copy of the engine, as its linker sees it.
    {"suggest/x86_64_v3", {"suggest"}},
    {"store/migrations", {}},
    {"store", {"study", "store/migrations"}},
    {"trials", {"study", "suggest", "store"}},
    {"buckets", {"study"}},
    {"cluster", {"study", "trials", "buckets"}},
    {"http", {"study"}},
    {"server",
     {"study", "suggest", "store", "trials", "buckets", "cluster", "http"}},
    {"cli",
     {"study", "suggest", "store", "trials", "buckets", "cluster", "http",
      "server"}},
};

// A third-party header may be included only below the folder listed for it.
const std::map<std::string, std::string> kHomeOf = {
    {"nlohmann/", "study"},    {"Eigen/", "suggest"},  {"nlopt", "suggest"},
    {"sqlite3", "store"},      {"grpc", "server"},     {"google/", "server"},
    {"vernier/v1/", "server"}, {"boost/asio", "http"}, {"boost/beast", "http"},
    {"vizier/", "server"},     {"zlib", "http"},       {"ml/v1/", "server"},
};

bool IsBelow(const std::string& room, const std::string& other) {
  return room == other || room.rfind(other + "/", 0) == 0;
}

// The innermost room that a path from src/ lies in; empty: none.
std::string RoomOf(fs::path path) {
  while (path.has_parent_path() && path != path.parent_path()) {
    path = path.parent_path();
    if (kMayInclude.count(path.string())) return path.string();
  }
  return "";
}

bool MayInclude(const std::string& room, const std::string& target) {
  if (room == target) return true;
  for (const std::string& allowed : kMayInclude.at(room)) {
    if (IsBelow(target, allowed)) return true;
  }
  return false;
}

TEST(ArchitectureTest, IncludesPointDownAndThirdPartyStaysHome) {
  const std::regex include_line(R"re(^\s*#include ["<]([^">]+)[">])re");
  int files = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(VERNIER_SOURCE_DIR)) {
    const fs::path path = entry.path();
    if (path.extension() != ".h" && path.extension() != ".cc") continue;
    const fs::path inner = path.lexically_relative(VERNIER_SOURCE_DIR);
    const std::string folder = inner.begin()->string();
    const std::string room = RoomOf(inner);
    // A new folder below a room of rooms is a room that must be listed.
    ASSERT_EQ(room, inner.parent_path().string()) << path << ": unknown room";
    ++files;

    std::ifstream stream(path);
    std::smatch match;
    for (std::string line; std::getline(stream, line);) {
      if (!std::regex_search(line, match, include_line)) continue;
      const std::string header = match[1];
      const std::string target = RoomOf(header);
      if (!target.empty()) {
        EXPECT_TRUE(MayInclude(room, target))
            << path << " must not include " << header;
      }
      for (const auto& [prefix, home] : kHomeOf) {
        if (header.rfind(prefix, 0) == 0) {
          EXPECT_EQ(folder, home) << path << " must not include " << header;
        }
      }
    }
  }
  EXPECT_GT(files, 0) << "checked nothing";
}

}  // namespace
