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

// A folder may include itself and the folders listed for it.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"study", {}},
    {"suggest", {"study"}},
    {"store", {"study"}},
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

TEST(ArchitectureTest, IncludesPointDownAndThirdPartyStaysHome) {
  const std::regex include_line(R"re(^\s*#include ["<]([^">]+)[">])re");
  int files = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(VERNIER_SOURCE_DIR)) {
    const fs::path path = entry.path();
    if (path.extension() != ".h" && path.extension() != ".cc") continue;
    const std::string folder =
        path.lexically_relative(VERNIER_SOURCE_DIR).begin()->string();
    ASSERT_TRUE(kMayInclude.count(folder)) << path << ": unknown folder";
    ++files;

    std::ifstream stream(path);
    std::smatch match;
    for (std::string line; std::getline(stream, line);) {
      if (!std::regex_search(line, match, include_line)) continue;
      const std::string header = match[1];
      const std::string target = header.substr(0, header.find('/'));
      if (target != folder && kMayInclude.count(target)) {
        EXPECT_TRUE(kMayInclude.at(folder).count(target))
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
