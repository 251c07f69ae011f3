package infer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// A hypothesis may fit only because no object had other values of a field that it does not read: an index that must be
// below a number of replicas looks as if it must be zero while nothing has replicas. So the fields elsewhere in refused
// objects are varied, alone, in groups and in pairs, as long as the hypothesis says that the object is refused. If the native
// validator accepts one of them, the hypothesis is wrong.

// Varied says which other fields of refused objects were varied: the error stayed, or others hid it.
type Varied struct {
	// Fields are their places, and Left counts those that were left out, because there are too many.
	Fields []string `json:"fields"`
	Left   int      `json:"left,omitempty"`
	// Objects counts the objects that the native validator was asked about.
	Objects int `json:"objects"`
}

// variation is another value of a field.
type variation struct {
	axis int // variations of one field exclude each other
	at   place
	path steps
	to   any
}

// Bounds of the variations of one refused object.
const (
	mostVariedBases = 2
	mostAxes        = 150
	mostOfVaried    = 6  // values of a field
	mostAtOnce      = 8  // variations in a group
	mixedObjects    = 24 // with about half of all variations, or some
	mostHiding      = 24 // variations behind which other errors hide the error
	mostVariedPairs = 120
	mostOfStage     = 300 // objects that are asked about
)

// vary varies the other fields of objects that the chosen hypotheses explain. It ends at an object that contradicts one.
func (s *subject) vary(ctx context.Context, x *explanation) error {
	for _, h := range x.chosen {
		if s.varied[h.expr()] != nil {
			continue
		}
		p := x.universe.compile([]string{h.expr()})
		if p == nil {
			continue
		}
		out := &Varied{}
		for _, base := range s.variedBases(x, h) {
			v := &varying{subject: s, universe: x.universe, probe: p, base: base, out: out}
			if accepted, err := v.run(ctx, h); err != nil || accepted {
				return err
			}
		}
		slices.Sort(out.Fields)
		out.Fields = slices.Compact(out.Fields)
		s.varied[h.expr()] = out
	}
	return nil
}

// variedBases returns refused objects that a hypothesis explains: the smallest one and the largest one of those that differ
// from an accepted object in one place, because nothing else is wrong with them.
func (s *subject) variedBases(x *explanation, h *hypothesis) []*sample {
	rows := h.holds.and(x.labels.alone)
	if rows.empty() {
		rows = h.holds.and(x.labels.refused)
	}
	var all []*sample
	for n, r := range x.universe.rows {
		if rows.has(n) && !slices.Contains(all, r.of) {
			all = append(all, r.of)
		}
	}
	slices.SortStableFunc(all, func(a, b *sample) int {
		return cmp.Or(boolRank((a.Old != nil) == h.isUpdate())-boolRank((b.Old != nil) == h.isUpdate()), a.size-b.size)
	})
	isNear := func(one *sample) bool { return len(s.differing(one)) > 0 }
	some := slices.Clone(all[:min(len(all), mostOfASite/10)])
	var bases []*sample
	if n := slices.IndexFunc(some, isNear); n >= 0 {
		bases = append(bases, some[n])
	}
	slices.Reverse(some)
	if n := slices.IndexFunc(some, isNear); n >= 0 && !slices.Contains(bases, some[n]) {
		bases = append(bases, some[n])
	}
	for _, one := range all {
		if len(bases) < mostVariedBases && !slices.Contains(bases, one) {
			bases = append(bases, one)
		}
	}
	return bases
}

// varying varies the fields of one object.
type varying struct {
	*subject
	universe *universe
	probe    *probe
	base     *sample
	out      *Varied
	// harmless are the variations after which the object has the same errors, and hiding those after which it has others.
	harmless, hiding []variation
}

// run varies fields alone and in groups, all of them at once, and those that hide the error together with others. It reports
// whether the native validator accepts one of the objects.
func (v *varying) run(ctx context.Context, h *hypothesis) (accepted bool, err error) {
	alone := func() [][]variation { return together(v.variations(h)) }
	for _, stage := range []func() [][]variation{alone, v.mixed, v.pairs} {
		if accepted, err = v.try(ctx, stage()); err != nil || accepted {
			return accepted, err
		}
	}
	for _, one := range slices.Concat(v.harmless, v.hiding) {
		if !h.reads(one.at) {
			v.out.Fields = append(v.out.Fields, one.at.String())
		}
	}
	return false, ctx.Err()
}

// with returns the object with variations. It returns false if the schema refuses it, or if the hypothesis says nothing about
// it any more.
func (v *varying) with(ctx context.Context, all []variation) (explore.Input, bool) {
	in := v.base.Input
	for _, one := range all {
		in.Object, _ = one.path.set(in.Object, one.to).(map[string]any)
		if twin := v.twinOf(one.path); twin != nil {
			in.Object, _ = twin.set(in.Object, one.to).(map[string]any)
		}
		if in.Old != nil && v.isKept(one.path) {
			in.Old, _ = one.path.set(in.Old, one.to).(map[string]any)
		}
	}
	s := &sample{Input: in}
	if ctx.Err() != nil || in.Object == nil || !v.isRequest(in) || !v.canBeStored(in) || !v.decode(s) {
		return in, false
	}
	if len(v.today(ctx, s.object, s.old)) > 0 {
		return in, false
	}
	return in, slices.ContainsFunc(v.universe.rowsOf(s), func(r row) bool { return len(v.probe.holding(ctx, r)) > 0 })
}

// isKept reports whether the update leaves a field as it is.
func (v *varying) isKept(path steps) bool {
	now, has := path.at(v.base.Object)
	before, had := path.at(v.base.Old)
	return has == had && equal(now, before)
}

// twinOf returns the path of the same field before an update, if the object is a request that keeps it; nil: it does not.
func (v *varying) twinOf(path steps) steps {
	if v.requests == nil || len(path) < 2 || path[0] != fieldObject {
		return nil
	}
	if _, isUpdate := v.base.Object[fieldOldObject]; !isUpdate {
		return nil
	}
	twin := steps{fieldOldObject}.and(path[1:]...)
	now, has := path.at(v.base.Object)
	before, had := twin.at(v.base.Object)
	if has != had || !equal(now, before) {
		return nil
	}
	return twin
}

// try asks about the object with groups of variations, and about the halves of groups that hide the error.
func (v *varying) try(ctx context.Context, groups [][]variation) (accepted bool, err error) {
	for left := mostOfStage; len(groups) > 0 && left > 0; {
		var inputs []explore.Input
		var sent, next [][]variation
		halve := func(group []variation) {
			if n := len(group) / 2; n > 0 {
				next = append(next, group[:n], group[n:])
			}
		}
		for _, group := range groups[:min(len(groups), left)] {
			if in, ok := v.with(ctx, group); ok {
				inputs, sent = append(inputs, in), append(sent, group)
			} else {
				halve(group)
			}
		}
		answers, err := v.glance(ctx, inputs)
		if err != nil {
			return false, err
		}
		left, v.out.Objects = left-len(inputs), v.out.Objects+len(inputs)
		for n, s := range answers {
			switch {
			case s == nil:
			case s.accepted:
				return true, nil
			case len(s.reported) <= len(v.base.reported) && slices.ContainsFunc(s.reported, func(r reported) bool { return r.site == v.site.key }):
				v.harmless = append(v.harmless, sent[n]...)
			case len(sent[n]) == 1:
				v.hiding = append(v.hiding, sent[n]...)
			default:
				halve(sent[n])
			}
		}
		groups = next
	}
	return false, nil
}

// together puts variations of different fields together.
func together(all []variation) (groups [][]variation) {
	for _, one := range all {
		at := slices.IndexFunc(groups, func(group []variation) bool { return len(group) < mostAtOnce && fits(group, one) })
		if at < 0 {
			at, groups = len(groups), append(groups, nil)
		}
		groups[at] = append(groups[at], one)
	}
	return groups
}

// fits reports whether a variation can be beside others: none of them is of the same field, or of one around or in it.
func fits(group []variation, one variation) bool {
	return !slices.ContainsFunc(group, func(other variation) bool {
		n := min(len(one.path), len(other.path))
		return one.axis == other.axis || slices.Equal(one.path[:n], other.path[:n])
	})
}

// mixed returns random sets of the harmless variations, so that any two of them are likely to be in one set.
func (v *varying) mixed() (groups [][]variation) {
	all := slices.Clone(v.harmless)
	slices.SortStableFunc(all, func(a, b variation) int { return a.axis - b.axis })
	all = slices.CompactFunc(all, func(a, b variation) bool { return a.axis == b.axis && equal(a.to, b.to) })
	v.harmless = all
	if len(all) < 2 {
		return nil
	}
	random := generate.Seeded(v.options.Seed)
	for n := range mixedObjects {
		var group []variation
		for _, at := range shuffled(random, len(all)) {
			if random.IntN(2+n%3) == 0 && fits(group, all[at]) {
				group = append(group, all[at])
			}
		}
		if len(group) > 1 {
			groups = append(groups, group)
		}
	}
	return groups
}

// shuffled returns the numbers below n in a random order.
func shuffled(random generate.Source, n int) []int {
	all := make([]int, n)
	for i := range all {
		at := random.IntN(i + 1)
		all[i], all[at] = all[at], i
	}
	return all
}

// pairs returns the variations that hide the error beside each other, those with equal values first, and each of them beside
// the two halves of a random set of the others: these may cure the error that hides it.
func (v *varying) pairs() (groups [][]variation) {
	hiding := v.hiding[:min(len(v.hiding), mostHiding)]
	random := generate.Seeded(v.options.Seed + 1)
	for _, one := range hiding {
		halves := [2][]variation{{one}, {one}}
		for _, at := range shuffled(random, len(v.harmless)) {
			if half := &halves[at%2]; fits(*half, v.harmless[at]) {
				*half = append(*half, v.harmless[at])
			}
		}
		for _, half := range halves {
			if len(half) > 1 {
				groups = append(groups, half)
			}
		}
	}
	var alike, others [][]variation
	for n, one := range hiding {
		for _, other := range hiding[n+1:] {
			switch {
			case !fits([]variation{one}, other):
			case equal(one.to, other.to):
				alike = append(alike, []variation{one, other})
			default:
				others = append(others, []variation{one, other})
			}
		}
	}
	pairs := append(alike, others...)
	return append(groups, pairs[:min(len(pairs), mostVariedPairs)]...)
}

// variations returns other values of the fields of the object, the first of each field first.
func (v *varying) variations(h *hypothesis) []variation {
	f := &variedFields{varying: v, numbers: v.numbersOf(h)}
	root := v.evidence.target.Document.Root
	for _, name := range slices.Sorted(maps.Keys(root.Properties)) {
		child := root.Properties[name]
		value, has := v.base.Object[name]
		switch {
		case v.requests != nil && (name == fieldOldObject && !v.requests.deletes || name == fieldRequest):
		case v.requests == nil && (name == "apiVersion" || name == "kind" || name == "metadata" || name == "status" && !v.about("status")):
		case v.requests != nil && has:
			f.fields(&child, place{name}, steps{name}, value)
		default:
			f.visit(&child, place{name}, steps{name}, value, has)
		}
	}
	f.metadata()
	// Those nearest to what the objects have come first.
	slices.SortStableFunc(f.axes, func(a, b fieldAxis) int {
		return cmp.Or(boolRank(a.known)-boolRank(b.known), len(a.path)-len(b.path))
	})
	v.out.Left = max(v.out.Left, len(f.axes)-mostAxes)
	var all []variation
	for round := range mostOfVaried {
		for n, axis := range f.axes[:min(len(f.axes), mostAxes)] {
			if round < len(axis.values) {
				all = append(all, variation{n, axis.at, axis.path, axis.values[round]})
			}
		}
	}
	return all
}

// reads reports whether a hypothesis reads a field at a place, or in it.
func (h *hypothesis) reads(at place) bool {
	return slices.ContainsFunc(h.parts, func(part *condition) bool {
		return slices.ContainsFunc(part.fields, func(field place) bool { return at.has(slices.Concat(h.subject.scope, field)) })
	})
}

// numbersOf returns the numbers beside those that a hypothesis reads in the object.
func (v *varying) numbersOf(h *hypothesis) (all []any) {
	for _, r := range v.universe.rowsOf(v.base) {
		for _, part := range h.parts {
			for _, field := range part.fields {
				value, _ := field.names().at(r.self)
				if n, is := value.(int64); is {
					all = append(all, n+1, n, n-1)
				}
			}
		}
	}
	return all
}

// fieldAxis is a field with other values.
type fieldAxis struct {
	at     place
	path   steps
	values []any
	known  bool // it is set, or accepted objects have it
}

// variedFields collects the fields of an object with other values.
type variedFields struct {
	*varying
	numbers []any
	axes    []fieldAxis
}

// visit adds a field, and those in it.
func (f *variedFields) visit(schema *spec.Schema, at place, path steps, value any, has bool) {
	accepted := f.acceptedAt(at, mostVariedBases+1, func(value any) string {
		if list, isList := value.([]any); isList {
			return strconv.Itoa(len(list))
		}
		data, _ := json.Marshal(value)
		return string(data)
	})
	axis := fieldAxis{at: at, path: path, known: has || len(accepted) > 0}
	add := func(values ...any) {
		for _, to := range values {
			isKnown := to == nil || has && equal(to, value) || slices.ContainsFunc(axis.values, func(o any) bool { return equal(o, to) })
			if !isKnown && len(axis.values) < mostOfVaried {
				axis.values = append(axis.values, to)
			}
		}
	}
	switch k := kindOf(schema); k {
	case whole, number:
		f.addNumbers(schema, value, accepted, add)
	case boolean:
		add(value != true, value == true)
	case list:
		f.addLists(schema, at, path, value, add)
		add(accepted...)
	case text:
		add(schema.Enum...)
		add(accepted...)
	case object, mapping:
		if has {
			f.fields(schema, at, path, value)
		}
		add(accepted...)
	default:
		add(accepted...)
	}
	if _, isItem := path[len(path)-1].(int); has && !isItem {
		add(absence{})
	} else if !has && len(axis.values) == 0 {
		add(f.subject.madeAt(at))
	}
	f.axes = append(f.axes, axis)
}

// addNumbers adds numbers beside those that the hypothesis reads, those of accepted objects, and those at bounds.
func (f *variedFields) addNumbers(schema *spec.Schema, value any, accepted []any, add func(...any)) {
	add(f.numbers[:min(len(f.numbers), 3)]...)
	if n, is := value.(int64); is {
		add(n + 1)
	}
	add(accepted[:min(len(accepted), 2)]...)
	for _, bound := range []*float64{schema.Maximum, schema.Minimum} {
		if bound != nil {
			add(jsonNumber(*bound))
		}
	}
	add(int64(100), int64(1), int64(0))
}

// addLists adds lists with one item more or less, and visits the first items and the last one.
func (f *variedFields) addLists(schema *spec.Schema, at place, path steps, value any, add func(...any)) {
	all, _ := value.([]any)
	if len(all) == 0 {
		return
	}
	add(append(slices.Clone(all), numbered(all[len(all)-1], len(all))), all[:len(all)-1])
	item := schemaBelow(schema, anyItem)
	for n := range all {
		if item != nil && (n < 2 || n == len(all)-1) && kindOf(item) != text {
			f.visit(item, at.below(anyItem), path.and(n), all[n], true)
		}
	}
}

// fields visits the fields of an object, or the first entries of a map.
func (f *variedFields) fields(schema *spec.Schema, at place, path steps, value any) {
	fields, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		child := schema.Properties[name]
		part, has := fields[name]
		f.visit(&child, at.below(name), path.and(name), part, has)
	}
	if entry := schemaBelow(schema, anyItem); len(schema.Properties) == 0 && entry != nil {
		for _, key := range sortedKeys(fields)[:min(len(fields), 2)] {
			f.visit(entry, at.below(anyItem), path.and(key), fields[key], true)
		}
	}
}

// metadata adds labels and annotations.
func (f *variedFields) metadata() {
	for _, name := range []string{"labels", "annotations"} {
		value, has := steps{"metadata", name}.at(f.base.Object)
		if f.requests == nil {
			f.visit(&spec.Schema{}, place{"metadata", name}, steps{"metadata", name}, value, has)
		}
	}
}

// madeAt makes a value for a place of the object from its schema.
func (s *subject) madeAt(at place) any {
	whole := *s
	whole.scope, whole.schema = nil, s.evidence.target.Document.Root
	return whole.made(at)
}

// isUnvaried reports whether the other fields were not varied for one of the chosen hypotheses.
func (x *explanation) isUnvaried() bool {
	return slices.ContainsFunc(x.chosen, func(h *hypothesis) bool { return x.subject.varied[h.expr()] == nil })
}

// and joins what was varied for two hypotheses.
func (v *Varied) and(other *Varied) *Varied {
	if v == nil || other == nil {
		return cmp.Or(v, other)
	}
	fields := slices.Concat(v.Fields, other.Fields)
	slices.Sort(fields)
	return &Varied{Fields: slices.Compact(fields), Left: max(v.Left, other.Left), Objects: v.Objects + other.Objects}
}

// mostVariedNames is how many fields the text names.
const mostVariedNames = 4

// text says what was varied.
func (v *Varied) text() string {
	names := strings.Join(v.Fields[:min(len(v.Fields), mostVariedNames)], ", ")
	if more := len(v.Fields) - mostVariedNames; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	text := fmt.Sprintf("none of %s with other values of %s is accepted", plaintext.Count(v.Objects, "refused object"), names)
	if v.Left > 0 {
		text += fmt.Sprintf("; %s not varied", plaintext.Count(v.Left, "more field")+map[bool]string{true: " was", false: " were"}[v.Left == 1])
	}
	return text
}
