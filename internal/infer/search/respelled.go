package search

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// A validator may take several spellings for one text: it compares without case, cuts blanks, counts bytes, or parses leniently.
// A rule that compares the texts refuses them. So the texts that a hypothesis reads are spelt otherwise, and the native
// validator is asked about them.

// Bounds of the spellings of one hypothesis.
const (
	mostRespelled  = 240
	mostSpelt      = 6   // texts
	longestRepeats = 300 // characters of a text that a bound is about
)

// respell asks about objects of the chosen hypotheses with other spellings of the texts that these read and compare with.
func (s *Subject) respell(ctx context.Context, x *Explanation) error {
	for _, h := range x.Chosen {
		if s.respelled[h.Expr()] {
			continue
		}
		var inputs []explore.Input
		known := map[string]bool{}
		add := func(base row, field evidence.Place, to any) {
			in, ok := base.changed(rules.Try{{Field: field, To: to}}, h.isUpdate())
			if key := evidence.KeyOf(in); ok && !known[key] {
				known[key], inputs = true, append(inputs, in)
			}
		}
		for _, base := range x.firstOfBoth() {
			for _, field := range h.keyed() {
				for _, entries := range s.otherEntries(field) {
					add(base, field, entries)
				}
			}
			spellings := s.spellings(h, base)
			for _, field := range h.texts() {
				value, _ := field.Path().Get(base.self)
				for _, spelling := range spellings {
					add(base, field, respelt(s.Facts.KindOf(field), value, spelling))
				}
			}
		}
		if _, err := s.Facts.Evidence.Ask(ctx, Spread(inputs, mostRespelled)); err != nil {
			return err
		}
		s.respelled[h.Expr()] = true
	}
	return nil
}

// keyed returns the labels and annotations that a hypothesis reads, each once, also if it reads one key alone.
func (h *Hypothesis) keyed() (all []evidence.Place) {
	for _, part := range h.Parts {
		for _, field := range part.Fields {
			for n := 2; n <= len(field); n++ {
				isKeyed := field[n-2] == "metadata" && (field[n-1] == "labels" || field[n-1] == "annotations")
				if isKeyed && !slices.ContainsFunc(all, func(known evidence.Place) bool { return slices.Equal(known, field[:n]) }) {
					all = append(all, field[:n])
				}
			}
		}
	}
	return all
}

// otherEntries returns labels or annotations that a validator may not mean by those of its objects: none, a key that no
// object has, and each known key with other values.
func (s *Subject) otherEntries(field evidence.Place) []map[string]any {
	all := []map[string]any{{}, {unknownKey: "x"}, {unknownKey: ""}}
	if of := s.Facts.SchemaAt(field); of != nil {
		for _, key := range slices.Sorted(maps.Keys(of.Properties)) {
			all = append(all, map[string]any{key: ""}, map[string]any{key: "x"}, map[string]any{key: "true"}, map[string]any{key: "false"})
		}
	}
	return all
}

// unknownKey is a label that no validator knows.
const unknownKey = "diffrun"

// firstOfBoth returns a small row of an accepted object, and one at which the error is reported.
func (x *Explanation) firstOfBoth() (both []row) {
	for _, of := range []bits{x.Labels.accepted, x.Labels.Refused} {
		if at := slices.IndexFunc(x.bases(), func(r row) bool { return of.has(x.universe.indexOf(r)) }); at >= 0 {
			both = append(both, x.bases()[at])
		}
	}
	return both
}

// texts returns the fields with texts that a hypothesis reads, each once: also lists and maps of them.
func (h *Hypothesis) texts() (all []evidence.Place) {
	s := h.Subject
	for _, part := range h.Parts {
		for _, field := range part.Fields {
			k := s.Facts.KindOf(field)
			if k == rules.List || k == rules.Mapping {
				k = rules.KindOf(evidence.SchemaBelow(s.Facts.SchemaAt(field), evidence.AnyItem))
			}
			if k == rules.Text && len(field) > 0 && !slices.ContainsFunc(all, func(known evidence.Place) bool {
				return slices.Equal(known, field)
			}) {
				all = append(all, field)
			}
		}
	}
	return all
}

// spellings returns other spellings of the texts in a hypothesis, and in a row that it reads. The lengths in it become texts of
// that many letters of one, two and four bytes.
func (s *Subject) spellings(h *Hypothesis, base row) (all []string) {
	var words []string
	for e := range celexpr.Parts(h.Refuses()) {
		switch value := celexpr.ValueOf(e).(type) {
		case string:
			if !strings.ContainsAny(value, `^$\[]()`) { // a pattern
				words = append(words, value)
			}
		case int64:
			for _, letter := range []string{"a", "é", "e\u0301", "😀"} {
				if n := int(value); n > 0 && n <= longestRepeats {
					all = append(all, strings.Repeat(letter, n), strings.Repeat(letter, n+1), strings.Repeat(letter, (n+1)/2))
				}
			}
		}
	}
	for _, field := range h.texts() {
		value, _ := field.Path().Get(base.self)
		evidence.Collect(value, &words)
		accepted := rules.AcceptedTexts(s.Facts, field)
		words = append(words, accepted[:min(len(accepted), mostSpelt/2)]...)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	for _, word := range words[:min(len(words), mostSpelt)] {
		all = append(append(all, word), explore.Respelled(word)...)
	}
	return all
}

// respelt returns a value of some kind with a text in place of its own, of its first item, or of its first key.
func respelt(of rules.Kind, value any, spelling string) any {
	switch of {
	case rules.List:
		items, _ := value.([]any)
		return append([]any{spelling}, items[min(len(items), 1):]...)
	case rules.Mapping:
		entries, _ := value.(map[string]any)
		out := map[string]any{spelling: ""}
		for n, key := range evidence.SortedKeys(entries) {
			if n == 0 {
				out[spelling] = entries[key]
			} else {
				out[key] = entries[key]
			}
		}
		return out
	}
	return spelling
}
