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
	namespaceField = "metadata.namespace" // the path of a request contains it
)

// Sent returns the schema of a kind for objects as clients send them, after the defaults of the schema.
// Validators see objects whose namespace and hand-written defaults (Undeclared) are set, so
// [Library.Schema] may require these fields. Sent does not. Neither schema is changed. The errors are
// those of [Library.Schema].
func (l *Library) Sent(gvk schema.GroupVersionKind) (*spec.Schema, map[string]*spec.Schema, error) {
	root, definitions, err := l.Schema(gvk)
	if err != nil {
		return nil, nil, err
	}
	exceptions, err := unexpiredDefaults()
	if err != nil {
		return nil, nil, err
	}
	fields := []string{namespaceField}
	for _, exception := range exceptions.All() {
		if exception.AppliesTo(gvk) {
			fields = append(fields, strings.TrimSuffix(exception.Field(), ".**"))
		}
	}
	relaxed := relaxation{maps.Clone(definitions)}
	sent := *root
	for _, at := range fields {
		sent = relaxed.notRequired(sent, fieldpath.Split(at))
	}
	return &sent, relaxed.definitions, nil
}

// relaxation copies the schemas that it changes. It owns its definitions.
type relaxation struct{ definitions map[string]*spec.Schema }

// notRequired returns a copy of a schema that does not require a field below it.
func (r relaxation) notRequired(s spec.Schema, steps []fieldpath.Step) spec.Schema {
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
	s.Extensions = withoutRequiredRules(s.Extensions, steps)
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

// withoutRequiredRules removes the rules that report a field as required.
func withoutRequiredRules(extensions spec.Extensions, steps []fieldpath.Step) spec.Extensions {
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
