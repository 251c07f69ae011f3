package scaffold

import (
	"encoding/json"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Access says how suites reach a cluster, as their key native.cluster does.
type Access struct{ Kubeconfig, Context, Namespace string }

// FromObjects returns the project that the objects of a cluster make. Suites ask the cluster in place of
// a program, so every webhook counts.
func FromObjects(objects []map[string]any, access Access) *Project {
	p := &Project{Root: ".", Access: &access}
	var all []manifest
	for _, object := range objects {
		text, err := json.Marshal(withoutServerFields(object))
		if err != nil {
			p.open("%v %s cannot be read: %v", object["kind"], nameOf(object), err)
			continue
		}
		all = append(all, manifest{name: fmt.Sprintf("cluster/%v/%s.json", object["kind"], nameOf(object)), line: 1, text: text})
	}
	p.finishManifests(all, &deployments{})
	return p
}

// withoutServerFields returns an object as a user would write it.
func withoutServerFields(object map[string]any) map[string]any {
	written := map[string]any{}
	for key, value := range object {
		if key != "status" && key != "metadata" {
			written[key] = value
		}
	}
	given, _ := object["metadata"].(map[string]any)
	metadata := map[string]any{}
	for _, key := range []string{"name", "namespace", "labels"} {
		if given[key] != nil {
			metadata[key] = given[key]
		}
	}
	written["metadata"] = metadata
	return written
}

// guarded reports whether a cluster has a validating webhook or a policy for a definition.
func (p *Project) guarded(d *Definition) bool {
	for i := range p.Webhooks {
		if w := &p.Webhooks[i]; !w.Mutating && w.matches(d.CRD.Spec.Group, d.CRD.Spec.Names.Plural) {
			return true
		}
	}
	return len(p.policiesOf(d)) > 0
}

// GuardedDefinitions returns the definitions with a validating webhook or a policy.
func (p *Project) GuardedDefinitions() (all []*apiextensionsv1.CustomResourceDefinition) {
	for _, d := range p.Definitions {
		if p.guarded(d) {
			all = append(all, d.CRD)
		}
	}
	return all
}

// clusterSide returns the native side of a suite that asks the cluster.
func (a *Access) clusterSide() string {
	text := "native:\n  cluster:"
	empty := true
	for _, key := range []struct{ name, value string }{{"kubeconfig", a.Kubeconfig}, {"context", a.Context}, {"namespace", a.Namespace}} {
		if key.value != "" {
			text += fmt.Sprintf("\n    %s: %s", key.name, plaintext.FlowText(key.value))
			empty = false
		}
	}
	if empty {
		text += " {}"
	}
	return text + "\n"
}
