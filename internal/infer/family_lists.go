package infer

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/openapi"
)

func equal(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

func sortedKeys(of map[string]any) []string { return slices.Sorted(maps.Keys(of)) }

// duplicates returns the conditions that items of a list are equal, or have equal keys.
func (s *subject) duplicates(p place) []condition {
	if s.kindOf(p) != list {
		return nil
	}
	r := s.refOf(p)
	item := s.schemaAt(p.below(anyItem))
	if item == nil {
		return nil
	}
	add := func(keys []string, required, foldCase bool, tries []try) condition {
		var same, set []string
		for _, key := range keys {
			if foldCase {
				same = append(same, "x."+key+".lowerAscii() == y."+key+".lowerAscii()")
			} else {
				same = append(same, "x."+key+" == y."+key)
			}
			if !slices.Contains(item.Required, key) && item.Properties[key].Default == nil {
				set = append(set, key)
			}
		}
		if len(keys) == 0 {
			same = []string{"x == y"}
		}
		equalItems := strings.Join(same, " && ")
		good := fmt.Sprintf("%[1]s.all(x, %[1]s.exists_one(y, %[2]s))", r.access, equalItems)
		if len(set) > 0 { // items without the key are no duplicates
			var hasX, hasBoth []string
			for _, key := range set {
				hasX = append(hasX, "!has(x."+key+")")
				hasBoth = append(hasBoth, "has(y."+key+")")
			}
			good = fmt.Sprintf("%[1]s.all(x, %[3]s || %[1]s.exists_one(y, %[4]s && %[2]s))", r.access, equalItems, strings.Join(hasX, " || "), strings.Join(hasBoth, " && "))
		}
		weight := 3 + 2*max(0, len(keys)-1)
		if foldCase {
			weight++
		}
		c := condition{expr: r.and(negated(good)), rule: r.or(good), weight: weight, about: p, fields: []place{p}, tries: tries}
		var keywords map[string]any
		if declared, _ := openapi.ReadExtensions(s.schemaAt(p), nil); declared.ListType == nil && required && !foldCase {
			keywords = map[string]any{openapi.XListType: "set"}
			if len(keys) > 0 {
				keywords = map[string]any{openapi.XListType: "map", openapi.XListMapKeys: stringsAsValues(keys)}
			}
		}
		c.leaf = s.leafOf(r, good, keywords)
		return c
	}
	tries := s.duplicated(p)
	all := []condition{add(nil, kindOf(item) != object && kindOf(item) != list && kindOf(item) != mapping, false, tries)}
	var scalars []string
	for _, name := range slices.Sorted(maps.Keys(item.Properties)) {
		child := item.Properties[name]
		if k := kindOf(&child); (k == text || k == whole) && len(scalars) < 8 {
			scalars = append(scalars, name)
		}
	}
	isKey := func(keys ...string) bool {
		for _, key := range keys {
			if !slices.Contains(item.Required, key) && item.Properties[key].Default == nil {
				return false
			}
		}
		return true
	}
	for i, key := range scalars {
		all = append(all, add([]string{key}, isKey(key), false, tries))
		if child := item.Properties[key]; kindOf(&child) == text {
			all = append(all, add([]string{key}, false, true, tries))
		}
		for _, second := range scalars[i+1:] {
			all = append(all, add([]string{key, second}, isKey(key, second), false, tries))
		}
	}
	return all
}

func stringsAsValues(of []string) []any {
	var all []any
	for _, text := range of {
		all = append(all, text)
	}
	return all
}

// mostItems bounds the items of accepted lists that are combined.
const mostItems = 7

// itemPairs returns lists of two items of accepted objects: what is accepted alone may not be together.
func (s *subject) itemPairs(p place) []try {
	var some []any
	known := map[string]bool{}
	for _, sample := range s.samples {
		if !sample.accepted || len(some) == mostItems {
			continue
		}
		for _, at := range instances(sample.object, slices.Concat(s.scope, p, place{anyItem})) {
			fields, _ := at.value.(map[string]any)
			key := fmt.Sprint(fields["type"], fields["kind"], fields["name"], sortedKeys(fields))
			if len(fields) > 0 && !known[key] && len(some) < mostItems {
				known[key] = true
				some = append(some, at.value)
			}
		}
	}
	var all []try
	for i, one := range some {
		for _, other := range some[i+1:] {
			all = append(all, try{{field: p, to: []any{one, other}}})
		}
	}
	return all
}

// duplicated returns lists whose items are equal, and equal in all fields but one, or only in one.
func (s *subject) duplicated(p place) []try {
	like, _ := s.value(p).([]any)
	if len(like) == 0 {
		like, _ = s.made(p).([]any)
	}
	if len(like) == 0 {
		if item := s.made(p.below(anyItem)); item != nil {
			like = []any{item}
		}
	}
	if len(like) == 0 {
		return nil
	}
	first := like[0]
	all := []try{{{field: p, to: []any{first, first}}}, {{field: p, to: resized(like, 2)}}, {{field: p, to: []any{first}}}}
	fields, is := first.(map[string]any)
	if !is {
		return all
	}
	for _, name := range sortedKeys(fields) {
		changed := numbered(fields[name], 1)
		if equal(changed, fields[name]) {
			continue
		}
		if text, isText := fields[name].(string); isText { // equal but for the case of letters
			folded := maps.Clone(fields)
			folded[name] = strings.ToUpper(text)
			all = append(all, try{{field: p, to: []any{fields, folded}}})
		}
		other, alone := maps.Clone(fields), maps.Clone(fields)
		other[name] = changed
		for _, rest := range sortedKeys(fields) {
			if rest != name {
				alone[rest] = numbered(fields[rest], 2)
			}
		}
		all = append(all, try{{field: p, to: []any{fields, other}}}, try{{field: p, to: []any{fields, alone}}})
	}
	return all
}

// lifted returns the conditions that an item of a list of objects is wrong by itself. Most errors are
// at the item; for these see the scope of the items.
func (s *subject) lifted(p place) []condition {
	if s.kindOf(p) != list || s.kindOf(p.below(anyItem)) != object || !slices.Equal(p, s.target) || strings.Contains(s.site.cause.Field, p[max(0, len(p)-1):].String()+anyItem) {
		return nil
	}
	r := s.refOf(p)
	inside := s.inside(p)
	var all []condition
	add := func(parts ...condition) {
		var bad, good []string
		weight := 1
		tries := parts[0].tries
		for _, part := range parts {
			bad, good = append(bad, part.expr), append(good, part.rule)
			weight += part.weight
		}
		if len(parts) > 1 {
			tries = (&hypothesis{parts: []*condition{&parts[0], &parts[1]}}).tries()
		}
		rule := itemFor(strings.Join(good, " || "))
		c := condition{
			expr: r.and(fmt.Sprintf("%s.exists(item, %s)", r.access, itemFor(strings.Join(bad, " && ")))), rule: r.or(fmt.Sprintf("%s.all(item, %s)", r.access, rule)),
			weight: weight, about: p, fields: []place{p}, tries: s.items(p, tries),
		}
		c.leaf = s.leafOf(r, fmt.Sprintf("%s.all(item, %s)", r.access, rule), nil)
		all = append(all, c)
	}
	var single, guards []condition
	for _, field := range inside.fields {
		for _, m := range measuresOf(inside.kindOf(field)) {
			at := []float64{1}
			for _, n := range inside.textNumbers(inside.kindOf(field)) {
				f, _ := ofValue.of(n)
				at = append(at, f)
			}
			single = append(single, inside.bounds(field, m, at)...)
		}
		guards = append(guards, slices.Concat(inside.presence(field), inside.equalities(field))...)
	}
	single = append(single, guards...)
	single = append(single, inside.unions()...)
	for _, c := range single {
		add(c)
	}
	for i, c := range guards[:min(len(guards), 30)] {
		for _, other := range guards[i+1 : min(len(guards), 30)] {
			if !slices.Equal(c.about, other.about) {
				add(c, other)
			}
		}
	}
	return all
}

// itemValues returns the conditions that a list has an item whose field has one of its few values, or
// has none.
func (s *subject) itemValues(p place) []condition {
	if s.kindOf(p) != list || s.kindOf(p.below(anyItem)) != object || len(p) == 0 {
		return nil
	}
	r := s.refOf(p)
	inside := s.inside(p)
	var all []condition
	for _, field := range inside.fields {
		for _, value := range inside.comparable(field) {
			text, isText := value.(string)
			if !isText || !inside.suggested(field, value) {
				continue
			}
			is := itemFor(inside.refOf(field).and(inside.refOf(field).access + " == " + quote(text)))
			some := fmt.Sprintf("%s.exists(item, %s)", r.access, is)
			tries := s.itemPairs(p)
			if like := s.made(p.below(anyItem)); like != nil {
				item := field.names().set(like, text)
				tries = append(tries, try{{field: p, to: []any{item}}})
				for _, other := range inside.comparable(field) {
					tries = append(tries, try{{field: p, to: []any{item, field.names().set(like, other)}}})
				}
			}
			all = append(all,
				condition{expr: r.and(some), rule: r.or("!" + some), weight: 5, about: p, fields: []place{p}, tries: tries, leaf: s.leafOf(r, "!"+some, nil), many: true},
				condition{expr: r.and("!" + some), rule: r.or(some), weight: 6, about: p, fields: []place{p}, tries: tries, leaf: s.leafOf(r, some, nil), many: true})
		}
	}
	return all
}

// inside returns the site as if it were about the items of a list.
func (s *subject) inside(p place) *subject {
	item := *s
	item.scope = s.scope.below(p...).below(anyItem)
	item.schema = s.schemaAt(p.below(anyItem))
	item.target, item.fields, item.focus = nil, nil, nil
	item.findFields(s.site.first.Detail)
	item.fields = item.fields[:min(len(item.fields), 8)]
	item.seen = s.valuesAt(item.scope)
	return &item
}

// itemFor replaces self by item.
func itemFor(expr string) string { return selfPattern.ReplaceAllString(expr, "item") }

var selfPattern = regexp.MustCompile(`\bself\b`)

// items returns changes of a list whose first item is changed.
func (s *subject) items(p place, tries []try) []try {
	like, _ := s.value(p).([]any)
	if len(like) == 0 {
		if made := s.made(p.below(anyItem)); made != nil {
			like = []any{made}
		}
	}
	if len(like) == 0 {
		return nil
	}
	var all []try
	for _, one := range tries {
		item := like[0]
		for _, c := range one {
			item = c.field.names().set(item, c.to)
		}
		all = append(all, try{{field: p, to: []any{item}}}, try{{field: p, to: append([]any{item}, like[1:]...)}})
	}
	return all
}

// keysOf returns the conditions that a key of a map does not have a form, or is too long.
func (s *subject) keysOf(p place) []condition {
	if s.kindOf(p) != mapping {
		return nil
	}
	r := s.refOf(p)
	value := s.made(p.below(anyItem))
	var tries []try
	for _, key := range texts() {
		tries = append(tries, try{{field: p, to: map[string]any{key: value}}})
	}
	var all []condition
	add := func(weight int, good string) {
		all = append(all, condition{
			expr: r.and(r.access + ".exists(key, " + negated(good) + ")"), rule: r.or(r.access + ".all(key, " + good + ")"), weight: weight,
			about: p, fields: []place{p}, tries: tries, leaf: s.leafOf(r, r.access+".all(key, "+good+")", nil),
		})
	}
	for _, form := range textFormats() {
		good := strings.ReplaceAll(form.good, "%s", "key")
		if form.pattern != "" {
			good = "key.matches(" + celPattern(form.pattern) + ")"
		}
		add(form.weight+1, good)
	}
	for _, n := range append(s.numbers, "63", "253", "316", "317") {
		add(4, "key.size() <= "+n)
	}
	add(4, "key.size() > 0")
	return all
}

// references returns the conditions that a field, or an item of a list, is not among the items of
// another list, or the names of its items.
func (s *subject) references(p, other place) []condition {
	if s.kindOf(other) != list || slices.Equal(p, other) {
		return nil
	}
	a, b := s.refOf(p), s.refOf(other)
	item := s.schemaAt(other.below(anyItem))
	if item == nil {
		return nil
	}
	contains := map[string]string{} // by what is named; of the text x
	if kindOf(item) == text {
		contains["x"] = "x in " + b.access
	}
	for _, key := range []string{"name", "key", "id"} {
		if child, has := item.Properties[key]; has && kindOf(&child) == text {
			contains[key] = b.access + ".exists(y, y." + key + " == x)"
		}
	}
	uses := map[string]string{} // the rule with "x" for the text
	switch s.kindOf(p) {
	case text:
		uses["self"] = ""
	case list:
		of := s.schemaAt(p.below(anyItem))
		if kindOf(of) == text {
			uses["items"] = "x"
		}
		if of != nil {
			for _, key := range slices.Sorted(maps.Keys(of.Properties)) {
				if child := of.Properties[key]; kindOf(&child) == text && (strings.HasSuffix(strings.ToLower(key), "name") || strings.HasSuffix(strings.ToLower(key), "ref") || key == "key") {
					uses[key] = "y." + key
				}
			}
		}
	}
	both := ref{guards: slices.Compact(slices.Concat(a.guards, b.guards))}
	var all []condition
	for _, named := range slices.Sorted(maps.Keys(contains)) {
		for _, use := range slices.Sorted(maps.Keys(uses)) {
			in := contains[named]
			good := ""
			switch use {
			case "self":
				good = replaceVariable(in, a.access)
			case "items":
				good = a.access + ".all(x, " + in + ")"
			default:
				good = a.access + ".all(z, " + replaceVariable(in, "z."+use) + ")"
			}
			all = append(all, condition{
				expr: both.and(negated(good)), rule: both.or(good), weight: 6, about: p, fields: []place{p, other}, tries: s.referring(p, other, named, use),
			})
			if use == "self" {
				all = append(all, condition{
					expr: both.and(good), rule: both.or(negated(good)), weight: 7, about: p, fields: []place{p, other}, tries: s.referring(p, other, named, use),
				})
			}
		}
	}
	return all
}

// replaceVariable replaces the variable x of an expression.
func replaceVariable(expr, by string) string {
	expr = strings.Replace(expr, "x in ", by+" in ", 1)
	return strings.Replace(expr, "== x)", "== "+by+")", 1)
}

// referring returns pairs of a reference and a list that has it, or has not.
func (s *subject) referring(p, other place, named, use string) []try {
	items, ok := s.measuring(other, items, 2)
	all, isList := items.([]any)
	if !ok || !isList || len(all) == 0 {
		return nil
	}
	nameOf := func(item any) any {
		if named == "x" {
			return item
		}
		value, _ := steps{named}.at(item)
		return value
	}
	name := nameOf(all[0])
	var tries []try
	for _, to := range []any{name, "unknown"} {
		value := to
		switch use {
		case "self":
		case "items":
			value = []any{to}
		default:
			made := s.made(p.below(anyItem))
			if like, _ := s.value(p).([]any); len(like) > 0 {
				made = like[0]
			}
			value = []any{steps{use}.set(made, to)}
		}
		tries = append(tries, try{{field: p, to: value}, {field: other, to: all}}, try{{field: p, to: value}, {field: other, to: all[1:]}})
	}
	return tries
}

// sums returns the conditions that the sum of two fields, or of the items of a list, is beyond the
// numbers of the text.
func (s *subject) sums(p place) []condition {
	var all []condition
	add := func(r ref, sum string, fields []place, tries []try) {
		for _, n := range s.textNumbers(whole) {
			for _, is := range [][2]string{{">", "<="}, {"<", ">="}, {"!=", "=="}} {
				good := fmt.Sprintf("%s %s %d", sum, is[1], n)
				c := condition{expr: r.and(fmt.Sprintf("%s %s %d", sum, is[0], n)), rule: r.or(good), weight: 6, about: p, fields: fields, tries: tries}
				if len(fields) == 1 {
					c.leaf = s.leafOf(r, good, nil)
				}
				all = append(all, c)
			}
		}
	}
	r := s.refOf(p)
	switch s.kindOf(p) {
	case list:
		item := s.schemaAt(p.below(anyItem))
		if kindOf(item) == whole {
			add(r, r.access+".sum()", []place{p}, s.summing(p, ""))
		}
		if item == nil {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(item.Properties)) {
			if child := item.Properties[name]; kindOf(&child) == whole {
				sum := r.access + ".map(x, x." + name + ").sum()"
				if !slices.Contains(item.Required, name) && child.Default == nil {
					sum = r.access + ".filter(x, has(x." + name + ")).map(x, x." + name + ").sum()"
				}
				add(r, sum, []place{p}, s.summing(p, name))
			}
		}
	case whole:
		for _, other := range s.fields {
			if s.kindOf(other) == whole && other.String() > p.String() && slices.Equal(other.parent(), p.parent()) {
				o := s.refOf(other)
				add(ref{guards: slices.Concat(r.guards, o.guards)}, r.access+" + "+o.access, []place{p, other}, s.summingTwo(p, other))
			}
		}
	}
	return all
}

// summing returns lists whose sum is at and beside the numbers of the text.
func (s *subject) summing(p place, name string) []try {
	var all []try
	for _, number := range s.textNumbers(whole) {
		n := number.(int64)
		for _, by := range []int64{-1, 0, 1} {
			for _, parts := range [][]int64{{n + by}, {(n + by) / 2, n + by - (n+by)/2}} {
				made, ok := s.measuring(p, items, float64(len(parts)))
				values, _ := made.([]any)
				if !ok || len(values) != len(parts) {
					continue
				}
				for i, part := range parts {
					if name == "" {
						values[i] = part
					} else {
						values[i] = steps{name}.set(values[i], part)
					}
				}
				all = append(all, try{{field: p, to: values}})
			}
		}
	}
	return all
}

func (s *subject) summingTwo(p, other place) []try {
	var all []try
	for _, number := range s.textNumbers(whole) {
		n := number.(int64)
		for _, by := range []int64{-1, 0, 1} {
			all = append(all, try{{field: p, to: (n + by) / 2}, {field: other, to: n + by - (n+by)/2}}, try{{field: p, to: n + by}, {field: other, to: int64(0)}})
		}
	}
	return all
}
