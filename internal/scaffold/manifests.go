package scaffold

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/documents"
)

// manifest is a text with objects.
type manifest struct {
	name     string
	line     int // of the text in the file
	text     []byte
	template bool
}

// Webhook is a webhook of a configuration or of a marker of kubebuilder.
type Webhook struct {
	Source   string
	Mutating bool
	Path     string
	Rules    []admissionregistrationv1.RuleWithOperations
	// MatchPolicy is empty for the default.
	MatchPolicy string
	// Kind is set if the program of the functions serves the objects of this kind, in place of a webhook.
	Kind     string
	versions []string // of the Go type of the functions
	// Conditions names what else narrows the requests, such as "namespaceSelector".
	Conditions []string
}

// wantedKinds are the kinds of which objects are read even from templates.
var wantedKinds = []string{"CustomResourceDefinition", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "ValidatingAdmissionPolicy"}

// finishManifests reads all objects: first the definitions, so that the samples of their kinds are known.
func (p *Project) finishManifests(all []manifest) {
	var objects []Sample
	slices.SortStableFunc(all, func(a, b manifest) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(len(a.name), len(b.name)), strings.Compare(a.name, b.name))
	})
	for _, m := range all {
		text := m.text
		if m.template {
			if !slices.ContainsFunc(wantedKinds, func(kind string) bool { return bytes.Contains(text, []byte(kind)) }) {
				continue
			}
			text = []byte(withoutActions(string(text)))
		}
		found := slices.Collect(documents.Manifest(m.name, text))
		for _, document := range found {
			switch {
			case document.Err != nil && slices.ContainsFunc(wantedKinds, func(kind string) bool { return bytes.Contains(text, []byte("kind: "+kind)) }):
				p.unreadable(m, document.Err)
			case document.Err != nil, document.Object == nil: // such as values.yaml of a chart
			default:
				all, isList := items(document.Object)
				for _, document.Object = range all {
					p.readObject(m, document, len(found) == 1 && !m.template && !isList && p.Access == nil, &objects)
				}
			}
		}
	}
	for _, sample := range objects {
		if p.definition(sample.Kind.GroupKind()) != nil {
			p.Samples = append(p.Samples, sample)
		}
	}
}

// rank orders files: those that a cluster gets first, those of tests last.
func rank(m manifest) int {
	folders := strings.Split(path.Dir(m.name), "/")
	has := func(names ...string) bool {
		return slices.ContainsFunc(folders, func(folder string) bool { return slices.Contains(names, folder) })
	}
	switch {
	case isTest(path.Dir(m.name)):
		return 4
	case has("docs", "site"):
		return 3
	case m.template:
		return 2
	case has("bases", "samples"):
		return 0
	default:
		return 1
	}
}

// items returns the objects of a list, or the object itself.
func items(object map[string]any) (all []map[string]any, isList bool) {
	list, is := object["items"].([]any)
	if kind, _ := object["kind"].(string); !is || kind != "List" {
		return []map[string]any{object}, false
	}
	for _, item := range list {
		if object, is := item.(map[string]any); is {
			all = append(all, object)
		}
	}
	return all, true
}

// readObject reads an object of interest. Other objects may be samples.
func (p *Project) readObject(m manifest, document documents.Document, alone bool, others *[]Sample) {
	object := document.Object
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	version, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || kind == "" || version.Version == "" {
		return
	}
	line := m.line + document.Line - 1
	switch {
	case kind == "CustomResourceDefinition" && version.Group == "apiextensions.k8s.io":
		p.readDefinition(m, document, alone)
	case version.Group == "admissionregistration.k8s.io" && strings.HasSuffix(kind, "WebhookConfiguration"):
		p.readWebhooks(m.name, line, kind == "MutatingWebhookConfiguration", object)
	case version.Group == "admissionregistration.k8s.io" && strings.HasPrefix(kind, "ValidatingAdmissionPolicy"):
		p.readPolicy(Policy{m.name, line, object})
	case !m.template && path.Ext(m.name) != ".go":
		*others = append(*others, Sample{m.name, line, version.WithKind(kind), object})
	}
}

// readDefinition keeps the first definition of a name: files are sorted by their rank.
func (p *Project) readDefinition(m manifest, document documents.Document, alone bool) {
	name := nameOf(document.Object)
	spec, _ := document.Object["spec"].(map[string]any)
	if spec["group"] == nil || slices.ContainsFunc(p.Definitions, func(d *Definition) bool { return d.CRD.Name == name }) {
		return // the former is a patch of kustomize
	}
	switch read, err := definitions.ReadDocument(m.name, document); {
	case err != nil:
		p.unreadable(m, err)
	case len(read.Versions) > 0:
		p.Definitions = append(p.Definitions, &Definition{read, m.name, alone})
	}
}

// unreadable leaves a file open that should have objects of interest.
func (p *Project) unreadable(m manifest, err error) {
	why, _, _ := strings.Cut(err.Error(), "\n")
	if !strings.HasPrefix(why, m.name) {
		why = m.name + ": " + why
	}
	switch {
	case isTest(path.Dir(m.name)):
	case m.template:
		p.open("%s (without the actions of the template); render it (helm template) and keep the result in the repository", why)
	default:
		p.open("%s", why)
	}
}

func (p *Project) readWebhooks(name string, line int, mutating bool, object map[string]any) {
	data, _ := json.Marshal(object) // it was decoded
	// Only the relevant fields: a template may have texts instead of other values.
	var configuration struct {
		Webhooks []struct {
			ClientConfig      struct{ Service struct{ Path string } }
			Rules             []admissionregistrationv1.RuleWithOperations
			MatchPolicy       string
			NamespaceSelector any
			ObjectSelector    any
			MatchConditions   any
		}
	}
	if err := json.Unmarshal(data, &configuration); err != nil {
		p.open("%s:%d: this webhook configuration cannot be read: %v", name, line, err)
		return
	}
	for _, webhook := range configuration.Webhooks {
		found := Webhook{Source: name, Mutating: mutating, Path: webhook.ClientConfig.Service.Path, Rules: webhook.Rules, MatchPolicy: webhook.MatchPolicy}
		for _, condition := range []struct {
			name  string
			value any
		}{{"namespaceSelector", webhook.NamespaceSelector}, {"objectSelector", webhook.ObjectSelector}, {"matchConditions", webhook.MatchConditions}} {
			if selects, isMapping := condition.value.(map[string]any); condition.value != nil && (!isMapping || len(selects) > 0) { // {} selects all
				found.Conditions = append(found.Conditions, condition.name)
			}
		}
		p.addWebhook(found)
	}
}

// addWebhook keeps the first webhook of a path and its resources. Different services may use one path.
func (p *Project) addWebhook(found Webhook) {
	same := func(w Webhook) bool {
		return w.Path == found.Path && w.Mutating == found.Mutating && w.resources() == found.resources()
	}
	if len(found.Rules) > 0 && !slices.ContainsFunc(p.Webhooks, same) && !strings.Contains(found.Path, placeholder) {
		p.Webhooks = append(p.Webhooks, found)
	}
}

// readPolicy keeps a policy whose expressions can be read.
func (p *Project) readPolicy(policy Policy) {
	if path := templated(policy.Object, ""); len(path) > 0 {
		p.open("%s:%d: %s: %s: the template writes this, so its value is not known; render it (helm template) and name the file under policies", policy.Source, policy.Line, policy.Object["kind"], strings.Join(path, ", "))
		return
	}
	same := func(other Policy) bool {
		return other.Object["kind"] == policy.Object["kind"] && nameOf(other.Object) == nameOf(policy.Object)
	}
	if !slices.ContainsFunc(p.Policies, same) {
		p.Policies = append(p.Policies, policy)
	}
}

// templated returns the places below spec whose value a template writes.
func templated(value any, at string) (places []string) {
	switch value := value.(type) {
	case string:
		if strings.Contains(value, placeholder) && strings.HasPrefix(at, ".spec") {
			return []string{strings.TrimPrefix(at, ".")}
		}
	case map[string]any:
		for _, key := range sortedKeys(value) {
			places = append(places, templated(value[key], at+"."+key)...)
		}
	case []any:
		for i, item := range value {
			places = append(places, templated(item, at+index(i))...)
		}
	}
	return places
}

func nameOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	return name
}

// definition returns the definition of a kind, or nil.
func (p *Project) definition(kind schema.GroupKind) *Definition {
	for _, d := range p.Definitions {
		if d.CRD.Spec.Group == kind.Group && d.CRD.Spec.Names.Kind == kind.Kind {
			return d
		}
	}
	return nil
}
