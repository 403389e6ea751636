#include "daemon/katib_cluster.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/clock.h"

namespace vernier {
namespace {

TEST(KatibClusterTest, WithoutADbManagerThereIsNoEarlyStopping) {
  const SystemClock clock;
  const auto cluster = MakeKatibCluster("", clock);
  ASSERT_TRUE(cluster.ok());
  EXPECT_EQ(cluster->read_log, nullptr);
  EXPECT_EQ(cluster->mark_stopped, nullptr);
}

TEST(KatibClusterTest, TheDbManagersAddressHasAHostAndAPort) {
  const SystemClock clock;
  EXPECT_TRUE(MakeKatibCluster("katib-db-manager.kubeflow:6789", clock).ok());
  for (const char* wrong : {"katib-db-manager", "unix:/a", "host:0", ":"}) {
    EXPECT_EQ(MakeKatibCluster(wrong, clock).status().code(),
              absl::StatusCode::kInvalidArgument)
        << wrong;
  }
}

TEST(KatibClusterTest, OutsideOfAPodNoTrialIsMarked) {
  ::unsetenv("KUBERNETES_SERVICE_HOST");
  const SystemClock clock;
  const auto cluster = MakeKatibCluster("127.0.0.1:6789", clock);
  ASSERT_TRUE(cluster.ok());
  EXPECT_EQ(cluster->mark_stopped("digits-1").code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace vernier
