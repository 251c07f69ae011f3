package idl

import (
	"maps"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/userfile"
)

// adapt fits the rules of bundled overlays to a definition. The API server does not accept a list as
// a message, so lists are joined. A rule that does not compile there is dropped and reported as
// unexpressed, because users of the types cannot fix it.
func (w *crdWalk) adapt(node *spec.Schema) {
	joined := map[userfile.Position]bool{}
	for {
		lists, wrong := w.wrongRules(node, joined)
		if len(lists)+len(wrong) == 0 {
			return
		}
		maps.Copy(joined, lists)
		for at, why := range wrong {
			w.builder.unexpressed = append(w.builder.unexpressed, Unexpressed{Position: at, Text: "a bundled rule", Why: why})
		}
		*node = *changeRules(node, func(at userfile.Position, rule map[string]any) map[string]any {
			if _, out := wrong[at]; out {
				return nil
			}
			if lists[at] {
				rule = maps.Clone(rule)
				rule["messageExpression"] = Joined(rule["messageExpression"].(string))
			}
			return rule
		})
	}
}

// Joined returns a messageExpression that joins the texts of a list.
func Joined(list string) string { return "(" + list + ").join('; ')" }

// wrongRules compiles a copy of a schema. It returns the lines of bundled rules whose messages may be
// lists that are not yet joined, and the errors of the other wrong rules by line.
func (w *crdWalk) wrongRules(node *spec.Schema,
	joined map[userfile.Position]bool) (lists map[userfile.Position]bool, wrong map[userfile.Position]string) {
	origins := Origins{}
	plain := origins.collect(node, nil)
	lists, wrong = map[userfile.Position]bool{}, map[userfile.Position]string{}
	for _, err := range w.check(plain) {
		end := strings.LastIndex(err.Field, "].") + 1
		at, known := origins[err.Field[:end]]
		if !known || !w.builder.bundled[at.File] {
			continue
		}
		switch keyword := err.Field[end:]; {
		case keyword == ".messageExpression" && !joined[at]:
			lists[at] = true
		case keyword == ".messageExpression", keyword == ".rule":
			wrong[at] = "the bundled rule does not compile in a definition, so it is left out: " + err.Detail
		}
	}
	return lists, wrong
}

// changeRules returns a schema in which each rule is replaced, or removed if change returns nil. at is
// the line of the rule.
func changeRules(s *spec.Schema, change func(at userfile.Position, rule map[string]any) map[string]any) *spec.Schema {
	changed := openapi.MapChildren(s, func(child openapi.Child) *spec.Schema { return changeRules(child.Schema, change) })
	var kept []any
	for _, each := range target.RulesOf(s) {
		rule, _ := each.(map[string]any)
		at, _ := rule[target.OriginKey].(userfile.Position)
		if rule = change(at, rule); rule != nil {
			kept = append(kept, rule)
		}
	}
	changed.Extensions = maps.Clone(s.Extensions)
	delete(changed.Extensions, openapi.XValidations)
	if len(kept) > 0 {
		changed.Extensions[openapi.XValidations] = kept
	}
	return changed
}
