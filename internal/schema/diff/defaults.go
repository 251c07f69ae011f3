package diff

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/schema/celproof"
	"github.com/diffrun/diffrun/internal/schema/proof"
)

// ancestor is a value that contains the current one, on both sides.
type ancestor struct {
	a, b *spec.Schema
	path string
}

// compareDefault compares defaults. A default makes a required field optional, and everything that
// looks at the field validates the default too.
func compareDefault(w *walker, a, b *spec.Schema, path string) {
	from, to := asJSON(a.Default), asJSON(b.Default)
	switch {
	case from == to:
	case a.Default == nil:
		w.add(w.unlessSeen(Wider, b, true, path), path, "default "+to)
		w.changes[len(w.changes)-1].AddsDefault = true
	case b.Default == nil:
		w.add(w.unlessSeen(Narrower, a, false, path), path, "no default, it was "+from)
	default:
		w.add(Unknown, path, fmt.Sprintf("default %s → %s", from, to))
	}
}

// unlessSeen returns the effect of a default that only one side has: Other if something that looks
// at the field may refuse the default.
func (w *walker) unlessSeen(effect Effect, with *spec.Schema, isB bool, path string) Effect {
	if w.defaultHolds(with, isB, path, true) {
		return effect
	}
	return Other
}

// defaultHolds reports whether an object without a field that the side without the default accepts
// is provably also accepted with the default. If the other side does not declare the field, rules
// about it are changes of their own, and ruled is false.
func (w *walker) defaultHolds(with *spec.Schema, isB bool, path string, ruled bool) bool {
	of, other := w.ofB, w.ofA
	if !isB {
		of, other = other, of
	}
	whole := &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}, Properties: map[string]spec.Schema{"value": *with}}}
	source := AnySchema
	if w.semantics == declarative.CustomResources {
		source = OfDefinition
	}
	if strings.Contains(asJSON(with), "oldSelf") {
		return false // a rule that compares the default with the old value
	}
	side, err := Compile(whole, of(with).Definitions, source)
	if err != nil || len(side.Validate(context.Background(), map[string]any{})) > 0 {
		return false
	}
	for i, up := range w.above {
		has, lacks := of(up.b), other(up.a)
		if !isB {
			has, lacks = of(up.a), other(up.b)
		}
		steps := tokens(path)[len(tokens(up.path)):]
		if i == len(w.above)-1 && has.MaxProperties != nil || !keywordsHold(has.Schema) || ruled &&
			!rulesHold(has, lacks, steps, with.Default) {
			return false
		}
	}
	return true
}

// keywordsHold reports whether no keyword of a schema looks at a field that a default fills in.
func keywordsHold(of *spec.Schema) bool {
	_, unions := of.Extensions[openapi.XUnions]
	return len(of.AllOf)+len(of.AnyOf)+len(of.OneOf) == 0 && of.Not == nil && !unions
}

// rulesHold reports whether the rules of a schema provably hold for every value that another schema
// accepts without a field, if a default sets the field.
func rulesHold(of, accepted proof.Schema, steps []string, value any) bool {
	var by []celexpr.Expr
	for _, rule := range rules(accepted.Schema) {
		if rule.expr != nil && !rule.updates {
			by = append(by, rule.expr)
		}
	}
	chain := !slices.ContainsFunc(steps, func(step string) bool { return step == "*" || step == "[*]" })
	for _, rule := range rules(of.Schema) {
		if rule.expr == nil || rule.updates || !chain || !celproof.HoldsWithDefault(rule.expr, by, of, accepted, steps, value) {
			return false
		}
	}
	return true
}
