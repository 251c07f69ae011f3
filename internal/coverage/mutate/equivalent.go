package mutate

import (
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/schema/celproof"
	"github.com/diffrun/diffrun/internal/schema/proof"
)

// killable omits the weaker forms that accept the same values of the type, such as a maximum beyond the range
// of the type, or a pattern that matches everything. It keeps keywords that others make redundant: without
// them an input has other errors. The declaring schema has the type of the value of a branch.
func killable(s, declaring *spec.Schema, all []weaker) []weaker {
	var rest []weaker
	for _, w := range all {
		if !saysTheSame(s, declaring, w) {
			rest = append(rest, w)
		}
	}
	return rest
}

func saysTheSame(s, declaring *spec.Schema, w weaker) bool {
	typ := &spec.Schema{}
	if declaring != nil {
		typ = typeOf(declaring)
	}
	if w.keyword == openapi.XValidations {
		text, _ := rulesOf(s)[w.index]["rule"].(string)
		of, rule := celproof.Schema{Schema: typ}, celexpr.Parse(text)
		return rule != nil && celproof.Always(rule, of, of)
	}
	before, changed := proof.Part(s, w.keyword), *s
	w.apply(&changed)
	after := proof.Part(&changed, w.keyword)
	switch {
	case w.keyword == "required": // a default fills in missing values
		before, after = &spec.Schema{SchemaProps: spec.SchemaProps{Required: s.Required[w.index : w.index+1]}}, &spec.Schema{}
	case w.keyword == openapi.XListType && s.Extensions[openapi.XListType] == "map": // old items are found by its keys
		return false
	}
	if before == nil || after == nil {
		return false
	}
	known := proof.Of(proof.Schema{Schema: typ}).And(proof.Schema{Schema: after})
	return proof.Accepts(known, proof.Schema{Schema: before}, s, declarative.NativeTypes)
}

// junctor is the outermost junctor around a branch.
type junctor struct {
	of      *spec.Schema // the schema that has it; nil if there is none
	keyword string
	depth   int // steps that lead to it
}

// saysTheSame reports whether a junctor is proved to accept the same values of the type after a change to one
// of its branches: another branch may accept all that this one does.
func (j junctor) saysTheSame(steps []openapi.Child, apply func(*spec.Schema)) bool {
	if j.of == nil {
		return false
	}
	changed := replaced(*j.of, steps[j.depth:], apply)
	before, after := proof.Part(j.of, j.keyword), proof.Part(&changed, j.keyword)
	accepts := func(some, other *spec.Schema) bool {
		known := proof.Of(proof.Schema{Schema: typeOf(j.of)}).And(proof.Schema{Schema: some})
		return proof.Accepts(known, proof.Schema{Schema: other}, j.of, declarative.NativeTypes)
	}
	return accepts(before, after) && accepts(after, before)
}

// typeOf returns a schema with only the type of s.
func typeOf(s *spec.Schema) *spec.Schema {
	only := &spec.Schema{SchemaProps: spec.SchemaProps{Type: s.Type, Nullable: s.Nullable}}
	if len(openapi.Types(s)) > len(s.Type) {
		only.AddExtension(openapi.XIntOrString, true)
	}
	only.AddExtension(openapi.XPreserveUnknownFields, true) // the fields belong to another schema
	return only
}
