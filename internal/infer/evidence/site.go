package evidence

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
)

// Site is a place and a reason for which the native validator refuses objects, and the schema does
// not.
type Site struct {
	Key SiteKey
	// Field is the place of its errors.
	Field mendedField
	// First is the error of the smallest input, which is example with the size.
	First    *field.Error
	Example  explore.Input
	size     int
	reported int
	// Spent is true if the work for the site did not suffice.
	Spent bool
	// Contradicted is true if every hypothesis was contradicted. More objects cannot change that.
	Contradicted bool
	// OfSender is true if the native validator accepts an object with its errors from another sender.
	OfSender bool
	// fills are what the errors have in the holes of a general text; nil at a hole: it varies.
	fills []*string
	// Constants are those of the function that makes the errors, if its source is known.
	Constants errorsites.Constants
	// Creates is true if the errors are about new objects only.
	Creates bool
	// Alone reports whether the schema accepts one of the objects. It runs no rules on objects with other errors, so those
	// show no lack.
	Alone bool
	// LikelyPlaces are the places that the errors are about, the likeliest first, if they have no path.
	LikelyPlaces []Place
}

// Name returns the place of the errors or, if they have none, the beginning of the text of one.
func (s *Site) Name() string {
	if s.Key.Place != "" {
		return s.Key.Place
	}
	text := []rune(s.First.Detail)
	return strconv.Quote(string(text[:min(len(text), longestName)]))
}

// IsMisplaced reports whether the errors have the path of a field that the schema does not have, so that a keyword would report
// another path.
func (s *Site) IsMisplaced() bool { return s.Field.Known > 0 && s.Key.Place != s.Field.Place.String() }

// longestName bounds the text of a site's name.
const longestName = 60

// Compare orders sites by their fields.
func (s *Site) Compare(other *Site) int {
	return cmp.Or(fieldpath.Compare(s.Key.Place, other.Key.Place), strings.Compare(string(s.Key.Typ)+s.First.Detail,
		string(other.Key.Typ)+other.First.Detail))
}

// mendedField is the place that the path of an error is about, as far as the schema knows it.
type mendedField struct {
	Place Place
	// steps are the indices of the steps of the path that lead there.
	steps []int
	// Known is how many of them lead to a schema. Hand-written code often forgets a field on the way, as in
	// "spec.rules[0][1]" for a filter of a rule.
	Known int
	// lost is true if the path repeats steps that have indices, so that it is not known which of them is meant.
	lost bool
}

// mendField returns the place of a path. Hand-written code often appends to the path of an earlier error, as in
// "spec.rules[0].backendRefs[1].backendRefs[0].port". If the schema does not know such a path, but the one without
// repetitions, this is the place.
func mendField(root *spec.Schema, path string) mendedField {
	said := PlaceOf(fieldpath.Canonical(path))
	f := mendedField{Place: said, Known: known(root, said)}
	for n := range said {
		f.steps = append(f.steps, n)
	}
	shorter := f
	for shorter.Known < len(shorter.Place) && shorter.dropRepetition() {
		shorter.Known = known(root, shorter.Place)
	}
	if shorter.Known == len(shorter.Place) {
		return shorter
	}
	return f
}

// longestRepetition is how many steps of a path may be repeated.
const longestRepetition = 3

// dropRepetition drops steps that the path has twice in a row. It reports whether there are any.
func (f *mendedField) dropRepetition() bool {
	for length := 1; length <= longestRepetition; length++ {
		for at := 0; at+2*length <= len(f.Place); at++ {
			block := f.Place[at : at+length]
			if slices.Equal(block, f.Place[at+length:at+2*length]) && (length > 1 || block[0] != AnyItem) {
				f.lost = f.lost || slices.Contains(block, AnyItem)
				f.Place, f.steps = slices.Delete(slices.Clone(f.Place), at, at+length), slices.Delete(slices.Clone(f.steps), at, at+length)
				return true
			}
		}
	}
	return false
}

// Places returns the places that the errors may be about. If the path lacks a field, each field that leads to a
// place of the schema is one, those first whose fields the text names.
func (s *Site) Places(root *spec.Schema) []Place {
	said, n := s.Field.Place, s.Field.Known
	if n == len(said) {
		return append(slices.Clone(s.LikelyPlaces), said)
	}
	var all []Place
	around := said[:n]
	for _, name := range slices.Sorted(maps.Keys(around.Schema(root).Properties)) {
		mended := slices.Concat(around, Place{name}, said[n:])
		if known(root, mended) == len(mended) {
			all = append(all, mended)
		}
	}
	if len(all) == 0 {
		return []Place{around}
	}
	words := WordsOf(s.First.Detail)
	named := func(at Place) (sum int) {
		for name := range at.Schema(root).Properties {
			if words[strings.ToLower(name)] {
				sum++
			}
		}
		return sum
	}
	slices.SortStableFunc(all, func(a, b Place) int { return cmp.Compare(named(b), named(a)) })
	if most := named(all[0]); most > 0 {
		all = slices.DeleteFunc(all, func(at Place) bool { return named(at) == 0 })
	}
	return all
}

// known returns how many steps of a place lead to a schema.
func known(root *spec.Schema, at Place) int {
	for n := range at {
		if at[:n+1].Schema(root) == nil {
			return n
		}
	}
	return len(at)
}

// Mended returns the path of an error in one of the places of its site. It returns false if the indices are not known.
func (s *Site) Mended(root *spec.Schema, path string, at Place) (string, bool) {
	f := mendField(root, path)
	if f.lost {
		return "", false
	}
	concrete := fieldpath.Split(fieldpath.Canonical(path))
	var out strings.Builder
	write := func(step fieldpath.Step) {
		switch {
		case step.Bracket:
			out.WriteString("[" + step.Text + "]")
		case out.Len() > 0:
			out.WriteString("." + step.Text)
		default:
			out.WriteString(step.Text)
		}
	}
	for i, step := range f.steps {
		if i == f.Known && f.Known < len(f.Place) && len(at) == len(f.Place)+1 {
			write(fieldpath.Step{Text: at[i]})
		}
		if i >= len(at) {
			break
		}
		write(concrete[step])
	}
	return out.String(), true
}
