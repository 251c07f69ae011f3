package counterexample

import (
	"context"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi"
)

// rule is a rule with its place.
type rule struct {
	// path leads from an object to the value that the rule is about. "[*]" is any item or entry.
	path []string
	// schema is that of the value.
	schema *spec.Schema
	// optional means that the rule also runs without an old value (optionalOldSelf).
	optional      bool
	text, message string
	expr          celexpr.Expr
}

// trial evaluates one rule alone.
type trial struct {
	*Finder
	rule rule
	// is and not validate its value with the rule, and with its negation, as the only rule. They are made once, and are nil if
	// the rule does not compile alone.
	is, not  *declarative.Validator
	compiled bool
}

// add adds the rules of a schema and of the schemas inside it.
func (f *Finder) add(s *spec.Schema, path []string) {
	extensions, _ := openapi.ReadExtensions(s, nil)
	for _, written := range extensions.Validations {
		f.rules = append(f.rules, &trial{Finder: f, rule: rule{
			path: path, schema: s, text: written.Rule, message: written.Message, expr: celexpr.Parse(written.Rule),
			optional: written.OptionalOldSelf != nil && *written.OptionalOldSelf,
		}})
	}
	for child := range openapi.Children(s) {
		if child.IsPart() && !child.IsBranch() {
			step := "[*]"
			if child.Keyword == "properties" {
				step = child.Name
			}
			f.add(child.Schema, append(slices.Clip(path), step))
		}
	}
}

// trial returns the trial of a rule; nil: the schema has no such rule.
func (f *Finder) trial(path []string, text string) *trial {
	at := slices.IndexFunc(f.rules, func(t *trial) bool { return t.rule.text == text && slices.Equal(t.rule.path, path) })
	if at < 0 || f.base == nil || f.rules[at].rule.expr == nil {
		return nil
	}
	return f.rules[at]
}

// outcome is the result of a rule for objects.
type outcome int

const (
	notAsked outcome = iota
	isTrue
	isFalse
	cannotBeEvaluated
)

// outcome evaluates the rule, and returns its error. If its negation fails too, it cannot be evaluated.
func (t *trial) outcome(object, old map[string]any) (outcome, *field.Error) {
	if !t.compiled {
		t.compiled, t.is, t.not = true, t.compile(t.rule.text), t.compile("!("+t.rule.text+")")
	}
	now, has := t.maker.ValueAt(object, t.rule.path)
	if !has || t.is == nil || t.not == nil {
		return notAsked, nil
	}
	var before value.Value
	if was, had := t.maker.ValueAt(old, t.rule.path); old != nil && had {
		before = value.NewValueInterface(was)
	}
	errs := t.is.Validate(context.Background(), value.NewValueInterface(now), before)
	switch {
	case len(errs) == 0:
		return isTrue, nil
	case len(t.not.Validate(context.Background(), value.NewValueInterface(now), before)) == 0:
		return isFalse, errs[0]
	}
	return cannotBeEvaluated, errs[0]
}

// compile returns a validator of the rule's value with one rule; nil: it does not compile alone.
func (t *trial) compile(text string) *declarative.Validator {
	alone := *withoutRules(t.rule.schema)
	alone.Extensions = maps.Clone(alone.Extensions)
	if alone.Extensions == nil {
		alone.Extensions = spec.Extensions{}
	}
	alone.Extensions[openapi.XValidations] = []any{map[string]any{
		"rule": text, "message": t.rule.message, "optionalOldSelf": t.rule.optional,
	}}
	options := t.options
	options.Root = options.Root && len(t.rule.path) == 0
	options.WithoutRatcheting = true
	validator, err := declarative.Compile(&alone, options)
	if err != nil {
		return nil
	}
	return validator
}

func withoutRules(s *spec.Schema) *spec.Schema {
	made := openapi.MapChildren(s, func(child openapi.Child) *spec.Schema { return withoutRules(child.Schema) })
	if _, has := made.Extensions[openapi.XValidations]; has {
		copied := *made
		copied.Extensions = maps.Clone(made.Extensions)
		delete(copied.Extensions, openapi.XValidations)
		return &copied
	}
	return made
}
