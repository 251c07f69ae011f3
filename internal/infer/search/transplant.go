package search

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/object"
)

// form returns a text that is the same for places with equal schemas.
func (f *Finder) form(at evidence.Place) string {
	name := at.String()
	form, known := f.forms[name]
	if !known {
		if schema := at.Schema(f.evidence.Target.Document.Root); schema != nil {
			shape := *schema
			shape.Description = ""
			data, _ := json.Marshal(&shape)
			form = string(data)
		}
		f.forms[name] = form
	}
	return form
}

// Bounds of the values that are put into other places.
const (
	mostTransplanted = 6 // accepted values, and refused ones
	mostReceivers    = 3 // objects
)

// transplant asks about accepted objects with values from other places with the same schema, if too little is known
// about a scope.
func (f *Finder) transplant(ctx context.Context, s *Subject, u *Universe) error {
	u.extend(s.Facts.Evidence.Samples)
	l := u.labelsOf(s)
	if l.accepted.count() >= mostTransplanted && !l.Refused.empty() {
		return nil
	}
	var values []any
	for _, name := range slices.Sorted(maps.Keys(f.Universes)) {
		from := f.Universes[name]
		if name != s.Facts.Scope.String() && f.form(from.scope) == f.form(s.Facts.Scope) {
			values = append(values, f.typical(s, from)...)
		}
	}
	if len(values) == 0 {
		return nil
	}
	var inputs []explore.Input
	for _, receiver := range f.receivers(s.Facts.Scope) {
		for _, value := range values {
			if object, ok := planted(receiver.Object, s.Facts.Scope, value).(map[string]any); ok {
				inputs = append(inputs, explore.Input{Object: object})
			}
		}
	}
	_, err := f.evidence.Ask(ctx, inputs)
	return err
}

// typical returns values at a scope: accepted ones, and some with the error of a subject there.
func (f *Finder) typical(s *Subject, from *Universe) (values []any) {
	from.extend(f.evidence.Samples)
	var l labels
	for _, of := range f.evidence.Sites {
		if of.Key.Typ != s.Facts.Site.Key.Typ || of.Key.Detail != s.Facts.Site.Key.Detail {
			continue
		}
		for _, at := range of.Places(f.evidence.Target.Document.Root) {
			if other := newSubject(f.evidence, of, at, from.scope); other != nil {
				one := from.labelsOf(other)
				l.accepted, l.Refused = l.accepted.or(one.accepted), l.Refused.or(one.Refused)
			}
		}
	}
	for _, rows := range []bits{l.accepted, l.Refused} {
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
func (f *Finder) receivers(at evidence.Place) []*evidence.Sample {
	var all []*evidence.Sample
	depth := map[*evidence.Sample]int{}
	for _, s := range f.evidence.Samples {
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
func planted(in any, at evidence.Place, value any) any {
	if len(at) == 0 {
		return value
	}
	if at[0] == evidence.AnyItem {
		if entries, isMap := in.(map[string]any); isMap && len(entries) > 0 {
			key := evidence.SortedKeys(entries)[0]
			return object.Of(key).Set(entries, planted(entries[key], at[1:], value))
		}
		list, _ := in.([]any)
		if len(list) == 0 {
			return []any{planted(nil, at[1:], value)}
		}
		list = slices.Clone(list)
		list[0] = planted(list[0], at[1:], value)
		return list
	}
	fields, _ := in.(map[string]any)
	return at[:1].Path().Set(fields, planted(fields[at[0]], at[1:], value))
}
