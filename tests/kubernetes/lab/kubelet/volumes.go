package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	authentication "k8s.io/api/authentication/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
)

// prepareVolumes makes every volume of the pod a folder or file on this machine.
func (w *worker) prepareVolumes() error {
	w.volumes = map[string]string{}
	for i := range w.pod.Spec.Volumes {
		volume := &w.pod.Spec.Volumes[i]
		path := w.path("volumes", volume.Name)
		if err := os.MkdirAll(path, 0o755); err != nil {
			return err
		}
		found, err := w.prepareVolume(volume, path)
		if err != nil {
			return fmt.Errorf("MountVolume.SetUp failed for volume %q : %w", volume.Name, err)
		}
		w.volumes[volume.Name] = found
	}
	return nil
}

func (w *worker) prepareVolume(volume *v1.Volume, path string) (string, error) {
	switch {
	case volume.EmptyDir != nil:
		return path, os.Chmod(path, 0o777)
	case volume.HostPath != nil:
		return volume.HostPath.Path, checkHostPath(volume.HostPath)
	case volume.PersistentVolumeClaim != nil:
		return w.claimedPath(volume.PersistentVolumeClaim.ClaimName)
	case volume.ConfigMap != nil:
		s := volume.ConfigMap
		data, err := w.configMap(s.Name, s.Optional)
		return path, writeFiles(path, data, s.Items, s.DefaultMode, err)
	case volume.Secret != nil:
		s := volume.Secret
		data, err := w.secret(s.SecretName, s.Optional)
		return path, writeFiles(path, data, s.Items, s.DefaultMode, err)
	case volume.DownwardAPI != nil:
		data, err := w.fields(volume.DownwardAPI.Items)
		return path, writeFiles(path, data, nil, volume.DownwardAPI.DefaultMode, err)
	case volume.Projected != nil:
		return path, w.project(volume.Projected, path)
	}
	return "", fmt.Errorf("the lab has no volumes of this kind")
}

func checkHostPath(source *v1.HostPathVolumeSource) error {
	kind := v1.HostPathUnset
	if source.Type != nil {
		kind = *source.Type
	}
	if kind == v1.HostPathDirectoryOrCreate {
		return os.MkdirAll(source.Path, 0o755)
	}
	what, err := os.Stat(source.Path)
	switch {
	case err != nil && kind == v1.HostPathUnset:
		return os.MkdirAll(source.Path, 0o755) // As container runtimes do.
	case err != nil && kind == v1.HostPathFileOrCreate:
		return os.WriteFile(source.Path, nil, 0o644)
	case err != nil || kind == v1.HostPathDirectory && !what.IsDir():
		return fmt.Errorf("hostPath type check failed: %s is not a %s", source.Path, strings.ToLower(string(kind)))
	}
	return nil
}

// claimedPath is where the hostPath or local volume is that a claim is bound to.
func (w *worker) claimedPath(name string) (string, error) {
	core := w.k.client.CoreV1()
	claim, err := core.PersistentVolumeClaims(w.pod.Namespace).Get(context.Background(), name, metav1.GetOptions{})
	if err != nil {
		return "", err
	}
	volume, err := core.PersistentVolumes().Get(context.Background(), claim.Spec.VolumeName, metav1.GetOptions{})
	if err != nil {
		return "", err
	}
	if volume.Spec.HostPath != nil {
		return volume.Spec.HostPath.Path, checkHostPath(volume.Spec.HostPath)
	}
	if volume.Spec.Local != nil {
		return volume.Spec.Local.Path, nil
	}
	return "", fmt.Errorf("volume %s is neither hostPath nor local", volume.Name)
}

func (w *worker) fields(items []v1.DownwardAPIVolumeFile) (map[string]string, error) {
	data := map[string]string{}
	for _, item := range items {
		if item.FieldRef == nil {
			return nil, fmt.Errorf("the lab has no resourceFieldRef in volumes")
		}
		value, err := w.field(item.FieldRef.FieldPath)
		if err != nil {
			return nil, err
		}
		data[item.Path] = value
	}
	return data, nil
}

func (w *worker) project(projected *v1.ProjectedVolumeSource, path string) error {
	for _, source := range projected.Sources {
		var data map[string]string
		var items []v1.KeyToPath
		var err error
		switch {
		case source.ServiceAccountToken != nil:
			data, err = w.token(source.ServiceAccountToken)
		case source.ConfigMap != nil:
			items = source.ConfigMap.Items
			data, err = w.configMap(source.ConfigMap.Name, source.ConfigMap.Optional)
		case source.Secret != nil:
			items = source.Secret.Items
			data, err = w.secret(source.Secret.Name, source.Secret.Optional)
		case source.DownwardAPI != nil:
			data, err = w.fields(source.DownwardAPI.Items)
		}
		if err := writeFiles(path, data, items, projected.DefaultMode, err); err != nil {
			return err
		}
	}
	return nil
}

// token is one of the pod's service account, good for as long as the pod is.
func (w *worker) token(wanted *v1.ServiceAccountTokenProjection) (map[string]string, error) {
	request := &authentication.TokenRequest{Spec: authentication.TokenRequestSpec{
		ExpirationSeconds: wanted.ExpirationSeconds,
		BoundObjectRef: &authentication.BoundObjectReference{
			Kind: "Pod", APIVersion: "v1", Name: w.pod.Name, UID: w.pod.UID},
	}}
	if wanted.Audience != "" {
		request.Spec.Audiences = []string{wanted.Audience}
	}
	answer, err := w.k.client.CoreV1().ServiceAccounts(w.pod.Namespace).CreateToken(
		context.Background(), w.pod.Spec.ServiceAccountName, request, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	return map[string]string{wanted.Path: answer.Status.Token}, nil
}

// writeFiles writes data below a folder: all of it, or the items.
func writeFiles(folder string, data map[string]string, items []v1.KeyToPath, mode *int32, err error) error {
	if err != nil {
		return err
	}
	if items == nil {
		for key := range data {
			items = append(items, v1.KeyToPath{Key: key, Path: key})
		}
	}
	for _, item := range items {
		value, isThere := data[item.Key]
		if !isThere {
			return fmt.Errorf("references non-existent config key: %s", item.Key)
		}
		rights := os.FileMode(0o644)
		if item.Mode != nil {
			rights = os.FileMode(*item.Mode)
		} else if mode != nil {
			rights = os.FileMode(*mode)
		}
		path := filepath.Join(folder, item.Path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(value), rights); err != nil {
			return err
		}
		if err := os.Chmod(path, rights); err != nil {
			return err
		}
	}
	return nil
}

// mounts are those of a container, outer ones first.
func (w *worker) mounts(c *v1.Container, values map[string]string) ([]mount, error) {
	var list []mount
	for _, m := range c.VolumeMounts {
		source, isThere := w.volumes[m.Name]
		if !isThere {
			return nil, fmt.Errorf("cannot find volume %q to mount into container %q", m.Name, c.Name)
		}
		below := m.SubPath
		if m.SubPathExpr != "" {
			below = expansion.Expand(m.SubPathExpr, expansion.MappingFuncFor(values))
		}
		if below != "" {
			source = filepath.Join(source, below)
			if _, err := os.Stat(source); err != nil {
				if err := os.MkdirAll(source, 0o777); err != nil {
					return nil, err
				}
			}
		}
		list = append(list, mount{source, filepath.Clean("/" + m.MountPath), m.ReadOnly})
	}
	if c.TerminationMessagePath != "" {
		source := w.messagePath(c.Name)
		if err := os.WriteFile(source, nil, 0o666); err != nil {
			return nil, err
		}
		list = append(list, mount{source, c.TerminationMessagePath, false})
	}
	for _, name := range []string{"hosts", "resolv.conf"} {
		if _, err := os.Stat("/etc/" + name); err == nil {
			list = append(list, mount{w.path(name), "/etc/" + name, false})
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		return strings.Count(list[i].Target, "/") < strings.Count(list[j].Target, "/")
	})
	return list, nil
}

// writeEtc writes the files of /etc that all containers of the pod share. No
// name server answers; names are in the hosts file.
func (w *worker) writeEtc() error {
	for _, folder := range []string{"volumes", "messages"} {
		if err := os.MkdirAll(w.path(folder), 0o755); err != nil {
			return err
		}
	}
	own := w.pod.Namespace + "." + clusterDomain
	text := fmt.Sprintf("nameserver 127.0.0.1\nsearch %s %s cluster.local\noptions ndots:5\n", own, clusterDomain)
	if err := os.WriteFile(w.path("resolv.conf"), []byte(text), 0o644); err != nil {
		return err
	}
	w.writeHosts(w.k.serviceNames(w.pod.Namespace))
	return nil
}

// finalMessage is what an ended container left to say.
func (w *worker) finalMessage(c *v1.Container, restart, code int32) string {
	text, _ := os.ReadFile(w.messagePath(c.Name))
	if len(text) == 0 && code != 0 && c.TerminationMessagePolicy == v1.TerminationMessageFallbackToLogsOnError {
		if file, err := os.Open(w.logPath(c.Name, restart)); err == nil {
			defer file.Close()
			text = tailOf(file)
		}
	}
	return string(text[max(0, len(text)-4096):])
}
