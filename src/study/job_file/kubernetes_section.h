#ifndef VERNIER_STUDY_JOB_FILE_KUBERNETES_SECTION_H_
#define VERNIER_STUDY_JOB_FILE_KUBERNETES_SECTION_H_

#include <string>

#include "study/config/object_reader.h"
#include "study/engines/kubernetes_options.h"

namespace vernier {

/// Reads `kubernetes` of the vernier section: what a job on Kubernetes asks of
/// the cluster. Reports what the API server would refuse, and labels that the
/// service and Kubernetes' controllers need for themselves.
KubernetesOptions ReadKubernetesOptions(ObjectReader& section);

/// What is wrong with a text; empty: nothing. Each is for the end of "FIELD
/// ...".

/// The name of an object: lower-case letters, digits, '-' and '.', at most 253.
std::string CheckKubernetesName(const std::string& name);
/// The name of a namespace: the same without '.', at most 63.
std::string CheckKubernetesNamespace(const std::string& name);
/// The key of a label or an annotation: "example.com/name" or "name".
std::string CheckKubernetesKey(const std::string& key);
/// The value of a label: at most 63 letters, digits and -_.; may be empty.
std::string CheckKubernetesLabelValue(const std::string& value);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_KUBERNETES_SECTION_H_
