// The real binary: exit codes and messages for bad input, help, completion.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

struct Result {
  int exit_code = -1;
  std::string output;  // Both streams.
};

class CommandLineTest : public testing::Test {
 protected:
  /// Runs the binary with words that need no quoting beyond the shell's.
  Result Run(const std::string& words,
             const std::string& input = "/dev/null") const {
    // An endpoint is given, so that no test ever starts a service.
    const std::string command =
        "cd " + folder_.path() +
        " && VERNIER_ENDPOINT=unix:" + folder_ / "none.sock" +
        " " VERNIER_BINARY " " + words + " 2>&1 <" + input;
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
    std::ofstream(folder_ / name) << text;
  }
  void ExpectFails(const std::string& words, int exit_code,
                   const std::string& message) const {
    const Result result = Run(words);
    EXPECT_EQ(result.exit_code, exit_code) << words << "\n" << result.output;
    EXPECT_EQ(result.output.rfind("vernier: ", 0), 0u) << words << "\n"
                                                       << result.output;
    EXPECT_NE(result.output.find(message), std::string::npos) << words << "\n"
                                                              << result.output;
  }

  const ScratchFolder folder_;
};

constexpr char kJobText[] =
    "trainingInput:\n  hyperparameters:\n    maxTrials: 2\n    params:\n"
    "    - {parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}\n"
    "vernier: {command: [/bin/true]}\n";

TEST_F(CommandLineTest, BadUsageIsTwo) {
  ExpectFails("", 2, "vernier needs a verb: run, convert, jobs");
  ExpectFails("fly", 2, "unknown verb \"fly\"; there are run, convert, jobs");
  ExpectFails("jobs decribe a", 2, "did you mean describe?");
  ExpectFails("stauts", 2, "did you mean status?");
  ExpectFails("jobs", 2, "vernier jobs needs a verb: submit, list");
  ExpectFails("jobs describe", 2,
              "JOB is required: vernier jobs describe JOB; see vernier jobs "
              "describe --help");
  ExpectFails("jobs list --limit -1", 2, "--limit must be >= 0: -1");
  ExpectFails("jobs list --limit many", 2,
              "--limit must be a whole number, and not too large: \"many\"");
  ExpectFails("jobs list --limit 99999999999999999999", 2, "not too large");
  ExpectFails("jobs list --limit", 2, "--limit needs a value after it");
  ExpectFails("jobs extend a --max-trails 5", 2,
              "unknown flag \"--max-trails\"; did you mean --max-trials?");
  ExpectFails("jobs describe a b", 2,
              "unexpected \"b\"; vernier jobs describe takes JOB");
  ExpectFails("trials describe a one", 2, "TRIAL must be a whole number");
  ExpectFails("--data-dir d jobs list", 2,
              "a flag follows its verb: vernier jobs list --data-dir");
  ExpectFails("--data-dir d", 2, "a flag follows its verb: vernier run");
  ExpectFails("jobs --project p list", 2,
              "a flag follows its verb: vernier jobs list --project");
  ExpectFails("run --config c.yaml python3 train.py", 2,
              "stands after --: vernier run ... -- python3 train.py");
  ExpectFails("trials logs a 1 --tail -1", 2, "--tail must be >= 0: -1");
  ExpectFails("why a -1", 2, "TRIAL must be >= 0: -1");
  ExpectFails("run --config c.yaml --name '' -- true", 2,
              "--name: must not be empty");
  ExpectFails("studies export a --format csv", 2, "one document");
  ExpectFails("projects set-quota p", 2, "nothing to set");
  ExpectFails("gcloud env --project 'A B'", 2, "a project's id must");
  ExpectFails("help flie", 2, "unknown verb \"flie\"");
  ExpectFails("jobs list --format xml", 2, "--format must be");
  ExpectFails("version --format xml", 2, "--format must be");
  ExpectFails("completion fish", 2, "bash or zsh");
  ExpectFails("serve --log-level loud", 2, "log level must be");
  ExpectFails("serve --idle-exit soon --data-dir d", 2, "30m");
  ExpectFails("jobs update a", 2, "--update-labels");
  ExpectFails("run", 2, "--config");
}

TEST_F(CommandLineTest, SuggestNamesTheMistakeInALine) {
  Write("lines", "{x\n");
  const Result answered = Run("suggest", "lines");
  EXPECT_EQ(answered.exit_code, 0) << answered.output;
  EXPECT_NE(answered.output.find("no JSON at column 2: "), std::string::npos)
      << answered.output;
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
  ExpectFails("import csv none -m loss:min", 2,
              "none: cannot be read: there is no such file");
  ExpectFails("import optuna none", 2,
              "none: cannot be read: there is no such file");
  ExpectFails("import csv . -m loss:min", 2,
              ".: cannot be read: it is a folder");
  ExpectFails("import ray none -m loss:min", 2, "none: cannot be read: ");
  Write("bad.json", "{x");
  ExpectFails("trials add a --params-file bad.json", 2,
              "bad.json: no JSON at column 2: ");
  Write("good.yaml", kJobText);
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

TEST_F(CommandLineTest, AFileThatIsNoYamlIsExplained) {
  Write("empty.yaml", "\n \n");
  ExpectFails("run --config empty.yaml -- true", 2, "empty.yaml is empty");
  Write("tab.yaml", "trainingInput:\n\tscaleTier: BASIC\n");
  ExpectFails("run --config tab.yaml -- true", 2,
              "tab.yaml:2:1: a tab must not stand in the indentation");
  Write("open.yaml", "trainingInput:\n  args: [a, b\n  scaleTier: BASIC\n");
  ExpectFails("run --config open.yaml -- true", 2,
              "open.yaml:2:9: this [ is never closed");
}

TEST_F(CommandLineTest, RunSaysThatThereIsNoProgram) {
  Write("none.yaml", "trainingInput: {scaleTier: BASIC}\n");
  for (const char* words : {"run --config none.yaml", "run -c none.yaml --"}) {
    ExpectFails(
        words, 2,
        "there is no program to run: put it after --, as in vernier run "
        "--config none.yaml -- python3 train.py");
  }
}

TEST_F(CommandLineTest, AFileOfCommentsIsNoJob) {
  Write("comments.yaml", "# one\n\n  # two\n");
  ExpectFails("run --config comments.yaml -- python3 train.py", 2,
              "comments.yaml has nothing but comments");
}

TEST_F(CommandLineTest, ABucketsFolderHasTwoSlashes) {
  Write("job.yaml", kJobText);
  ExpectFails("jobs submit training j --config job.yaml --job-dir gs:/b/d", 2,
              "--job-dir: trainingInput.jobDir: a bucket's folder has two "
              "slashes, gs://BUCKET/...: \"gs:/b/d\"");
}

TEST_F(CommandLineTest, AJobFileMayComeFromStandardInput) {
  Write("job.yaml", std::string(kJobText) + "labels: {a: b}\n");
  const Result result =
      Run("jobs submit training my-job --config - --validate-only --format "
          "'value(jobId,labels.a)'",
          "job.yaml");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(result.output, "my-job\tb\n");
  ExpectFails("jobs submit training a --config -", 2,
              "standard input is empty");
  Write("bad.yaml", "trainingInput: {args: 7}\n");
  const Result bad = Run("run --config - --name a -- true", "bad.yaml");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_EQ(bad.output.rfind("vernier: standard input:1:23: ", 0), 0u)
      << bad.output;
  const Result unnamed = Run("run --config - -- true", "job.yaml");
  EXPECT_NE(unnamed.output.find("give --name"), std::string::npos)
      << unnamed.output;
}

TEST_F(CommandLineTest, AnUnknownPathNamesWhatThereIs) {
  Write("good.yaml", kJobText);
  const std::string submit =
      "jobs submit training a --config good.yaml --validate-only --format ";
  ExpectFails(submit + "'value(jobid)'", 2,
              "--format value(jobid): there is no \"jobid\"; did you mean "
              "jobId?; there are ");
  EXPECT_EQ(Run(submit + "'value(endTime,jobId)'").output, "\ta\n");
  ExpectFails("version --format 'value(x)'", 2, "there are version");
}

TEST_F(CommandLineTest, AClosedStreamIsAnErrorAndNoAccident) {
  EXPECT_EQ(Run("help >/dev/full").exit_code, 1);
  // What follows ';' gets the redirections of the fixture.
  EXPECT_EQ(Run("help >&- 2>/dev/null; echo $?").output, "1\n");
  Write("good.yaml", kJobText);
  const Result no_input = Run(
      "jobs submit training a --config - --validate-only 2>&1 <&-; echo $?");
  EXPECT_EQ(no_input.output,
            "vernier: cannot read standard input: Bad file descriptor\n2\n");
}

TEST_F(CommandLineTest, ValidateOnlyPrintsTheMergedJob) {
  Write("good.yaml", kJobText);
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
  EXPECT_EQ(Run("help").output, help.output);
  EXPECT_EQ(Run("help jobs list").output, Run("jobs list --help").output);
  EXPECT_EQ(Run("version").output, "vernier 0.1.0\n");
  EXPECT_EQ(Run("version --format json").output,
            "{\n  \"version\": \"0.1.0\"\n}\n");
}

TEST_F(CommandLineTest, CompletesVerbsAndFlags) {
  EXPECT_EQ(Run("__complete jobs des").output, "describe\n");
  EXPECT_EQ(Run("__complete jobs submit training a --scale").output,
            "--scale-tier\n");
  EXPECT_EQ(Run("__complete run -- --sc").output, "");
  EXPECT_EQ(Run("__complete run -- trials be").output, "");
  EXPECT_EQ(Run("__complete jobs list --format js").output, "json\n");
  EXPECT_EQ(Run("__complete trials best ''").output, "");  // No service.
  EXPECT_EQ(Run("__complete he").output, "help\n");
  EXPECT_NE(Run("completion bash").output.find("complete -F"),
            std::string::npos);
  EXPECT_NE(Run("completion zsh").output.find("compdef"), std::string::npos);
}

TEST_F(CommandLineTest, LocalTrainPassesTheProgramsExitCodeOn) {
  fs::create_directories(folder_ / "pkg");
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
