package kubernetes

import (
	"slices"
	"strings"
)

// PackagesWithTags lists the Go packages, or the folders of their versions, whose tags are a part of
// the bundled schemas. Overlays do not repeat these tags.
func PackagesWithTags() []string {
	return []string{"k8s.io/api/lifecycle", "k8s.io/api/resource", "k8s.io/api/scheduling/v1alpha3", "k8s.io/api/scheduling/v1beta1"}
}

// allTagged lists the kinds whose Go types have upstream's tags "+k8s:…". The tags of a kind make a
// separate schema, see Tags. Since Kubernetes 1.37 the type ObjectMeta has tags, and validation-gen makes a validator
// of each kind, except those of packages and types that it is not run for.
func allTagged() []served {
	var tagged []served
	for _, each := range allServed() {
		if each.group == "extensions" || each.group == "events.k8s.io" {
			continue
		}
		each.kinds = strings.Join(slices.DeleteFunc(strings.Fields(each.kinds), func(kind string) bool {
			return kind == "PodLogOptions" || kind == "DeploymentRollback"
		}), " ")
		tagged = append(tagged, each)
	}
	return append(tagged, served{"events.k8s.io", "v1", "Event"})
}
