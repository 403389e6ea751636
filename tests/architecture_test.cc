// Keeps the include graph a DAG and each third-party header in its own corner.

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

// A room is a folder below src/. It may include itself, base and the rooms
// listed for it; those have come before, so that there are no circles.
using Rooms = std::vector<std::pair<std::string, std::set<std::string>>>;
const Rooms kRooms = {
    {"base", {}},
    {"base/calls", {}},
    {"base/process", {}},
    {"glibc", {}},
    {"study/ends", {"base/process"}},
    {"study/devices", {}},
    {"study/engines", {}},
    {"study/metrics", {}},
    {"study", {"study/ends", "study/engines", "study/metrics"}},
    {"study/words", {"study"}},
    {"study/stopping", {"study"}},
    {"study/config", {}},
    {"study/study_file", {"study/config"}},
    {"study/foreign_files", {"study", "study/config", "study/study_file"}},
    {"study/sweep_file",
     {"study", "study/config", "study/foreign_files", "study/study_file"}},
    {"study/katib_file",
     {"study", "study/config", "study/foreign_files", "study/study_file"}},
    {"study/job_file",
     {"study", "study/config", "study/ends", "study/engines",
      "study/foreign_files", "study/katib_file", "study/metrics",
      "study/stopping", "study/study_file", "study/sweep_file"}},
    {"study/stored", {"study", "study/stopping"}},
    {"study/optuna_space", {"study"}},
    {"buckets", {"base/calls", "study"}},
    {"store", {"study"}},
    {"store/migrations", {}},
    {"store/events", {"store"}},
    {"store/model", {"store", "store/events", "study", "study/job_file"}},
    {"store/pages", {"base/process"}},
    {"store/foreign", {}},
    {"store/sqlite",
     {"store", "store/events", "store/migrations", "store/model", "store/pages",
      "study", "study/job_file"}},
    {"store/access", {"store/migrations", "store/sqlite", "study"}},
    {"suggest/space", {"study"}},
    {"suggest/design", {"study", "suggest/space"}},
    {"suggest/gp", {"base/calls", "study", "suggest/space"}},
    {"suggest/front", {"study", "suggest/space"}},
    {"suggest/acquisition",
     {"suggest/design", "suggest/front", "suggest/gp", "suggest/space"}},
    {"suggest/memory", {"study", "suggest/gp", "suggest/space"}},
    {"suggest/insights",
     {"study", "suggest/acquisition", "suggest/design", "suggest/gp",
      "suggest/space"}},
    {"suggest/algorithms",
     {"study", "suggest/acquisition", "suggest/design", "suggest/front",
      "suggest/gp", "suggest/insights", "suggest/memory", "suggest/space"}},
    {"suggest/x86_64_v3", {"suggest/algorithms"}},
    {"suggest",
     {"study", "suggest/algorithms", "suggest/space", "suggest/x86_64_v3"}},
    {"suggest/curves",
     {"study", "suggest/acquisition", "suggest/design", "suggest/gp",
      "suggest/space"}},
    {"suggest/stopping",
     {"study", "suggest/acquisition", "suggest/curves", "suggest/front",
      "suggest/gp"}},
    {"trials/results", {"store", "study", "suggest/front", "suggest/space"}},
    {"trials/stopping",
     {"store", "study", "suggest/curves", "suggest/space", "suggest/stopping",
      "trials/results"}},
    {"trials/filters", {}},
    {"trials/engine",
     {"base/calls", "store", "study", "study/words", "suggest",
      "suggest/algorithms", "suggest/insights", "suggest/space",
      "trials/results", "trials/stopping"}},
    {"trials",
     {"base/calls", "store", "store/access", "store/events", "study",
      "study/words", "suggest", "suggest/algorithms", "suggest/curves",
      "suggest/front", "suggest/insights", "suggest/space", "suggest/stopping",
      "trials/engine", "trials/filters", "trials/results", "trials/stopping"}},
    {"trials/clients", {"store", "study", "trials", "trials/results"}},
    {"trials/limits",
     {"store", "study", "study/words", "suggest/insights", "trials/engine",
      "trials/results"}},
    {"access", {"buckets", "store", "store/access", "study", "trials"}},
    {"cluster", {"study", "study/config", "study/devices", "study/metrics"}},
    {"http", {}},
    {"edge", {"access", "base/calls", "http"}},
    {"http/client", {"http"}},
    {"edge/grpc", {"access", "base/calls", "edge", "http"}},
    {"client", {"access", "edge", "edge/grpc", "http"}},
    {"trials/budgets",
     {"store", "store/access", "study", "study/devices", "trials"}},
    {"trials/jobs",
     {"store", "store/access", "study", "study/devices", "study/ends",
      "study/job_file", "study/metrics", "study/stopping", "study/words",
      "suggest/space", "suggest/stopping", "trials", "trials/budgets",
      "trials/engine", "trials/limits", "trials/results", "trials/stopping"}},
    {"trials/submission",
     {"store", "store/access", "study", "study/config", "study/engines",
      "study/job_file", "study/metrics", "suggest/space", "trials",
      "trials/engine", "trials/jobs"}},
    {"cluster/code",
     {"buckets", "cluster", "store", "study", "study/job_file",
      "trials/submission"}},
    {"cluster/machine", {"study/devices"}},
    {"cluster/process", {"cluster", "trials/clients"}},
    {"cluster/containers", {"cluster", "cluster/process"}},
    {"cluster/attempt",
     {"base/process", "buckets", "cluster", "cluster/code",
      "cluster/containers", "cluster/machine", "cluster/process", "study",
      "study/job_file", "trials/jobs"}},
    {"cluster/gang",
     {"base/process", "buckets", "cluster", "cluster/attempt", "cluster/code",
      "cluster/containers", "cluster/process", "study", "study/config",
      "study/devices"}},
    {"cluster/local",
     {"base/process", "cluster", "cluster/attempt", "cluster/containers",
      "cluster/gang", "cluster/machine", "cluster/process", "study",
      "trials/jobs"}},
    {"cluster/slurm",
     {"cluster", "cluster/attempt", "cluster/gang", "cluster/process", "study",
      "study/engines", "trials/jobs"}},
    {"cluster/kubernetes",
     {"buckets", "cluster", "cluster/attempt", "cluster/containers",
      "cluster/gang", "http/client", "study", "study/config", "study/engines",
      "study/job_file", "trials/jobs"}},
    {"cluster/slurm/node",
     {"cluster", "cluster/attempt", "cluster/gang", "cluster/process",
      "cluster/slurm", "study"}},
    {"cluster/dispatch",
     {"cluster", "cluster/attempt", "cluster/code", "study", "study/engines",
      "trials/jobs"}},
    {"cluster/metrics/files", {"cluster", "study"}},
    {"cluster/metrics/tensorboard",
     {"cluster/metrics/files", "study", "study/metrics", "trials/jobs"}},
    {"cluster/metrics/trackio",
     {"cluster", "cluster/metrics/files", "store/foreign", "study",
      "trials/jobs"}},
    {"cluster/metrics",
     {"base/process", "cluster", "cluster/metrics/files",
      "cluster/metrics/tensorboard", "cluster/metrics/trackio", "study",
      "study/metrics", "trials/jobs"}},
    {"edge/http",
     {"access", "base/calls", "edge", "http", "study", "study/job_file"}},
    {"faces/logging",
     {"base/calls", "cluster", "edge/http", "store", "study", "trials",
      "trials/filters", "trials/jobs", "trials/submission"}},
    {"faces/messages",
     {"base/calls", "cluster", "store", "study", "study/job_file",
      "study/metrics", "study/words", "suggest/insights", "trials",
      "trials/engine", "trials/jobs", "trials/results", "trials/stopping"}},
    {"faces/dashboard", {"access",          "base/calls",
                         "buckets",         "cluster",
                         "cluster/code",    "edge/http",
                         "faces/messages",  "http",
                         "store",           "store/access",
                         "study",           "study/job_file",
                         "study/metrics",   "study/words",
                         "trials",          "trials/clients",
                         "trials/jobs",     "trials/results",
                         "trials/stopping", "trials/submission"}},
    {"faces/katib",
     {"base/calls", "edge", "edge/grpc", "faces/messages", "study", "suggest",
      "suggest/algorithms", "suggest/space"}},
    {"faces/ml",
     {"edge/http", "faces/messages", "store", "study", "study/job_file",
      "study/stopping", "trials", "trials/jobs", "trials/submission"}},
    {"faces/native",
     {"access",          "buckets",          "cluster",        "cluster/code",
      "cluster/attempt", "cluster/gang",     "edge",           "edge/grpc",
      "edge/http",       "faces/messages",   "store",          "store/access",
      "study",           "study/devices",    "study/stopping", "trials",
      "trials/budgets",  "trials/clients",   "trials/engine",  "trials/jobs",
      "trials/results",  "trials/submission"}},
    {"faces/prometheus",
     {"access", "edge", "http", "store", "study", "study/devices", "trials",
      "trials/results"}},
    {"faces/reports",
     {"cluster", "cluster/metrics", "edge/grpc", "edge/http", "faces/messages",
      "store", "study", "study/metrics", "trials"}},
    {"faces/storage", {"buckets", "http", "study"}},
    {"faces/optuna",
     {"edge", "edge/grpc", "store", "store/access", "study",
      "study/optuna_space", "suggest", "suggest/algorithms", "trials",
      "trials/engine", "trials/jobs"}},
    {"faces/suggest",
     {"cluster/metrics", "edge", "faces/messages", "study", "study/job_file",
      "study/stopping", "suggest/insights", "suggest/space", "trials",
      "trials/results"}},
    {"faces/vizier",
     {"access", "edge", "edge/grpc", "faces/messages", "trials"}},
    {"telemetry", {"http", "http/client", "store", "study"}},
    {"notifications",
     {"cluster", "cluster/process", "http", "http/client", "store", "study",
      "trials", "trials/results"}},
    {"store/check", {"store/events", "store/pages", "store/sqlite", "study"}},
    {"daemon",
     {"access",
      "base/process",
      "buckets",
      "client",
      "cluster",
      "cluster/attempt",
      "cluster/code",
      "cluster/containers",
      "cluster/dispatch",
      "cluster/gang",
      "cluster/kubernetes",
      "cluster/local",
      "cluster/metrics",
      "cluster/process",
      "cluster/slurm",
      "edge",
      "edge/grpc",
      "edge/http",
      "faces/dashboard",
      "faces/katib",
      "faces/logging",
      "faces/ml",
      "faces/native",
      "faces/optuna",
      "faces/prometheus",
      "faces/reports",
      "faces/storage",
      "faces/vizier",
      "http",
      "http/client",
      "notifications",
      "store",
      "store/access",
      "store/check",
      "store/events",
      "store/pages",
      "store/sqlite",
      "study",
      "study/devices",
      "study/engines",
      "suggest/gp",
      "telemetry",
      "trials",
      "trials/budgets",
      "trials/clients",
      "trials/engine",
      "trials/jobs",
      "trials/submission"}},
    {"cli/text", {}},
    {"cli/background", {"base/process", "cli/text", "daemon", "edge"}},
    {"cli/display",
     {"cli/text", "client", "faces/logging", "study/metrics", "study/words"}},
    {"cli/live", {"cli/display", "cli/text", "client", "study/words"}},
    {"cli/command",
     {"cli/background", "cli/display", "cli/text", "client", "study"}},
    {"cli/doctor",
     {"cluster", "cluster/machine", "cluster/process", "daemon",
      "study/devices"}},
    {"cli/submission",
     {"cli/command", "cli/display", "cli/live", "cli/text", "client", "cluster",
      "cluster/code", "daemon", "study/config", "study/job_file",
      "study/study_file"}},
    {"cli/imports",
     {"cli/command", "cli/display", "cli/submission", "cli/text", "client",
      "faces/messages", "http/client", "store/foreign", "study",
      "study/job_file", "study/metrics", "study/optuna_space",
      "study/study_file", "suggest/space", "trials"}},
    {"cli/verbs",
     {"access",
      "buckets",
      "cli/background",
      "cli/command",
      "cli/display",
      "cli/doctor",
      "cli/live",
      "cli/submission",
      "cli/text",
      "client",
      "cluster/attempt",
      "cluster/containers",
      "cluster/kubernetes",
      "cluster/local",
      "cluster/metrics",
      "cluster/slurm",
      "daemon",
      "edge",
      "faces/suggest",
      "store",
      "study",
      "study/engines",
      "study/job_file",
      "study/stopping",
      "study/study_file",
      "study/words",
      "trials",
      "trials/filters",
      "trials/results"}},
    {"cli",
     {"cli/command", "cli/display", "cli/imports", "cli/text", "cli/verbs",
      "cluster/local", "cluster/slurm/node"}},
};

// A third-party header may be included only below the folders listed for it.
const std::map<std::string, std::set<std::string>> kHomesOf = {
    {"nlohmann/", {"base"}},
    {"re2/", {"cluster", "study"}},
    {"yaml-cpp/", {"study"}},
    {"Eigen/", {"suggest"}},
    {"nlopt", {"suggest"}},
    {"sqlite3", {"store"}},
    {"openssl/", {"access", "buckets", "http"}},
    {"boost/asio", {"http"}},
    {"boost/beast", {"http"}},
    {"zlib", {"cluster", "http"}},
    {"curl/", {"cluster", "http"}},
    {"grpc", {"client", "edge"}},
    {"google/", {"access", "client", "daemon", "edge", "faces"}},
    {"vernier/v1/", {"access", "cli", "client", "daemon", "edge", "faces"}},
    {"ml/v1/", {"faces"}},
    {"optuna/", {"faces"}},
    {"vizier/", {"cli", "faces"}},
    {"katib/", {"faces"}},
    {"spdlog/", {"daemon"}},
    {"CLI/", {"cli"}},
};

std::map<std::string, std::set<std::string>> RoomsByName() {
  std::map<std::string, std::set<std::string>> rooms;
  for (const auto& [room, allowed] : kRooms) {
    for (const std::string& other : allowed) {
      EXPECT_TRUE(rooms.count(other)) << room << " before " << other;
    }
    EXPECT_TRUE(rooms.emplace(room, allowed).second) << room << " twice";
  }
  return rooms;
}

// The headers that a file includes, as it names them.
std::vector<std::string> IncludesOf(const fs::path& path) {
  static const std::regex kIncludeLine(R"re(^\s*#include ["<]([^">]+)[">])re");
  std::vector<std::string> includes;
  std::ifstream stream(path);
  std::smatch match;
  for (std::string line; std::getline(stream, line);) {
    if (std::regex_search(line, match, kIncludeLine)) {
      includes.push_back(match[1]);
    }
  }
  return includes;
}

std::vector<fs::path> SourceFiles() {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(VERNIER_SOURCE_DIR)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".h" || extension == ".cc") files.push_back(entry.path());
  }
  return files;
}

// What each header and its .cc, taken together, include of others.
using Graph = std::map<std::string, std::set<std::string>>;
Graph IncludesByName() {
  Graph graph;
  for (const fs::path& path : SourceFiles()) {
    const std::string name =
        path.lexically_relative(VERNIER_SOURCE_DIR).replace_extension();
    std::set<std::string>& others = graph[name];
    for (const std::string& header : IncludesOf(path)) {
      const std::string other = fs::path(header).replace_extension();
      if (other != name) others.insert(other);
    }
  }
  return graph;
}

// Leaves those that include one another in a circle, and those between circles.
void DropWhatIsInNoCircle(Graph* graph) {
  std::size_t before = 0;
  do {
    before = graph->size();
    std::set<std::string> included;
    for (auto& [name, others] : *graph) {
      std::erase_if(
          others, [&](const auto& other) { return graph->count(other) == 0; });
      included.insert(others.begin(), others.end());
    }
    std::erase_if(*graph, [&](const auto& each) {
      return each.second.empty() || included.count(each.first) == 0;
    });
  } while (graph->size() < before);
}

// The names that a file defines in its unnamed namespaces, each with the line
// that does. Enough of C++ for files that clang-format has laid out.
std::map<std::string, std::string> UnnamedNamesOf(const fs::path& path) {
  static const std::regex kDefinition(
      R"re(^(?:template <.*> )?(?:(?:struct|class|enum|enum class) (\w+)\b.*[{;:]|)re"
      R"re(using (\w+) =.*|)re"
      R"re((?:static |inline )?(?:constexpr|const) .*?\b(k[A-Z]\w*)\b.*|)re"
      R"re((?:[\w:<][^=(]*[ *&>])?([A-Z][a-z]\w*)\(.*))re");
  std::map<std::string, std::string> names;
  std::ifstream stream(path);
  bool is_unnamed = false;
  std::smatch match;
  for (std::string line; std::getline(stream, line);) {
    if (line == "namespace {") is_unnamed = true;
    if (line == "}  // namespace") is_unnamed = false;
    if (!is_unnamed || line.empty() || line.front() == ' ' ||
        !std::regex_match(line, match, kDefinition)) {
      continue;
    }
    for (std::size_t i = 1; i < match.size(); ++i) {
      if (match[i].matched) names.emplace(match[i], line);
    }
  }
  return names;
}

// scripts/build and scripts/test compile the files of a folder as one
// (cmake/unity.cmake). Two functions of one name would be overloads there, and
// a call could choose the neighbour's without a word.
void ExpectUnnamedNamesAreUnique(const fs::path& folder, int* files) {
  std::map<fs::path, std::map<std::string, std::pair<fs::path, std::string>>>
      rooms;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cc") continue;
    ++*files;
    auto& room = rooms[entry.path().parent_path()];
    for (const auto& [name, line] : UnnamedNamesOf(entry.path())) {
      const auto [other, is_new] =
          room.try_emplace(name, entry.path().filename(), line);
      // An alias may be said twice.
      const bool is_alias = line.rfind("using ", 0) == 0;
      if (is_new || (is_alias && other->second.second == line)) continue;
      ADD_FAILURE() << entry.path().string() << " and "
                    << other->second.first.string() << " both define " << name
                    << "; one of them needs a name of its own";
    }
  }
}

TEST(ArchitectureTest, UnnamedNamesAreUniqueInTheirFolder) {
  int files = 0;
  ExpectUnnamedNamesAreUnique(VERNIER_SOURCE_DIR, &files);
  ExpectUnnamedNamesAreUnique(VERNIER_TESTDATA_DIR, &files);
  EXPECT_GT(files, 500);
}

TEST(ArchitectureTest, EachTypeHasOneDefinition) {
  // All are in one namespace, so two of one name would break the language's
  // rule of one definition: the linker keeps one std::vector of them for both.
  static const std::regex kType(
      R"re(^(?:struct|class|enum class|enum) (\w+)\b[^;]*$)re");
  std::map<std::string, std::string> types;
  std::smatch match;
  for (const fs::path& path : SourceFiles()) {
    if (path.extension() != ".h") continue;
    std::ifstream stream(path);
    for (std::string line; std::getline(stream, line);) {
      if (!std::regex_match(line, match, kType)) continue;
      const auto [other, is_new] = types.emplace(match[1], path);
      EXPECT_TRUE(is_new || other->second == path.string())
          << match[1] << " is defined in " << path << " and " << other->second;
    }
  }
  EXPECT_GT(types.size(), 300u);
}

TEST(ArchitectureTest, FilesIncludeOneAnotherInNoCircle) {
  Graph graph = IncludesByName();
  EXPECT_GT(graph.size(), 100u);
  DropWhatIsInNoCircle(&graph);
  for (const auto& [name, others] : graph) {
    for (const std::string& other : others) {
      ADD_FAILURE() << name << " includes " << other << ", which leads back";
    }
  }
}

TEST(ArchitectureTest, IncludesPointDownAndThirdPartyStaysHome) {
  const auto rooms = RoomsByName();
  std::set<std::string> seen;
  for (const fs::path& path : SourceFiles()) {
    const fs::path inner = path.lexically_relative(VERNIER_SOURCE_DIR);
    const std::string folder = inner.begin()->string();
    const std::string room = inner.parent_path().string();
    ASSERT_EQ(rooms.count(room), 1u) << path << ": its room is not listed";
    seen.insert(room);

    for (const std::string& header : IncludesOf(path)) {
      const std::string target = fs::path(header).parent_path().string();
      if (rooms.count(target) && target != room && target != "base") {
        EXPECT_TRUE(rooms.at(room).count(target))
            << path << " must not include " << header;
      }
      for (const auto& [prefix, homes] : kHomesOf) {
        if (header.rfind(prefix, 0) == 0) {
          EXPECT_TRUE(homes.count(folder))
              << path << " must not include " << header;
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), rooms.size()) << "a room that is listed is empty";
}

// A terminal obeys the control characters of other people's texts.
TEST(ArchitectureTest, VerbsPrintByTheConsoleAlone) {
  // The child of a fork, the frames of a live display, and the console itself.
  const std::set<std::string> exempt = {
      "cli/submission/local_train.cc", "cli/live/screen.cc",
      "cli/text/console.h", "cli/text/console.cc"};
  static const std::regex kRawPrint(
      R"re(\b(v?f?printf|f?puts|putchar|fwrite)\s*\(|std::(cout|cerr|clog))re");
  int files = 0;
  for (const fs::path& path : SourceFiles()) {
    const std::string name =
        path.lexically_relative(VERNIER_SOURCE_DIR).string();
    if (name.rfind("cli/", 0) != 0 || exempt.count(name) > 0) continue;
    ++files;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      if (line.find_first_not_of(' ') == line.find("//")) continue;
      EXPECT_FALSE(std::regex_search(line, kRawPrint))
          << path << ": use cli/text/console.h: " << line;
    }
  }
  EXPECT_GT(files, 50);
}

}  // namespace
