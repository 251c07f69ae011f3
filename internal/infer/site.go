package infer

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

// site is a place and a reason for which the native validator refuses objects, and the schema does
// not.
type site struct {
	key siteKey
	// field is the place of its errors.
	field mendedField
	// first is the error of the smallest input, which is example with the size.
	first    *field.Error
	example  explore.Input
	size     int
	reported int
	// spent is true if the work for the site did not suffice.
	spent bool
	// contradicted is true if every hypothesis was contradicted. More objects cannot change that.
	contradicted bool
	// ofSender is true if the native validator accepts an object with its errors from another sender.
	ofSender bool
	// fills are what the errors have in the holes of a general text; nil at a hole: it varies.
	fills []*string
	// constants are those of the function that makes the errors, if its source is known.
	constants errorsites.Constants
	// creates is true if the errors are about new objects only.
	creates bool
	// alone reports whether the schema accepts one of the objects. It runs no rules on objects with other errors, so those
	// show no lack.
	alone bool
	// likelyPlaces are the places that the errors are about, the likeliest first, if they have no path.
	likelyPlaces []place
}

// name returns the place of the errors or, if they have none, the beginning of the text of one.
func (s *site) name() string {
	if s.key.place != "" {
		return s.key.place
	}
	text := []rune(s.first.Detail)
	return strconv.Quote(string(text[:min(len(text), longestName)]))
}

// longestName bounds the text of a site's name.
const longestName = 60

// compare orders sites by their fields.
func (s *site) compare(other *site) int {
	return cmp.Or(fieldpath.Compare(s.key.place, other.key.place), strings.Compare(string(s.key.typ)+s.first.Detail, string(other.key.typ)+other.first.Detail))
}

// mendedField is the place that the path of an error is about, as far as the schema knows it.
type mendedField struct {
	place place
	// steps are the indices of the steps of the path that lead there.
	steps []int
	// known is how many of them lead to a schema. Hand-written code often forgets a field on the way, as in
	// "spec.rules[0][1]" for a filter of a rule.
	known int
	// lost is true if the path repeats steps that have indices, so that nobody knows which of them is meant.
	lost bool
}

// mendField returns the place of a path. Hand-written code often appends to the path of an earlier error, as in
// "spec.rules[0].backendRefs[1].backendRefs[0].port". If the schema does not know such a path, but the one without
// repetitions, this is the place.
func mendField(root *spec.Schema, path string) mendedField {
	said := placeOf(fieldpath.Canonical(path))
	f := mendedField{place: said, known: known(root, said)}
	for n := range said {
		f.steps = append(f.steps, n)
	}
	shorter := f
	for shorter.known < len(shorter.place) && shorter.dropRepetition() {
		shorter.known = known(root, shorter.place)
	}
	if shorter.known == len(shorter.place) {
		return shorter
	}
	return f
}

// longestRepetition is how many steps of a path may be repeated.
const longestRepetition = 3

// dropRepetition drops steps that the path has twice in a row. It reports whether there are any.
func (f *mendedField) dropRepetition() bool {
	for length := 1; length <= longestRepetition; length++ {
		for at := 0; at+2*length <= len(f.place); at++ {
			block := f.place[at : at+length]
			if slices.Equal(block, f.place[at+length:at+2*length]) && (length > 1 || block[0] != anyItem) {
				f.lost = f.lost || slices.Contains(block, anyItem)
				f.place, f.steps = slices.Delete(slices.Clone(f.place), at, at+length), slices.Delete(slices.Clone(f.steps), at, at+length)
				return true
			}
		}
	}
	return false
}

// places returns the places that the errors may be about. If the path lacks a field, each field that leads to a
// place of the schema is one, those first whose fields the text names.
func (s *site) places(root *spec.Schema) []place {
	said, n := s.field.place, s.field.known
	if n == len(said) {
		return append(slices.Clone(s.likelyPlaces), said)
	}
	var all []place
	around := said[:n]
	for _, name := range slices.Sorted(maps.Keys(around.schema(root).Properties)) {
		mended := slices.Concat(around, place{name}, said[n:])
		if known(root, mended) == len(mended) {
			all = append(all, mended)
		}
	}
	if len(all) == 0 {
		return []place{around}
	}
	words := wordsOf(s.first.Detail)
	named := func(at place) (sum int) {
		for name := range at.schema(root).Properties {
			if words[strings.ToLower(name)] {
				sum++
			}
		}
		return sum
	}
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(named(b), named(a)) })
	if most := named(all[0]); most > 0 {
		all = slices.DeleteFunc(all, func(at place) bool { return named(at) == 0 })
	}
	return all
}

// known returns how many steps of a place lead to a schema.
func known(root *spec.Schema, at place) int {
	for n := range at {
		if at[:n+1].schema(root) == nil {
			return n
		}
	}
	return len(at)
}

// mended returns the path of an error in one of the places of its site. It returns false if nobody knows the indices.
func (s *site) mended(root *spec.Schema, path string, at place) (string, bool) {
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
		if i == f.known && f.known < len(f.place) && len(at) == len(f.place)+1 {
			write(fieldpath.Step{Text: at[i]})
		}
		if i >= len(at) {
			break
		}
		write(concrete[step])
	}
	return out.String(), true
}
