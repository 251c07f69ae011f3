package target

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/userfile"
)

// OriginKey is the extension that holds, while schemas are made, the line of a keyword, whose name
// follows it, or of the schema itself. In a rule it is a key beside the others. The schemas that
// callers see have neither.
const OriginKey = "x-diffrun-origin "

// SetOrigin records the line of a keyword, or of the schema itself if keyword is "".
func SetOrigin(s *spec.Schema, keyword string, at userfile.Position) {
	SetExtension(s, OriginKey+keyword, at)
}

// recordOrigins applies a change to the target. It records the line of the marker at everything
// that changed in the target, and at the rules that were added to the struct around it.
func (t *Target) recordOrigins(do func(*Target) error) error {
	s := t.Schemas
	before, alternatives := s.keywordsOf(t.Node), len(s.Resolve(t.Node).AllOf)
	undecided := t.Field != nil && t.Field.Required == nil
	var err error
	s.RecordRules(t.Owner, t.At, func() {
		s.RecordRules(t.Node, t.At, func() { err = do(t) })
	})
	for keyword, value := range s.keywordsOf(t.Node) {
		if !reflect.DeepEqual(before[keyword], value) {
			SetOrigin(t.Node, keyword, t.At)
		}
	}
	if undecided && t.Field.Required != nil {
		SetOrigin(t.Node, "required", t.At)
	}
	for i := alternatives; i < len(t.Node.AllOf); i++ {
		for keyword := range keywords(&t.Node.AllOf[i]) {
			SetOrigin(&t.Node.AllOf[i], keyword, t.At)
		}
	}
	return err
}

// RecordRules applies a change and records a line at the rules that it adds to a schema, which may
// be nil.
func (s *Schemas) RecordRules(node *spec.Schema, at userfile.Position, change func()) {
	if node == nil {
		change()
		return
	}
	before := len(RulesOf(s.Resolve(node)))
	change()
	for i := before; i < len(RulesOf(node)); i++ {
		stampRule(node, i, at)
	}
}

// stampRule records the line of a rule, unless it has one. Copies of a schema share their rules, so
// they are not changed in place.
func stampRule(s *spec.Schema, i int, at userfile.Position) {
	rules := slices.Clone(RulesOf(s))
	if rule, ok := rules[i].(map[string]any); ok && rule[OriginKey] == nil {
		rule = maps.Clone(rule)
		rule[OriginKey] = at
		rules[i] = rule
		SetExtension(s, openapi.XValidations, rules)
	}
}

// RecordWritten records the line of a marker at what it wrote into the target before: the keywords
// and rules of written.
func (t *Target) RecordWritten(written *spec.Schema) {
	for keyword := range keywords(written) {
		SetOrigin(t.Node, keyword, t.At)
	}
	for _, wrote := range RulesOf(written) {
		for i, each := range RulesOf(t.Node) {
			if ruleText(each) == ruleText(wrote) {
				stampRule(t.Node, i, t.At)
			}
		}
	}
}

func ruleText(rule any) any {
	written, _ := rule.(map[string]any)
	return written["rule"]
}

// keywordsOf returns the keywords of a schema and of the definition that it refers to.
func (s *Schemas) keywordsOf(node *spec.Schema) map[string]any {
	all := keywords(s.Resolve(node))
	maps.Copy(all, keywords(node))
	return all
}

// keywords returns the keywords that markers set in a schema, without rules.
func keywords(s *spec.Schema) map[string]any {
	all := map[string]any{
		"exclusiveMinimum": s.ExclusiveMinimum, "exclusiveMaximum": s.ExclusiveMaximum,
		"nullable": s.Nullable, "default": s.Default, "title": s.Title,
	}
	maps.DeleteFunc(all, func(_ string, value any) bool { return value == nil || value == false || value == "" })
	for _, k := range openapi.Keywords() {
		if k.Has(s) && !k.HoldsSchemas() && k.Name != "required" {
			all[k.Name] = k.Value(s)
		}
	}
	for name, value := range s.Extensions {
		if name != openapi.XValidations && !strings.HasPrefix(name, OriginKey) {
			all[name] = value
		}
	}
	return all
}
