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

TEST(ForeignFileTest, SaysWhichPartOfAFileIsRead) {
  const struct {
    const char* text;
    const char* said;
  } cases[] = {
      {"type: pipeline\njobs:\n  prepare: {type: command}\n  search:\n    "
       "type: sweep\n",
       "this is a pipeline of Azure ML; jobs.search is a sweep: write it, from "
       "line 5 on, into a file of its own; "},
      {"$schema: https://azuremlschemas.azureedge.net/pipelineJob.json\n"
       "type: pipeline\njobs:\n  a:\n    type: sweep\n  b:\n    type: sweep\n",
       "jobs.a is a sweep: write it, from line 5 on, into a file of its own; "
       "jobs.b is a sweep: write it, from line 7 on, into"},
      {"{type: pipeline, jobs: {a: {type: command}}}",
       "this is a pipeline of Azure ML; none of its jobs is a sweep"},
      {"{\"properties\": {\"jobType\": \"Sweep\", \"searchSpace\": {}}}",
       "this is a sweep for the REST API of Azure ML; write its properties, "
       "from line 1 on, into a file"},
      {"apiVersion: sagemaker.aws.amazon.com/v1\n"
       "kind: HyperparameterTuningJob\nspec:\n  region: here\n",
       "this is a tuning job for SageMaker's operator for Kubernetes; write "
       "its spec, from line 4 on, into a file"},
      {"{apiVersion: sagemaker.services.k8s.aws/v1alpha1, kind: "
       "HyperParameterTuningJob}",
       "SageMaker's operator for Kubernetes"},
  };
  for (const auto& each : cases) {
    const std::string message = MessageFor(each.text);
    EXPECT_NE(message.find(each.said), std::string::npos) << message;
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
        "{apiVersion: sagemaker.aws.amazon.com/v1, kind: TrainingJob}",
        "{type: pipeline, jobs: []}", "{type: pipeline}",
        "{properties: {jobType: Command}}", "hyperparameters: {}"}) {
    EXPECT_EQ(MessageFor(text), "") << text;
  }
}

}  // namespace
}  // namespace vernier
