#include "cli/imports/import_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "base/json.h"

namespace vernier {
namespace {

// The plan says what will be there: a trial whose value is not finite becomes
// infeasible on the service, whatever its tool called it.
TEST(ImportTextTest, CountsAValueThatIsNotFiniteAsInfeasible) {
  PlannedImport import;
  import.plan.spec.metrics = {{ "loss", Goal::kMinimize }};
  for (const double value : {1.0, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
    PlannedTrial& planned = import.plan.to_add.emplace_back();
    planned.trial.final_report = MetricReport{0, {}, {{"loss", value}}};
  }
  const auto json = ParseJson(ImportJson({import}, false));
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ((*json)[0]["completed"], 1);
  EXPECT_EQ((*json)[0]["infeasible"], 2);
}

}  // namespace
}  // namespace vernier
