#include "trials/jobs/end_rules.h"

#include <gtest/gtest.h>

#include <csignal>

namespace vernier {
namespace {

AttemptObservation EndedTrial(int exit_code, std::string log = "") {
  AttemptObservation end;
  end.kind = AttemptObservation::Kind::kEnded;
  end.exit_code = exit_code;
  end.log_tail = std::move(log);
  return end;
}

AttemptObservation Killed(int signal, std::string log = "") {
  AttemptObservation end = EndedTrial(0, std::move(log));
  end.exit_code.reset();
  end.signal = signal;
  return end;
}

/// What follows with the built-in rules; nullopt: no rule holds.
std::optional<EndAction> Follows(const AttemptObservation& end,
                                 bool has_gpus = true) {
  const auto match = MatchEnd({}, has_gpus, end);
  if (!match.has_value()) return std::nullopt;
  return match->rule.action;
}

TEST(EndRulesTest, ExitCodesAndSignals) {
  EXPECT_EQ(Follows(EndedTrial(1)), std::nullopt);
  EXPECT_EQ(Follows(EndedTrial(0)), std::nullopt);
  EXPECT_EQ(Follows(EndedTrial(78)), EndAction::kInfeasible);
  EXPECT_EQ(Follows(EndedTrial(75)), EndAction::kInfrastructure);
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGTERM, SIGPWR}) {
    EXPECT_EQ(Follows(Killed(signal)), EndAction::kInfrastructure) << signal;
    // As a shell reports it.
    EXPECT_EQ(Follows(EndedTrial(128 + signal)), EndAction::kInfrastructure);
  }
  EXPECT_EQ(Follows(Killed(SIGABRT)), EndAction::kRetry);
  EXPECT_EQ(Follows(Killed(SIGSEGV)), EndAction::kRetry);
  EXPECT_EQ(Follows(EndedTrial(134)), EndAction::kRetry);
  EXPECT_EQ(Follows(EndedTrial(139)), EndAction::kRetry);
  EXPECT_EQ(Follows(Killed(SIGFPE)), std::nullopt);
}

// Lines as PyTorch, TensorFlow, JAX, NumPy, libstdc++ and NCCL print them.
TEST(EndRulesTest, WhatIsPrintedTellsWhoseFaultItWas) {
  const struct {
    const char* line;
    EndAction action;
  } kCases[] = {
      {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 "
       "GiB. GPU 0 has a total capacity of 79.15 GiB",
       EndAction::kOutOfMemory},
      {"RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
       EndAction::kOutOfMemory},
      {"tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM "
       "when allocating tensor with shape[4096,4096]",
       EndAction::kOutOfMemory},
      {"jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of "
       "memory while trying to allocate 34359738496 bytes.",
       EndAction::kOutOfMemory},
      {"MemoryError", EndAction::kOutOfMemory},
      {"numpy.core._exceptions._ArrayMemoryError: Unable to allocate 7.45 GiB",
       EndAction::kOutOfMemory},
      {"  what():  std::bad_alloc", EndAction::kOutOfMemory},
      {"torch.AcceleratorError: CUDA error: uncorrectable ECC error "
       "encountered",
       EndAction::kInfrastructure},
      {"RuntimeError: CUDA error: all CUDA-capable devices are busy or "
       "unavailable",
       EndAction::kInfrastructure},
      {"torch.distributed.DistBackendError: NCCL error in: "
       "ProcessGroupNCCL.cpp:1970, unhandled system error, NCCL version 2.20.5",
       EndAction::kInfrastructure},
      {"ncclRemoteError: A call failed possibly due to a network error",
       EndAction::kInfrastructure},
      {"OSError: [Errno 28] No space left on device: 'model.pt'",
       EndAction::kInfrastructure},
  };
  for (const auto& each : kCases) {
    const std::string log = std::string(
                                "Traceback (most recent call last):\n"
                                "  File \"t.py\", line 3\n") +
                            each.line + "\n";
    EXPECT_EQ(Follows(EndedTrial(1, log)), each.action) << each.line;
  }
}

// A program's own fault that only looks like the machine's.
TEST(EndRulesTest, WhatAProgramDoesWrongStaysItsOwnFault) {
  for (const char* line :
       {"RuntimeError: CUDA error: device-side assert triggered",
        "RuntimeError: CUDA error: an illegal memory access was encountered",
        "ValueError: bad MemoryError handling", "AssertionError: NCCL is slow",
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied"}) {
    EXPECT_EQ(Follows(EndedTrial(1, line)), std::nullopt) << line;
  }
  // Without GPUs there is none that could fail.
  EXPECT_EQ(Follows(EndedTrial(1, "no CUDA-capable device is detected"),
                    /*has_gpus=*/false),
            std::nullopt);
  // A program that ends well may print what it likes.
  EXPECT_EQ(Follows(EndedTrial(0, "CUDA out of memory, so half the batch")),
            std::nullopt);
}

TEST(EndRulesTest, TheJobsOwnRulesComeFirstAndInTheirOrder) {
  std::vector<EndRule> rules(3);
  rules[0].exit_codes = {3, 4};
  rules[0].log_pattern = "licence";
  rules[0].action = EndAction::kPause;
  rules[0].reason = "The licence server is away.";
  rules[1].exit_codes = {3};
  rules[1].action = EndAction::kSucceed;
  rules[2].signals = {SIGSEGV};
  rules[2].action = EndAction::kInfeasible;
  auto match = MatchEnd(rules, false, EndedTrial(3, "no licence left\nbye\n"));
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->rule.action, EndAction::kPause);
  EXPECT_EQ(match->name, "endRules[0]");
  EXPECT_EQ(DescribeMatch(*match),
            "The licence server is away; its log says: no licence left.");
  match = MatchEnd(rules, false, EndedTrial(3, "bye"));
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->rule.action, EndAction::kSucceed);
  EXPECT_EQ(DescribeMatch(*match), "It is one of vernier.endRules[1].");
  EXPECT_EQ(MatchEnd(rules, false, Killed(SIGSEGV))->rule.action,
            EndAction::kInfeasible);
  EXPECT_EQ(MatchEnd(rules, false, EndedTrial(139))->rule.action,
            EndAction::kInfeasible);
  EXPECT_EQ(MatchEnd(rules, false, EndedTrial(4, "bye")), std::nullopt);
}

TEST(EndRulesTest, ARuleMayNameSuccess) {
  EndRule rule;
  rule.exit_codes = {0};
  rule.log_pattern = "diverged";
  rule.action = EndAction::kInfeasible;
  EXPECT_TRUE(
      MatchEnd({rule}, false, EndedTrial(0, "it diverged")).has_value());
  rule.exit_codes.clear();
  EXPECT_FALSE(
      MatchEnd({rule}, false, EndedTrial(0, "it diverged")).has_value());
}

// A supervisor of an earlier release kept the last lines in its message only.
TEST(EndRulesTest, WithoutALogTheMessageIsLookedAt) {
  AttemptObservation end = EndedTrial(1);
  end.message = "The replica master 0 exited.\nMemoryError";
  EXPECT_EQ(Follows(end), EndAction::kOutOfMemory);
}

}  // namespace
}  // namespace vernier
