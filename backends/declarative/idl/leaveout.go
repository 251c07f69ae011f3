package idl

import (
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/userfile"
)

// leaveOut removes the rules of bundled overlays that do not compile in the schema of a definition,
// and says so: nobody who has the types as fields can mend them.
func (w *crdWalk) leaveOut(node *spec.Schema) {
	for {
		wrong := w.wrongRules(node)
		if len(wrong) == 0 {
			return
		}
		for at, why := range wrong {
			w.builder.unexpressed = append(w.builder.unexpressed, Unexpressed{Position: at, Text: "a bundled rule", Why: why})
		}
		withoutRules(node, wrong)
	}
}

// wrongRules compiles a copy of a schema and returns the lines of bundled rules that are wrong.
func (w *crdWalk) wrongRules(node *spec.Schema) map[userfile.Position]string {
	plain, origins := clone(node), Origins{}
	origins.collect(plain, "")
	wrong := map[userfile.Position]string{}
	for _, err := range w.check(plain) {
		rule, _, isRule := strings.Cut(err.Field, "].rule")
		at, known := origins[rule+"]"]
		if isRule && known && w.builder.bundled[at.File] {
			wrong[at] = "the bundled rule does not compile in a definition, so it is left out: " + err.Detail
		}
	}
	return wrong
}

// withoutRules removes the rules that lines have written.
func withoutRules(s *spec.Schema, lines map[userfile.Position]string) {
	if rules := rulesOf(s); len(rules) > 0 {
		kept := slices.DeleteFunc(slices.Clone(rules), func(each any) bool {
			rule, _ := each.(map[string]any)
			at, _ := rule[originKey].(userfile.Position)
			_, wrong := lines[at]
			return wrong
		})
		setExtension(s, extValidations, kept)
		if len(kept) == 0 {
			delete(s.Extensions, extValidations)
		}
	}
	for name, property := range s.Properties {
		withoutRules(&property, lines)
		s.Properties[name] = property
	}
	for i := range s.AllOf {
		withoutRules(&s.AllOf[i], lines)
	}
	if s.Items != nil && s.Items.Schema != nil {
		withoutRules(s.Items.Schema, lines)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		withoutRules(s.AdditionalProperties.Schema, lines)
	}
}
