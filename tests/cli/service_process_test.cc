// The service as a process: how it starts, who else may, and how it ends.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "edge/endpoint.h"
#include "tests/fakes/service_client.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

class ServiceProcessTest : public testing::Test {
 protected:
  ServiceProcessTest() { ::unsetenv("VERNIER_ENDPOINT"); }

  std::string DataDir() const { return folder_ / "d"; }
  std::string Socket() const { return DataDir() + "/vernier.sock"; }
  ServiceClient Client() const {
    return ServiceClient(*ParseEndpoint("unix:" + Socket()));
  }

  /// Starts the binary; its output goes to `folder_`/out.
  pid_t Start(std::vector<std::string> words, int keep_fd = -1) const {
    const pid_t child = fork();
    if (child != 0) return child;
    const std::string out = folder_ / "out";
    const int fd = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(fd, STDOUT_FILENO);
    dup2(fd, STDERR_FILENO);
    if (keep_fd >= 0) fcntl(keep_fd, F_SETFD, 0);
    words.insert(words.begin(), VERNIER_BINARY);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }

  static int Wait(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  int Run(const std::vector<std::string>& words) const {
    return Wait(Start(words));
  }
  std::string Output() const { return ReadText(folder_ / "out"); }

  /// Starts a service and returns when it is ready.
  pid_t Serve(std::vector<std::string> more = {}) {
    int ready[2];
    EXPECT_EQ(pipe2(ready, O_CLOEXEC), 0);
    std::vector<std::string> words = {"serve",
                                      "--data-dir",
                                      DataDir(),
                                      "--gpus",
                                      "none",
                                      "--ready-fd",
                                      std::to_string(ready[1])};
    words.insert(words.end(), more.begin(), more.end());
    const pid_t child = Start(words, ready[1]);
    close(ready[1]);
    std::string answer;
    char buffer[256];
    ssize_t n = 0;
    while ((n = read(ready[0], buffer, sizeof(buffer))) > 0) {
      answer.append(buffer, static_cast<std::size_t>(n));
    }
    close(ready[0]);
    EXPECT_EQ(answer, "ready\n") << Output();
    return child;
  }

  const ScratchFolder folder_;
};

TEST_F(ServiceProcessTest, EndsWellOnSigtermAndRemovesItsSocket) {
  const pid_t service = Serve();
  EXPECT_TRUE(Client().Ask(&Jobs::GetServiceInfo).ok());
  kill(service, SIGTERM);
  EXPECT_EQ(Wait(service), 0);
  EXPECT_FALSE(fs::exists(Socket()));
}

TEST_F(ServiceProcessTest, ASecondOneEndsWith73AndTheFirstGoesOn) {
  const pid_t service = Serve();
  EXPECT_EQ(Run({"serve", "--data-dir", DataDir(), "--gpus", "none"}), 73);
  EXPECT_NE(Output().find("another"), std::string::npos) << Output();
  EXPECT_TRUE(Client().Ask(&Jobs::GetServiceInfo).ok());
  kill(service, SIGINT);
  EXPECT_EQ(Wait(service), 0);
}

TEST_F(ServiceProcessTest, TakesTheSocketOfADeadOne) {
  const pid_t dead = Serve();
  kill(dead, SIGKILL);
  EXPECT_EQ(Wait(dead), -SIGKILL);
  EXPECT_TRUE(fs::exists(Socket()));
  const pid_t service = Serve();
  EXPECT_TRUE(Client().Ask(&Jobs::GetServiceInfo).ok());
  kill(service, SIGTERM);
  EXPECT_EQ(Wait(service), 0);
}

TEST_F(ServiceProcessTest, EndsByItselfWhenIdle) {
  const pid_t service = Serve({"--idle-exit", "1s"});
  EXPECT_EQ(Wait(service), 0);
}

TEST_F(ServiceProcessTest, DoesNotTouchSomebodysFolder) {
  fs::create_directories(DataDir());
  std::ofstream(DataDir() + "/thesis.tex") << "x";
  fs::permissions(DataDir(), fs::perms(0755));
  EXPECT_EQ(Run({"serve", "--data-dir", DataDir()}), 2);
  EXPECT_NE(Output().find("holds other files"), std::string::npos) << Output();
}

TEST_F(ServiceProcessTest, ARottenDatabaseEndsWith74) {
  fs::create_directories(DataDir());
  fs::permissions(DataDir(), fs::perms(0700));
  std::ofstream(DataDir() + "/vernier.db") << std::string(5000, 'x');
  EXPECT_EQ(Run({"serve", "--data-dir", DataDir(), "--gpus", "none"}), 74);
  EXPECT_NE(Output().find("vernier"), std::string::npos) << Output();
}

TEST_F(ServiceProcessTest, SaysAtItsStartThatItHasNoModels) {
  fs::create_directories(folder_ / "lib");
  std::ofstream(folder_ / "lib/libnlopt.so.0") << "none";
  ::setenv("LD_LIBRARY_PATH", (folder_ / "lib").c_str(), 1);
  const pid_t service = Serve();
  ::unsetenv("LD_LIBRARY_PATH");
  EXPECT_NE(Output().find("libnlopt0"), std::string::npos) << Output();
  const auto info = Client().Ask(&Jobs::GetServiceInfo);
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_NE(info->find("its points are random"), std::string::npos) << *info;
  kill(service, SIGTERM);
  EXPECT_EQ(Wait(service), 0);
}

TEST_F(ServiceProcessTest, AClientStartsOneInTheBackgroundAndSaysSo) {
  EXPECT_EQ(Run({"jobs", "list", "--data-dir", DataDir()}), 0) << Output();
  const std::string started = "started a service in the background (process ";
  const std::size_t at = Output().find(started);
  ASSERT_NE(at, std::string::npos) << Output();
  const pid_t service = std::stoi(Output().substr(at + started.size()));
  EXPECT_EQ(Run({"jobs", "list", "--data-dir", DataDir()}), 0);
  EXPECT_EQ(Output().find(started), std::string::npos) << "only once";

  // It is not our child: wait for its end through a descriptor.
  const int process = static_cast<int>(syscall(SYS_pidfd_open, service, 0));
  ASSERT_GE(process, 0);
  kill(service, SIGTERM);
  pollfd end{process, POLLIN, 0};
  EXPECT_EQ(poll(&end, 1, 30000), 1);
  close(process);
  EXPECT_FALSE(fs::exists(Socket()));
}

TEST_F(ServiceProcessTest, AFailedStartInTheBackgroundIsExplained) {
  fs::create_directories(DataDir());
  fs::permissions(DataDir(), fs::perms(0700));
  std::ofstream(DataDir() + "/vernier.db") << std::string(5000, 'x');
  EXPECT_EQ(Run({"jobs", "list", "--data-dir", DataDir()}), 4);
  EXPECT_NE(Output().find("none could be started: "), std::string::npos)
      << Output();
  EXPECT_NE(Output().find("vernier.db"), std::string::npos) << Output();
}

}  // namespace
}  // namespace vernier
