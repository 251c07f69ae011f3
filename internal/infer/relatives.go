package infer

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// relatives returns explanations of the same error at places with the schema of a subject's scope. Hand-written code
// calls one function for fields of one type.
func (i *inference) relatives(s *subject) (all []*explanation) {
	for _, of := range slices.SortedStableFunc(slices.Values(i.evidence.Sites), (*evidence.Site).Compare) {
		if of.Key.Typ != s.facts.Site.Key.Typ || of.Key.Detail != s.facts.Site.Key.Detail {
			continue
		}
		for _, x := range i.explained[of] {
			other := x.subject
			if len(x.chosen) > 0 && !slices.Equal(other.facts.Scope, s.facts.Scope) && slices.Equal(other.facts.Target, s.facts.Target) && i.form(other.facts.Scope) == i.form(s.facts.Scope) {
				all = append(all, x)
			}
		}
	}
	return all
}

// form returns a text that is the same for places with equal schemas.
func (i *inference) form(at evidence.Place) string {
	name := at.String()
	form, known := i.forms[name]
	if !known {
		if schema := at.Schema(i.evidence.Target.Document.Root); schema != nil {
			shape := *schema
			shape.Description = ""
			data, _ := json.Marshal(&shape)
			form = string(data)
		}
		i.forms[name] = form
	}
	return form
}

// explainAsKnown explains a site as the same error at other places. Its hypotheses need the same proof.
func (s *subject) explainAsKnown(ctx context.Context, x *explanation) {
	var sound []*hypothesis
	for _, known := range s.known {
		for _, h := range known.chosen {
			x.universe.evaluate(ctx, exprsOf(h.parts), x.labels.known())
			if mine := x.consider(h.parts); mine != nil {
				sound = append(sound, mine)
			}
		}
	}
	x.choose(sound)
}

// Bounds of the values that are put into other places.
const (
	mostTransplanted = 6 // accepted values, and refused ones
	mostReceivers    = 3 // objects
)

// transplant asks about accepted objects with values from other places with the same schema, if too little is known
// about a scope.
func (i *inference) transplant(ctx context.Context, s *subject, u *universe) error {
	u.extend(s.facts.Evidence.Samples)
	l := u.labelsOf(s)
	if l.accepted.count() >= mostTransplanted && !l.refused.empty() {
		return nil
	}
	var values []any
	for _, name := range slices.Sorted(maps.Keys(i.universes)) {
		from := i.universes[name]
		if name != s.facts.Scope.String() && i.form(from.scope) == i.form(s.facts.Scope) {
			values = append(values, i.typical(s, from)...)
		}
	}
	if len(values) == 0 {
		return nil
	}
	var inputs []explore.Input
	for _, receiver := range i.receivers(s.facts.Scope) {
		for _, value := range values {
			if object, ok := planted(receiver.Object, s.facts.Scope, value).(map[string]any); ok {
				inputs = append(inputs, explore.Input{Object: object})
			}
		}
	}
	_, err := i.evidence.Ask(ctx, inputs)
	return err
}

// typical returns values at a scope: accepted ones, and some with the error of a subject there.
func (i *inference) typical(s *subject, from *universe) (values []any) {
	from.extend(i.evidence.Samples)
	var l labels
	for _, of := range i.evidence.Sites {
		if of.Key.Typ != s.facts.Site.Key.Typ || of.Key.Detail != s.facts.Site.Key.Detail {
			continue
		}
		for _, at := range of.Places(i.evidence.Target.Document.Root) {
			if other := newSubject(i.evidence, of, at, from.scope); other != nil {
				one := from.labelsOf(other)
				l.accepted, l.refused = l.accepted.or(one.accepted), l.refused.or(one.refused)
			}
		}
	}
	for _, rows := range []bits{l.accepted, l.refused} {
		n := 0
		for at, r := range from.rows {
			if rows.has(at) && n < mostTransplanted && r.self != nil {
				values = append(values, r.self)
				n++
			}
		}
	}
	return values
}

// receivers returns small accepted objects that have most of the way to a place.
func (i *inference) receivers(at evidence.Place) []*evidence.Sample {
	var all []*evidence.Sample
	depth := map[*evidence.Sample]int{}
	for _, s := range i.evidence.Samples {
		if s.Accepted && !s.Masked && s.Old == nil {
			all = append(all, s)
			for n := range at {
				if len(evidence.Instances(s.Object, at[:n+1])) == 0 {
					break
				}
				depth[s] = n + 1
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *evidence.Sample) int {
		if depth[a] != depth[b] {
			return depth[b] - depth[a]
		}
		return a.Size - b.Size
	})
	return all[:min(len(all), mostReceivers)]
}

// planted returns an object with a value at a place: instead of the first one there, or with what is missing on the way.
func planted(object any, at evidence.Place, value any) any {
	if len(at) == 0 {
		return value
	}
	if at[0] == evidence.AnyItem {
		if entries, isMap := object.(map[string]any); isMap && len(entries) > 0 {
			key := evidence.SortedKeys(entries)[0]
			return evidence.Steps{key}.Set(entries, planted(entries[key], at[1:], value))
		}
		list, _ := object.([]any)
		if len(list) == 0 {
			return []any{planted(nil, at[1:], value)}
		}
		list = slices.Clone(list)
		list[0] = planted(list[0], at[1:], value)
		return list
	}
	fields, _ := object.(map[string]any)
	return evidence.Steps{at[0]}.Set(fields, planted(fields[at[0]], at[1:], value))
}
