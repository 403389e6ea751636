#include "access/attempt_tokens.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/faces/service_bed.h"

namespace vernier {
namespace {

class AttemptTokensTest : public ServiceBed {
 protected:
  std::string NonceOf(const AttemptKey& key) {
    return store_.Snapshot()
        ->at(key.study)
        ->trials.Get(key.trial)
        .attempts[0]
        .nonce;
  }
  AttemptTokens attempts_{store_, std::string(64, 'k')};
};

TEST_F(AttemptTokensTest, IsGoodWhileTheAttemptLives) {
  const AttemptKey key = Launch(Create("j1"), 1, 0.5);
  const std::string token = attempts_.For(key, NonceOf(key));
  const auto caller = attempts_.Authenticate(token);
  ASSERT_TRUE(caller.ok()) << caller.status();
  EXPECT_EQ(caller->role, Principal::Role::kAttempt);
  EXPECT_EQ(caller->name, "attempt 1-1-1");
  EXPECT_EQ(caller->project, "default");
  Complete(key, 0.5);
  EXPECT_TRUE(absl::IsUnauthenticated(attempts_.Authenticate(token).status()));
}

TEST_F(AttemptTokensTest, HasTheRightsOfItsJobsProject) {
  const AttemptKey key = Launch(Create("j1", "p1"), 1, 0.5);
  const auto caller = attempts_.Authenticate(attempts_.For(key, NonceOf(key)));
  ASSERT_TRUE(caller.ok()) << caller.status();
  EXPECT_EQ(caller->project, "p1");
  EXPECT_FALSE(caller->may_run);
}

TEST_F(AttemptTokensTest, CannotBeMadeUp) {
  const StudyId study = Create("j1");
  const AttemptKey first = Launch(study, 1, 0.5);
  const AttemptKey second = Launch(study, 2, 0.6);
  const std::string token = attempts_.For(first, NonceOf(first));
  EXPECT_NE(token, attempts_.For(second, NonceOf(first)));
  const AttemptTokens other(store_, std::string(64, 'x'));
  for (const std::string& forged : std::vector<std::string>{
           "", "vernier-attempt_", "vernier-attempt_1-1-1",
           "vernier-attempt_1-1-1_", token + "0",
           token.substr(0, token.size() - 1),
           "vernier-attempt_1-2-1" + token.substr(token.rfind('_')),
           "vernier-attempt_1-9-1_00", "vernier-attempt_9-1-1_00",
           "vernier-attempt_1-1-9_00", "vernier-attempt_-1-1-1_00",
           "vernier-attempt_99999999999999999999-1-1_00",
           other.For(first, NonceOf(first)),
           attempts_.For(first, NonceOf(second))}) {
    EXPECT_TRUE(
        absl::IsUnauthenticated(attempts_.Authenticate(forged).status()))
        << forged;
  }
}

}  // namespace
}  // namespace vernier
