package explore

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// Maker makes objects for one keyword or rule of a schema. It changes an object that is accepted, and
// does not know what the others are about: whoever asks validates what it makes.
type Maker struct {
	Source generate.Source
	// Schema is that of the objects, without references.
	Schema *props
}

// SchemaAt returns the schema at a path, in the first item of each list; nil if none is declared. "[*]" is any item
// or entry.
func SchemaAt(s *props, path []string) *props {
	if s == nil {
		return nil
	}
	if _, at, ok := resolve(site{schema: s}, path); ok {
		return at
	}
	return nil
}

func (m Maker) placer() placer { return placer{src: m.Source, schema: m.Schema} }

// site returns the place of a path in an object, also of a field that is not declared.
func (m Maker) site(object map[string]any, path []string) (at site, declared bool) {
	var schema *props
	at.path, schema, declared = resolve(site{schema: m.Schema}, path)
	if !declared {
		at.path, schema = nil, &props{}
		for i, name := range path {
			if next, _, ok := resolve(site{schema: m.Schema}, path[:i+1]); ok {
				at.path = next
				continue
			}
			at.path = at.path.Field(name)
		}
	}
	at.schema = schema
	at.value, at.has = at.path.Get(object)
	return at, declared
}

// ValueAt returns the value at a path, in the first item of each list.
func (m Maker) ValueAt(object map[string]any, path []string) (any, bool) {
	at, _ := m.site(object, path)
	return at.value, at.has
}

// PathAt returns the text of the path at which ValueAt looks, such as "spec.ports[0].name".
func (m Maker) PathAt(object map[string]any, path []string) string {
	at, _ := m.site(object, path)
	return at.path.String()
}

// With returns an object with another value at a path, and with the parts around it. The object is not changed.
func (m Maker) With(object map[string]any, path []string, value any) map[string]any {
	at, _ := m.site(object, path)
	return m.put(object, at.path, value)
}

// WithPart returns an object with a value at a path that is probably accepted.
func (m Maker) WithPart(object map[string]any, path []string) map[string]any {
	at, _ := m.site(object, path)
	return m.put(object, at.path, m.placer().part(at.path))
}

// put returns an object with another value at a path, or without one, and with the parts around it; nil: it is no
// object.
func (m Maker) put(object map[string]any, path steps, value any) map[string]any {
	if len(path) > 0 {
		object = m.placer().ensured(object, path)
		if value != (absence{}) {
			object = m.placer().chosen(object, path)
		}
	}
	return path.Put(object, value)
}

// mostForRule bounds the objects in which all fields of a rule are changed.
const mostForRule = 200

// ForRule yields objects in which only fields of a rule at a path are changed: one of them, two, or all.
func (m Maker) ForRule(object map[string]any, path []string, rule Rule) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		at, declared := m.site(object, path)
		if !declared {
			return
		}
		fields := assigner{m.placer(), object}.assignments(rule, at)
		for _, some := range [][][]assignment{combinations(rule, fields), m.jointly(fields)} {
			for _, combined := range some {
				if made := m.placer().assigned(object, combined); made != nil && !yield(made) {
					return
				}
			}
		}
	}
}

// jointly returns assignments for all fields at once: each combination, or if there are too many, some.
func (m Maker) jointly(fields [][]assignment) [][]assignment {
	count := 1
	for _, some := range fields {
		count = min(count*len(some), mostForRule+1)
	}
	if len(fields) < 2 {
		return nil
	}
	var all [][]assignment
	for n := range min(count, mostForRule) {
		var one []assignment
		for _, some := range fields {
			pick := n % len(some)
			if n /= len(some); count > mostForRule {
				pick = m.Source.IntN(len(some))
			}
			one = append(one, some[pick])
		}
		all = append(all, one)
	}
	return all
}

// The numbers of values that are made if only the type is known, and if the keyword shows which values matter.
const (
	anyValues = 40
	fewValues = 6
)

// longestMade bounds the texts for keywords: a larger example is not readable.
const longestMade = 20_000

// ForKeyword yields objects with other values at a path, likeliest first, for a keyword that the schema of a side
// that rejects has there. That may be the schema of the Maker.
func (m Maker) ForKeyword(object map[string]any, path []string, keyword string, rejects *props) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		at, declared := m.site(object, path)
		if !declared {
			at.schema = nil
		}
		for value := range m.values(at, keyword, SchemaAt(rejects, path)) {
			if text, isText := value.(string); isText && len(text) > longestMade {
				continue
			}
			if made := m.put(object, at.path, value); made != nil && !yield(made) {
				return
			}
		}
	}
}

// values yields the values for a keyword. The schema of the site or the other one may be nil.
func (m Maker) values(at site, keyword string, rejects *props) iter.Seq[any] {
	return func(yield func(any) bool) {
		accepts := at.schema
		known := m.known(at, keyword, rejects)
		for i := range known {
			value := known[i].value()
			if keyword == "enum" && rejects != nil && accepts != rejects && inEnum(rejects, value) {
				continue
			}
			if !yield(value) {
				return
			}
		}
		count := anyValues
		if len(known) > 0 && !openKeywords[keyword] {
			count = fewValues
		}
		for i := range count {
			opts := generate.ObjectOptions{Values: []int{1, 4, 12}[i%3], Generous: i%4 == 3, Faults: []int{0, 0, 0, 4}[i%4]}
			if accepts != nil && !yield(generate.Value(m.Source, accepts, opts)) {
				return
			}
			if rejects != nil && i%3 == 0 && !yield(generate.Value(m.Source, rejects, generate.ObjectOptions{Values: 4, Faults: 2})) {
				return
			}
		}
		if count == fewValues {
			return
		}
		for _, sample := range samples() {
			if !yield(sample) {
				return
			}
		}
	}
}

// openKeywords are those that known values alone may not show.
var openKeywords = map[string]bool{
	"pattern":   true,
	"format":    true,
	"allOf":     true,
	"anyOf":     true,
	"oneOf":     true,
	"not":       true,
	OtherFields: true,
}

// OtherFields is what ForKeyword takes for a keyword to add a field that is not declared.
const OtherFields = "fields"

// known returns the changes for a keyword whose values both schemas show.
func (m Maker) known(at site, keyword string, rejects *props) []change {
	c := &changes{src: m.Source, at: at}
	if at.schema != nil && rejects != nil {
		for _, text := range between(m.Source, at.schema.Pattern, rejects.Pattern) {
			c.add(bound, "between the patterns", text)
		}
		for _, s := range []*props{rejects, at.schema} {
			c.at.schema = s
			c.forKeyword(keyword)
		}
	}
	switch keyword {
	case "required", "default":
		c.add(shape, "taken out", absence{})
	case "nullable":
		c.add(shape, "null", nil)
	case OtherFields:
		c.at.schema, c.at.has = cmp.Or(at.schema, &props{}), true
		c.others()
	}
	return c.found
}

func inEnum(s *props, value any) bool {
	return slices.ContainsFunc(s.Enum, func(one apiextensionsv1.JSON) bool {
		var known any
		return json.Unmarshal(one.Raw, &known) == nil && same(known, value)
	})
}

// samples returns values of each type, and texts of common notations.
func samples() []any {
	all := []any{int64(1), int64(0), int64(-1), 1.5, true, nil, []any{}, map[string]any{}, ""}
	for _, text := range spellings {
		all = append(all, text)
	}
	return all
}
