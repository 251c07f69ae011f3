package kubernetes

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

const (
	extValidations = "x-kubernetes-validations"
	namespaceField = "metadata.namespace" // the path of the request has it
)

// Sent gives the schema of a kind for objects as clients send them, with the defaults of the schema
// filled in. Validators see objects in which hand-written defaults that no schema can declare
// (Undeclared) and the namespace of the request are set, so [Library.Schema] may require them. Here
// they are not required. Neither schema is changed. The errors are those of [Library.Schema].
func (l *Library) Sent(gvk schema.GroupVersionKind) (*spec.Schema, map[string]*spec.Schema, error) {
	root, definitions, err := l.Schema(gvk)
	if err != nil {
		return nil, nil, err
	}
	exceptions, err := undeclaredForEver()
	if err != nil {
		return nil, nil, err
	}
	fields := []string{namespaceField}
	for _, exception := range exceptions.All() {
		if exception.Concerns(gvk) {
			fields = append(fields, strings.TrimSuffix(exception.Field(), ".**"))
		}
	}
	relaxed := relaxing{maps.Clone(definitions)}
	sent := *root
	for _, at := range fields {
		sent = relaxed.notRequired(sent, fieldpath.Split(at))
	}
	return &sent, relaxed.definitions, nil
}

// relaxing copies the schemas that it changes. The definitions are its own.
type relaxing struct{ definitions map[string]*spec.Schema }

// notRequired gives a schema that does not require a field below it.
func (r relaxing) notRequired(s spec.Schema, steps []fieldpath.Step) spec.Schema {
	if len(steps) == 0 {
		return s
	}
	if name, isRef := strings.CutPrefix(s.Ref.String(), refPrefix); isRef {
		if definition := r.definitions[name]; definition != nil {
			changed := r.notRequired(*definition, steps)
			r.definitions[name] = &changed
		}
		return s
	}
	s.Extensions = withoutDemands(s.Extensions, steps)
	next := steps[0].Text
	if len(steps) == 1 {
		s.Required = slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { return name == next })
	}
	property, known := s.Properties[next]
	switch {
	case !steps[0].Bracket && known:
		s.Properties = maps.Clone(s.Properties)
		s.Properties[next] = r.notRequired(property, steps[1:])
	case steps[0].Bracket && s.Items != nil && s.Items.Schema != nil:
		changed := r.notRequired(*s.Items.Schema, steps[1:])
		s.Items = &spec.SchemaOrArray{Schema: &changed}
	}
	return s
}

// withoutDemands leaves out the rules that report a field as required.
func withoutDemands(extensions spec.Extensions, steps []fieldpath.Step) spec.Extensions {
	rules, _ := extensions[extValidations].([]any)
	path := ""
	for _, step := range steps {
		if step.Bracket {
			return extensions // a rule cannot name an item
		}
		path += "." + step.Text
	}
	kept := slices.DeleteFunc(slices.Clone(rules), func(rule any) bool {
		entry, _ := rule.(map[string]any)
		return entry["fieldPath"] == path && entry["reason"] == string(field.ErrorTypeRequired)
	})
	if len(kept) == len(rules) {
		return extensions
	}
	changed := maps.Clone(extensions)
	if changed[extValidations] = kept; len(kept) == 0 {
		delete(changed, extValidations)
	}
	return changed
}
