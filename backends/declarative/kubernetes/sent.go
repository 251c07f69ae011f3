package kubernetes

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/openapi"
)

// namespaceField is set by the path of a request.
const namespaceField = "metadata.namespace"

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
	for _, at := range fields {
		root = relaxed.notRequired(root, fieldpath.Split(at))
	}
	return root, relaxed.definitions, nil
}

// relaxation copies the schemas that it changes. It owns its definitions.
type relaxation struct{ definitions map[string]*spec.Schema }

// notRequired returns a copy of a schema that does not require a field below it.
func (r relaxation) notRequired(s *spec.Schema, steps []fieldpath.Step) *spec.Schema {
	if len(steps) == 0 {
		return s
	}
	if name, isRef := openapi.DefinitionName(openapi.Ref(s)); isRef {
		if definition := r.definitions[name]; definition != nil {
			r.definitions[name] = r.notRequired(definition, steps)
		}
		return s
	}
	next := steps[0]
	relaxed := openapi.MapChildren(s, func(child openapi.Child) *spec.Schema {
		if next.Bracket && child.Keyword == "items" || !next.Bracket && child.Keyword == "properties" && child.Name == next.Text {
			return r.notRequired(child.Schema, steps[1:])
		}
		return child.Schema
	})
	relaxed.Extensions = withoutRequiredRules(s.Extensions, steps)
	if len(steps) == 1 {
		relaxed.Required = slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { return name == next.Text })
	}
	return relaxed
}

// withoutRequiredRules removes the rules that report a field as required.
func withoutRequiredRules(extensions spec.Extensions, steps []fieldpath.Step) spec.Extensions {
	rules, _ := extensions[openapi.XValidations].([]any)
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
	if changed[openapi.XValidations] = kept; len(kept) == 0 {
		delete(changed, openapi.XValidations)
	}
	return changed
}
