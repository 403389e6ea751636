package main

import (
	"fmt"
	"strings"

	v1 "k8s.io/api/core/v1"
)

// waiting is why a container does not start; Message as the real kubelet's.
type waiting struct{ Reason, Message string }

func (e *waiting) Error() string { return e.Reason + ": " + e.Message }

// fullName is an image's name with its registry and its tag.
func fullName(image string) string {
	first, _, hasPath := strings.Cut(image, "/")
	switch {
	case !hasPath:
		image = "docker.io/library/" + image
	case !strings.ContainsAny(first, ".:") && first != "localhost":
		image = "docker.io/" + image
	}
	if last := image[strings.LastIndex(image, "/"):]; !strings.ContainsAny(last, ":@") {
		image += ":latest"
	}
	return image
}

// entrypoint is what an image runs; an error if there is no such image.
func (k *kubelet) entrypoint(c *v1.Container) ([]string, *waiting) {
	if entry, isThere := k.images[c.Image]; isThere {
		return strings.Fields(entry), nil
	}
	path := c.Image[:strings.LastIndex(c.Image, "/")+1] // A tag may have capitals.
	if strings.ContainsAny(c.Image, " \t") || strings.ToLower(path) != path {
		return nil, &waiting{"InvalidImageName", fmt.Sprintf(
			"Failed to apply default image tag %q: couldn't parse image name %q: invalid reference format", c.Image, c.Image)}
	}
	if c.ImagePullPolicy == v1.PullNever {
		return nil, &waiting{"ErrImageNeverPull", fmt.Sprintf("Container image %q is not present with pull policy of Never", c.Image)}
	}
	full := fullName(c.Image)
	return nil, &waiting{"ErrImagePull", fmt.Sprintf(
		"rpc error: code = NotFound desc = failed to pull and unpack image %q: failed to resolve reference %q: %s: not found",
		full, full, full)}
}
