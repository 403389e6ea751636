#include "cluster/kubernetes/pod_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

constexpr ReplicaId kMaster{ReplicaRole::kMaster, 0};
constexpr std::int64_t kCap = 1 << 20;

std::string LogOf(const std::string& folder) {
  const auto part = ReadReplicaLog(folder, "master-replica-0", 0, 1 << 20);
  return part.ok() ? part->data : std::string(part.status().message());
}

PodLog Open(const std::string& folder) {
  auto log = PodLog::Open(folder, kMaster, kCap);
  EXPECT_TRUE(log.ok()) << log.status();
  return *std::move(log);
}

TEST(PodLogTest, ReadsTimesWithNanoseconds) {
  EXPECT_EQ(ParseLogTime("1970-01-01T00:00:01.000000002Z"), 1000000002);
  EXPECT_EQ(ParseLogTime("1970-01-01T00:00:01.5Z"), 1500000000);
  EXPECT_EQ(ParseLogTime("1970-01-01T02:00:01+02:00"), 1000000000);
  EXPECT_EQ(ParseLogTime("1970-01-01"), 0);
  EXPECT_EQ(ParseLogTime("not a time at all, truly"), 0);
  EXPECT_EQ(ParseLogTime(std::string(1000, '1')), 0);
}

TEST(PodLogTest, TakesLinesWithoutTheirTimes) {
  const ScratchFolder folder;
  PodLog log = Open(folder.path());
  EXPECT_EQ(log.BeginStream(), "timestamps=true");
  log.Take("2026-02-03T04:05:06.7Z one\n2026-02-03T04:05:06.8Z t");
  log.Take("wo\n2026-02-03T04:05:06.9Z \n");
  EXPECT_EQ(LogOf(folder.path()), "one\ntwo\n\n");
  EXPECT_EQ(log.BeginStream(),
            "timestamps=true&sinceTime=2026-02-03T04:05:06Z");
}

// The whole log as the server sends it from a second on.
std::string Since(const std::string& log, const std::string& query) {
  const std::size_t at = query.find("sinceTime=");
  if (at == std::string::npos) return log;
  const std::string second = query.substr(at + 10, 19);
  std::size_t begin = 0;
  while (begin < log.size() && log.compare(begin, 19, second) < 0) {
    begin = log.find('\n', begin) + 1;
  }
  return log.substr(begin);
}

// Streams break anywhere, bytes come in pieces of any size, processes end.
TEST(PodLogTest, LosesAndDoublesNothingHoweverStreamsBreak) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  std::string sent;
  std::string wanted;
  for (int i = 0; i < 300; ++i) {
    // Many lines have the same time.
    char time[40];
    std::snprintf(time, sizeof(time), "2026-02-03T04:05:%02d.%09dZ ", i / 30,
                  i / 7);
    const std::string line = std::string(random() % 90, 'x') + "\n";
    sent += time + line;
    wanted += line;
  }
  const ScratchFolder folder;
  for (int round = 0; round < 60; ++round) {
    PodLog log = Open(folder.path());  // A new process.
    for (int stream = 0; stream < 3; ++stream) {
      const std::string rest = Since(sent, log.BeginStream());
      const std::size_t end =
          round == 59 ? rest.size() : random() % (rest.size() / 8 + 100);
      for (std::size_t at = 0; at < std::min(end, rest.size());) {
        const std::size_t size =
            std::min<std::size_t>(1 + random() % 300, rest.size() - at);
        log.Take(std::string_view(rest).substr(at, size));
        at += size;
      }
    }
  }
  EXPECT_EQ(LogOf(folder.path()), wanted);
}

TEST(PodLogTest, WhatWasWrittenButNotNotedDoesNotComeTwice) {
  const ScratchFolder folder;
  const std::string sent =
      "2026-02-03T04:05:06.1Z one\n2026-02-03T04:05:06.2Z two\n";
  {
    PodLog log = Open(folder.path());
    log.BeginStream();
    log.Take("2026-02-03T04:05:06.1Z one\n");
  }
  // As if the process had ended before it noted the second line.
  auto writer =
      ReplicaLogWriter::Resume(folder.path(), "master-replica-0", kCap);
  ASSERT_TRUE(writer.ok());
  writer->Append("tw", 2);
  PodLog log = Open(folder.path());
  log.BeginStream();
  log.Take(sent);
  EXPECT_EQ(LogOf(folder.path()), "one\ntwo\n");
}

TEST(PodLogTest, SurvivesBytesThatAreNoLog) {
  const ScratchFolder folder;
  PodLog log = Open(folder.path());
  log.BeginStream();
  log.Take(std::string(100000, 'x'));
  log.Take(std::string("\0\n\n \n", 5));
  log.Take("no time here\n");
  EXPECT_EQ(LogOf(folder.path()).size(), 100000u + 5 + 13);
}

TEST(ReplicaLogResumeTest, GoesOnInTheSegmentsOfALongLog) {
  const ScratchFolder folder;
  constexpr std::int64_t kSmall = 64;
  std::string all;
  for (int i = 0; i < 100; ++i) {
    auto times = LogTimesWriter::Resume(folder.path(), "worker-replica-0");
    ASSERT_TRUE(times.ok());
    std::filesystem::create_directories(LogDirectory(folder.path()));
    auto log =
        ReplicaLogWriter::Resume(folder.path(), "worker-replica-0", kSmall);
    ASSERT_TRUE(log.ok()) << log.status();
    ASSERT_EQ(log->end(), static_cast<std::int64_t>(all.size()));
    const std::string line = std::to_string(i) + "\n";
    log->Append(line.data(), line.size());
    all += line;
    EXPECT_EQ(log->LastLines(1), line);
  }
  // The first half of the cap, and the newest of the rest.
  const auto head = ReadReplicaLog(folder.path(), "worker-replica-0", 0, 1000);
  EXPECT_EQ(head->data, all.substr(0, 32));
  EXPECT_EQ(ReadReplicaLog(folder.path(), "worker-replica-0",
                           static_cast<std::int64_t>(all.size()) - 9, 100)
                ->data,
            "97\n98\n99\n");
}

}  // namespace
}  // namespace vernier
