#ifndef VERNIER_STUDY_JOB_FILE_KUBERNETES_SECTION_H_
#define VERNIER_STUDY_JOB_FILE_KUBERNETES_SECTION_H_

#include <string>

#include "study/config/object_reader.h"
#include "study/engines/kubernetes_options.h"

namespace vernier {

/// Reads `kubernetes` of the vernier section: a job's settings for the cluster.
/// Reports values that the API server would refuse, and labels that the service
/// and Kubernetes' controllers need for themselves.
KubernetesOptions ReadKubernetesOptions(ObjectReader& section);

/// Each function returns the fault of a text, as the end of "FIELD ..."; empty:
/// there is none.

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
