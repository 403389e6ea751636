package main

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/kubernetes/pkg/api/v1/resource"
	"k8s.io/kubernetes/pkg/fieldpath"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
)

const gpuResource = v1.ResourceName("nvidia.com/gpu")

// gpuTable says which GPUs of the node are taken.
type gpuTable struct {
	gpuMu sync.Mutex
	taken map[int]bool
}

func (t *gpuTable) take(wanted, all int) []string {
	t.gpuMu.Lock()
	defer t.gpuMu.Unlock()
	if t.taken == nil {
		t.taken = map[int]bool{}
	}
	var numbers []string
	for i := 0; i < all && len(numbers) < wanted; i++ {
		if !t.taken[i] {
			t.taken[i] = true
			numbers = append(numbers, strconv.Itoa(i))
		}
	}
	return numbers
}

func (t *gpuTable) giveBack(numbers []string) {
	t.gpuMu.Lock()
	defer t.gpuMu.Unlock()
	for _, text := range numbers {
		number, _ := strconv.Atoi(text)
		delete(t.taken, number)
	}
}

// environment is what a container's process gets, and the same as a map.
func (w *worker) environment(c *v1.Container, gpus []string) ([]string, map[string]string, error) {
	values := map[string]string{
		"PATH":                          "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"HOME":                          "/root",
		"HOSTNAME":                      w.hostname(),
		"KUBERNETES_SERVICE_HOST":       w.k.apiHost,
		"KUBERNETES_SERVICE_PORT":       strconv.Itoa(w.k.apiPort),
		"KUBERNETES_SERVICE_PORT_HTTPS": strconv.Itoa(w.k.apiPort),
	}
	if len(gpus) > 0 {
		values["NVIDIA_VISIBLE_DEVICES"] = strings.Join(gpus, ",")
	}
	for _, source := range c.EnvFrom {
		if err := w.addSource(values, source); err != nil {
			return nil, nil, err
		}
	}
	for _, variable := range c.Env {
		value := expansion.Expand(variable.Value, expansion.MappingFuncFor(values))
		if variable.ValueFrom != nil {
			found, isThere, err := w.valueFrom(c, variable.ValueFrom)
			if err != nil {
				return nil, nil, err
			}
			if !isThere {
				continue
			}
			value = found
		}
		values[variable.Name] = value
	}
	var list []string
	for name, value := range values {
		list = append(list, name+"="+value)
	}
	sort.Strings(list)
	return list, values, nil
}

func (w *worker) addSource(values map[string]string, source v1.EnvFromSource) error {
	var data map[string]string
	var err error
	if ref := source.ConfigMapRef; ref != nil {
		data, err = w.configMap(ref.Name, ref.Optional)
	} else if ref := source.SecretRef; ref != nil {
		data, err = w.secret(ref.Name, ref.Optional)
	}
	for name, value := range data {
		if len(validation.IsEnvVarName(source.Prefix+name)) == 0 {
			values[source.Prefix+name] = value
		}
	}
	return err
}

func (w *worker) valueFrom(c *v1.Container, source *v1.EnvVarSource) (string, bool, error) {
	if ref := source.FieldRef; ref != nil {
		value, err := w.field(ref.FieldPath)
		return value, true, err
	}
	if ref := source.ResourceFieldRef; ref != nil {
		value, err := resource.ExtractContainerResourceValue(ref, c)
		return value, true, err
	}
	if ref := source.SecretKeyRef; ref != nil {
		data, err := w.secret(ref.Name, ref.Optional)
		return pick(data, ref.Key, ref.Optional, err, "Secret", w.pod.Namespace+"/"+ref.Name)
	}
	ref := source.ConfigMapKeyRef
	data, err := w.configMap(ref.Name, ref.Optional)
	return pick(data, ref.Key, ref.Optional, err, "ConfigMap", w.pod.Namespace+"/"+ref.Name)
}

func pick(data map[string]string, key string, optional *bool, err error, kind, name string) (string, bool, error) {
	value, isThere := data[key]
	if err == nil && !isThere && (optional == nil || !*optional) {
		err = fmt.Errorf("couldn't find key %s in %s %s", key, kind, name)
	}
	return value, isThere, err
}

func (w *worker) field(path string) (string, error) {
	switch path {
	case "status.podIP", "status.podIPs":
		return w.address, nil
	case "status.hostIP", "status.hostIPs":
		return w.k.address, nil
	case "spec.nodeName":
		return w.pod.Spec.NodeName, nil
	case "spec.serviceAccountName":
		return w.pod.Spec.ServiceAccountName, nil
	}
	return fieldpath.ExtractFieldPathAsString(w.pod, path)
}

func (w *worker) configMap(name string, optional *bool) (map[string]string, error) {
	object, err := w.k.client.CoreV1().ConfigMaps(w.pod.Namespace).Get(context.Background(), name, metav1.GetOptions{})
	if err != nil {
		return nil, missing(err, "configmap", name, optional)
	}
	data := object.Data
	for key, bytes := range object.BinaryData {
		if data == nil {
			data = map[string]string{}
		}
		data[key] = string(bytes)
	}
	return data, nil
}

func (w *worker) secret(name string, optional *bool) (map[string]string, error) {
	object, err := w.k.client.CoreV1().Secrets(w.pod.Namespace).Get(context.Background(), name, metav1.GetOptions{})
	if err != nil {
		return nil, missing(err, "secret", name, optional)
	}
	data := map[string]string{}
	for key, bytes := range object.Data {
		data[key] = string(bytes)
	}
	return data, nil
}

func missing(err error, kind, name string, optional *bool) error {
	if !errors.IsNotFound(err) {
		return err
	}
	if optional != nil && *optional {
		return nil
	}
	return fmt.Errorf("%s %q not found", kind, name)
}
