#include "cluster/slurm/gang_plan.h"

#include <cstddef>
#include <exception>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/small_file.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

std::string GangPlanPath(const std::string& attempt_dir) {
  return attempt_dir + "/slurm/gang.json";
}

GangPlan FromJson(const Json& json) {
  GangPlan plan;
  plan.program = json.at("program").get<std::string>();
  plan.address = json.at("address").get<std::string>();
  for (const Json& item : json.at("steps")) {
    GangPlan::Step step;
    step.role = static_cast<ReplicaRole>(item.at("role").get<int>());
    step.count = item.at("count").get<int>();
    step.words = item.at("words").get<std::vector<std::string>>();
    plan.steps.push_back(std::move(step));
  }
  return plan;
}

}  // namespace

GangPlan PlanGang(const std::string& program, const std::string& address,
                  const std::vector<GangComponent>& components) {
  GangPlan plan;
  plan.program = program;
  plan.address = address;
  for (std::size_t i = 0; i < components.size(); ++i) {
    ReplicaShape shape = components[i].shape;
    // The job's allocation has GPUs of this type only. If a step names the
    // type, and several of its tasks are on one node, Slurm 22.05 gives them no
    // GPU.
    shape.gpu_type.clear();
    for (const RoleStep& role : components[i].steps) {
      GangPlan::Step step{role.role, role.count, {}};
      step.words = {"--exact", "--export=ALL", "--input=none",
                    // The gang itself decides what an end means.
                    "--kill-on-bad-exit=0",
                    "--job-name=" + std::string(ToString(role.role))};
      // Otherwise a step takes a share of every node of the job, even of one
      // that another step fills.
      step.words.push_back(absl::StrCat("--nodes=1-", role.count));
      if (components.size() > 1) {
        step.words.push_back(absl::StrCat("--het-group=", i));
      }
      // Not all releases let steps inherit these options.
      for (std::string& word : ShapeWords(shape, role.count)) {
        step.words.push_back(std::move(word));
      }
      // Otherwise a step takes all memory of its nodes, and the next one waits.
      if (shape.memory_mb == 0) step.words.push_back("--mem=0");
      plan.steps.push_back(std::move(step));
    }
  }
  return plan;
}

absl::Status WriteGangPlan(const std::string& attempt_dir,
                           const GangPlan& plan) {
  Json json = Json::object();
  json["program"] = plan.program;
  json["address"] = plan.address;
  json["steps"] = Json::array();
  for (const GangPlan::Step& step : plan.steps) {
    Json item = Json::object();
    item["role"] = static_cast<int>(step.role);
    item["count"] = step.count;
    item["words"] = step.words;
    json["steps"].push_back(std::move(item));
  }
  return ReplaceFile(GangPlanPath(attempt_dir), DumpJson(json) + "\n",
                     Durability::kVolatile);
}

absl::StatusOr<GangPlan> ReadGangPlan(const std::string& attempt_dir) {
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           ReadSmallFile(GangPlanPath(attempt_dir)));
  const absl::StatusOr<Json> json = ParseJson(text);
  if (!json.ok()) {
    return absl::DataLossError(std::string(json.status().message()));
  }
  try {
    return FromJson(*json);
  } catch (const std::exception& error) {
    return absl::DataLossError(GangPlanPath(attempt_dir) + ": " + error.what());
  }
}

}  // namespace vernier
