package proposal

import (
	"slices"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
	"github.com/diffrun/diffrun/internal/infer/search"
	"github.com/diffrun/diffrun/internal/object"
)

// A Go type with omitempty has one value for a field that is absent and for one that has the zero value, so its validator accepts
// updates from one to the other. A rule that asks has() sees two values, and an exploration seldom makes both objects.

// mostZeroUpdates bounds the accepted objects that are updated for one field.
const mostZeroUpdates = 12

// zeroUpdates returns updates of accepted objects that take a field with the zero value out, or set one to it: of each field that
// a rule about updates reads.
func (pr *Prover) zeroUpdates(of []*Rule) (all []explore.Input) {
	known := map[string]bool{}
	for _, rule := range of {
		if rule.Validation == nil {
			continue
		}
		looks := celexpr.Read(celexpr.Parse(rule.Validation.Rule), nil)
		for _, path := range looks.Paths {
			at := rule.At.Below(path...)
			if looks.Transition && !known[at.String()] {
				known[at.String()] = true
				all = append(all, pr.zeroUpdatesOf(at)...)
			}
		}
	}
	return all
}

func (pr *Prover) zeroUpdatesOf(at evidence.Place) (all []explore.Input) {
	zero := rules.ZeroOf(rules.KindOf(at.Schema(pr.version.Schema)))
	if zero == nil || len(at) == 0 || at[len(at)-1] == evidence.AnyItem {
		return nil
	}
	type part struct {
		of    *evidence.Sample
		field object.Path
	}
	var parts []part
	for _, s := range pr.Evidence.Samples {
		if !s.Accepted || s.Masked {
			continue
		}
		for _, around := range evidence.Instances(s.Object, at.Parent()) {
			parts = append(parts, part{s, around.Path.Field(at[len(at)-1])})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return a.of.Size - b.of.Size })
	for _, p := range search.Spread(parts, mostZeroUpdates) {
		stored := evidence.Stored(p.of.Object)
		with, without := p.field.Put(stored, zero), p.field.Delete(stored)
		all = append(all, explore.Input{Object: without, Old: with}, explore.Input{Object: with, Old: without})
	}
	return all
}
