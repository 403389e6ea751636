#include "study/job_file/foreign_file.h"

#include <gtest/gtest.h>

#include <string>

#include "study/config/config_reader.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {
namespace {

std::string MessageFor(const std::string& text) {
  SpecDiagnostics diagnostics("");
  ConfigTree tree;
  if (!ReadConfig(text, tree, diagnostics)) ADD_FAILURE() << text;
  return ForeignFileMessage(tree.root);
}

TEST(ForeignFileTest, NamesTheToolAndItsPage) {
  const struct {
    const char* text;
    const char* tool;
    const char* page;
  } cases[] = {
      {"{program: t.py, method: bayes, parameters: {lr: {min: 0, max: 1}}}",
       "Weights & Biases", "docs/from-wandb.md"},
      {"{method: grid, parameters: {lr: {values: [1, 2]}}}", "Weights & Biases",
       "docs/from-wandb.md"},
      {"{apiVersion: kubeflow.org/v1beta1, kind: Experiment, spec: {}}",
       "Katib", "docs/from-katib.md"},
      {"{apiVersion: kubeflow.org/v1alpha3, kind: Experiment}", "Katib",
       "docs/from-katib.md"},
      {"{name: e, entrypoint: python3 t.py, hyperparameters: {lr: 1}}",
       "Determined", "docs/from-determined.md"},
      {"{searcher: {name: adaptive_asha}}", "Determined",
       "docs/from-determined.md"},
      {"{$schema: https://azuremlschemas.azureedge.net/x.json, type: command}",
       "Azure ML", "docs/foreign-files.md"},
      {"{parameters: {a: {max: 1}}, scheduler: {job: j}}", "Weights & Biases",
       "docs/from-wandb.md"},
      {"{displayName: d, studySpec: {}, trialJobSpec: {}}", "Vertex AI",
       "docs/from-vertex-ai.md"},
      {"{\"display_name\": \"d\", \"study_spec\": {}}", "Vertex AI",
       "docs/from-vertex-ai.md"},
      {"workerPoolSpecs: []", "Vertex AI", "docs/from-vertex-ai.md"},
      {"{searchSpaceFile: s.json, trialCommand: python3 t.py, tuner: {}}",
       "NNI", "docs/foreign-files.md"},
      {"{\"HyperParameterTuningJobConfig\": {}}", "SageMaker",
       "docs/foreign-files.md"},
  };
  for (const auto& each : cases) {
    const std::string message = MessageFor(each.text);
    EXPECT_NE(message.find(each.tool), std::string::npos) << each.text;
    EXPECT_NE(message.find(each.page), std::string::npos) << message;
    EXPECT_NE(message.find("vernier run --config"), std::string::npos);
  }
}

TEST(ForeignFileTest, AJobFileIsNone) {
  for (const char* text :
       {"", "- a", "a", "{}", "trainingInput: {}", "{jobId: a, parameters: {}}",
        "{method: grid, parameters: {a: 1}, trainingInput: {}}",
        "{searcher: {}, vernier: {}}", "parameters: {a: 1}",
        "{method: grid, parameters: [1]}", "searcher: random",
        "{apiVersion: v1, kind: Experiment}",
        "{apiVersion: kubeflow.org/v1, kind: PyTorchJob}", "labels: {a: b}",
        "hyperparameters: {}"}) {
    EXPECT_EQ(MessageFor(text), "") << text;
  }
}

}  // namespace
}  // namespace vernier
