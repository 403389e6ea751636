// The real binary: exit codes and messages for bad input, help, completion.

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace vernier {
namespace {

namespace fs = std::filesystem;

struct Result {
  int exit_code = -1;
  std::string output;  // Both streams.
};

class CommandLineTest : public testing::Test {
 protected:
  CommandLineTest() {
    std::string pattern = testing::TempDir() + "vernier-XXXXXX";
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  ~CommandLineTest() override { fs::remove_all(folder_); }

  /// Runs the binary with words that need no quoting beyond the shell's.
  Result Run(const std::string& words) const {
    // An endpoint is given, so that no test ever starts a service.
    const std::string command =
        "cd " + folder_ + " && VERNIER_ENDPOINT=unix:" + folder_ +
        "/none.sock " VERNIER_BINARY " " + words + " 2>&1 </dev/null";
    Result result;
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return result;
    char buffer[4096];
    std::size_t n = 0;
    while ((n = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0) {
      result.output.append(buffer, n);
    }
    const int status = pclose(pipe);
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    return result;
  }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
  }
  void ExpectFails(const std::string& words, int exit_code,
                   const std::string& message) const {
    const Result result = Run(words);
    EXPECT_EQ(result.exit_code, exit_code) << words << "\n" << result.output;
    EXPECT_NE(result.output.find(message), std::string::npos) << words << "\n"
                                                              << result.output;
  }

  std::string folder_;
};

constexpr char kJob[] =
    "trainingInput:\n  hyperparameters:\n    maxTrials: 2\n    params:\n"
    "    - {parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}\n"
    "vernier: {command: [/bin/true]}\n";

TEST_F(CommandLineTest, BadUsageIsTwo) {
  ExpectFails("", 2, "subcommand");
  ExpectFails("fly", 2, "unknown verb \"fly\"; there are run, jobs");
  ExpectFails("jobs decribe a", 2, "did you mean describe?");
  ExpectFails("jobs", 2, "subcommand");
  ExpectFails("jobs describe", 2, "JOB is required");
  ExpectFails("jobs list --limit -1", 2, "--limit");
  ExpectFails("jobs list --format xml", 4, "");
  ExpectFails("version --format xml", 2, "--format must be");
  ExpectFails("completion fish", 2, "bash or zsh");
  ExpectFails("serve --log-level loud", 2, "log level must be");
  ExpectFails("serve --idle-exit soon --data-dir d", 2, "30m");
  ExpectFails("jobs update a", 2, "--update-labels");
  ExpectFails("run", 2, "--config");
}

TEST_F(CommandLineTest, BadInputIsTwoAndNamesThePlace) {
  Write(
      "bad.yaml",
      "trainingInput:\n  hyperparameters:\n    maxTrails: 3\n    params: []\n");
  ExpectFails("jobs submit training a --config none.yaml", 2,
              "cannot read none.yaml: No such file");
  ExpectFails("jobs submit training a --config .", 2, "it is a folder");
  ExpectFails("jobs submit training a --config bad.yaml", 2, "bad.yaml:3:");
  ExpectFails("jobs submit training a --config bad.yaml", 2, "maxTrials");
  ExpectFails("run --config bad.yaml", 2, "bad.yaml:3:");
  Write("good.yaml", kJob);
  ExpectFails("jobs submit training 1a --config good.yaml", 2, "1a");
  ExpectFails("jobs submit training a --config good.yaml --package-path .", 2,
              "--module-name");
  ExpectFails("jobs submit training a --config good.yaml --stream-logs --async",
              2, "exclude");
}

TEST_F(CommandLineTest, ServiceFailuresHaveTheirOwnCodes) {
  ExpectFails("jobs list", 4, "none.sock");
  ExpectFails("serve --listen 0.0.0.0:1 --data-dir d", 2, "refused");
  ExpectFails("serve --listen nonsense --data-dir d", 2, "unix:PATH");
  ExpectFails("serve --data-dir " + std::string(120, 'd'), 2, "107 bytes");
  Write("file", "x");
  ExpectFails("serve --data-dir file", 2, "not a folder");
  ExpectFails("serve --data-dir /proc/none/d", 74, "/proc/none/d");
}

TEST_F(CommandLineTest, ValidateOnlyPrintsTheMergedJob) {
  Write("good.yaml", kJob);
  const Result result =
      Run("jobs submit training a --config good.yaml --scale-tier standard-1 "
          "--validate-only -- --steps 5");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(result.output,
            "jobId: a\n"
            "trainingInput:\n"
            "  scaleTier: STANDARD_1\n"
            "  args:\n"
            "  - \"--steps\"\n"
            "  - \"5\"\n"
            "  hyperparameters:\n"
            "    params:\n"
            "    - parameterName: x\n"
            "      type: DOUBLE\n"
            "      minValue: 0\n"
            "      maxValue: 1\n"
            "    maxTrials: 2\n"
            "vernier:\n"
            "  command:\n"
            "  - /bin/true\n");
}

TEST_F(CommandLineTest, HelpAndVersionAreZero) {
  const Result help = Run("--help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.output.find("jobs"), std::string::npos);
  EXPECT_EQ(Run("jobs submit training --help").exit_code, 0);
  EXPECT_EQ(Run("version").output, "vernier 0.1.0\n");
  EXPECT_EQ(Run("version --format json").output,
            "{\n  \"version\": \"0.1.0\"\n}\n");
}

TEST_F(CommandLineTest, CompletesVerbsAndFlags) {
  EXPECT_EQ(Run("__complete jobs des").output, "describe\n");
  EXPECT_EQ(Run("__complete jobs submit training a --scale").output,
            "--scale-tier\n");
  EXPECT_EQ(Run("__complete run -- --sc").output, "");
  EXPECT_NE(Run("completion bash").output.find("complete -o"),
            std::string::npos);
  EXPECT_NE(Run("completion zsh").output.find("compdef"), std::string::npos);
}

TEST_F(CommandLineTest, LocalTrainPassesTheProgramsExitCodeOn) {
  fs::create_directories(folder_ + "/pkg");
  Write("pkg/__init__.py", "");
  Write("pkg/task.py",
        "import json, os, sys\n"
        "print(sys.argv[1:], os.path.basename(os.getcwd()) != 'pkg',\n"
        "      json.loads(os.environ['TF_CONFIG'])['task'])\n"
        "sys.exit(7)\n");
  const Result result = Run(
      "local train --module-name pkg.task --package-path pkg --job-dir out -- "
      "--lr 0.5");
  EXPECT_EQ(result.exit_code, 7) << result.output;
  EXPECT_EQ(result.output, "['--lr', '0.5', '--job-dir', 'out'] True {}\n");
}

}  // namespace
}  // namespace vernier
