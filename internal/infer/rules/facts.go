package rules

import (
	"maps"
	"slices"
	"strconv"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Facts are what is known about a site at one scope: what conditions can be made of.
type Facts struct {
	Evidence *evidence.Evidence
	Site     *evidence.Site
	Scope    evidence.Place
	Schema   *spec.Schema // of the scope
	// At is the place of the error, and target the same below the scope.
	At     evidence.Place
	Target evidence.Place
	// Fields are the fields that conditions may read, below the scope, those near the target first.
	Fields []evidence.Place
	// Focus are the fields that the error may be about: the target, what it contains, and what the
	// text names.
	Focus   []evidence.Place
	Numbers []string // in the text, and in the code that makes the error
	Quoted  []string // in the text, between quotes, or a list after a colon
	Seen    map[string][]any
	// Marks returns the numbers that a bound of a field may be at.
	Marks func(p evidence.Place, m Measure) []float64
}

// Bounds of the facts.
const (
	mostFields = 60
	mostFocus  = 12
)

// NewFacts returns the facts of a site at a scope, or nil if the schema has no such scope.
func NewFacts(e *evidence.Evidence, of *evidence.Site, at, scope evidence.Place) *Facts {
	schema := scope.Schema(e.Target.Document.Root)
	if schema == nil || !scope.Has(at) {
		return nil
	}
	s := &Facts{Evidence: e, Site: of, At: at, Scope: scope, Schema: schema, Target: at[len(scope):]}
	s.Target, _ = s.Target.Outside()
	text := of.First.Detail
	s.Numbers = evidence.NumberPattern.FindAllString(text, -1)
	for _, n := range of.Constants.Numbers {
		s.Numbers = append(s.Numbers, strconv.FormatInt(n, 10))
	}
	s.Quoted = evidence.QuotedIn(text)
	s.findFields(text)
	s.Seen = e.ValuesAt(scope)
	return s
}

// findFields lists the fields below the scope.
func (s *Facts) findFields(text string) {
	var all []evidence.Place
	var visit func(at evidence.Place, schema *spec.Schema)
	visit = func(at evidence.Place, schema *spec.Schema) {
		for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
			if len(s.Scope)+len(at) == 0 && (name == "apiVersion" || name == "kind" || name == "metadata" || name == "status" &&
				!s.About("status")) {
				continue
			}
			child := schema.Properties[name]
			all = append(all, at.Below(name))
			if len(at)+1 < s.Evidence.Depth() {
				visit(at.Below(name), &child)
			}
		}
	}
	visit(nil, s.Schema)
	words := evidence.WordsOf(text)
	distance := func(p evidence.Place) int {
		switch {
		case s.Evidence.Requests != nil && p[0] == evidence.FieldRequest:
			return 1
		case s.twin(p):
			return 2
		case slices.Equal(p, s.Target):
			return 0
		case evidence.Mentions(words, p[len(p)-1]):
			return 1
		case len(s.Target) > 0 && (s.Target.Has(p) || p.Has(s.Target)):
			return 2
		case slices.Equal(p.Parent(), s.Target.Parent()):
			return 3
		}
		return 3 + len(p)
	}
	slices.SortStableFunc(all, func(a, b evidence.Place) int { return distance(a) - distance(b) })
	s.Fields = all[:min(len(all), mostFields)]
	if len(s.Target) == 0 {
		s.Focus = append(s.Focus, nil)
	}
	for _, p := range s.Fields {
		if len(s.Focus) < mostFocus && (distance(p) <= 2 || len(s.Target) == 0) {
			s.Focus = append(s.Focus, p)
		}
	}
}

// twin reports whether a field of a request is what the error is about, or a field that it names, before the update.
func (s *Facts) twin(p evidence.Place) bool {
	return s.Evidence.Requests != nil && len(s.Target) > 1 && p[0] == evidence.FieldOldObject && slices.Equal(p[1:], s.Target[1:])
}

func (s *Facts) About(name string) bool {
	return len(s.At) > 0 && s.At[0] == name
}

// SchemaAt returns the schema of a field below the scope.
func (s *Facts) SchemaAt(p evidence.Place) *spec.Schema { return p.Schema(s.Schema) }

// Kind is the type of a field as conditions know it.
type Kind string

const (
	Whole       Kind = "integer"
	Number      Kind = "number"
	Text        Kind = "string"
	Boolean     Kind = "boolean"
	List        Kind = "array"
	Object      Kind = "object"
	Mapping     Kind = "map"
	IntOrString Kind = "int-or-string"
)

func (s *Facts) KindOf(p evidence.Place) Kind { return KindOf(s.SchemaAt(p)) }

func KindOf(at *spec.Schema) Kind {
	if at == nil {
		return ""
	}
	if x, _ := openapi.ReadExtensions(at, nil); x.IntOrString {
		return IntOrString
	}
	types := openapi.Types(at)
	if len(types) != 1 {
		return ""
	}
	if types[0] == "object" && len(at.Properties) == 0 && openapi.Additional(at) != nil {
		return Mapping
	}
	return Kind(types[0])
}

// ZeroOf returns the zero value of a kind in JSON; nil: it is not known.
func ZeroOf(k Kind) any {
	switch k {
	case Whole, Number, IntOrString:
		return int64(0)
	case Text:
		return ""
	case Boolean:
		return false
	case List:
		return []any{}
	case Object, Mapping:
		return map[string]any{}
	}
	return nil
}

// value returns a value for a field: one that an accepted object has, or a new one.
func (s *Facts) value(p evidence.Place) any {
	for _, value := range s.Seen[p.String()] {
		if text, isText := value.(string); value != nil && (!isText || text != "") {
			return value
		}
	}
	return s.made(p)
}

// made makes a value for a field from its schema.
func (s *Facts) made(p evidence.Place) any { return s.Evidence.MadeAt(slices.Concat(s.Scope, p)) }

// TextNumbers returns the numbers of the error's text for a field.
func (s *Facts) TextNumbers(k Kind) []any {
	var all []any
	for _, text := range s.Numbers {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			all = append(all, n)
		} else if f, err := strconv.ParseFloat(text, 64); err == nil && k == Number {
			all = append(all, f)
		}
	}
	return all
}

// BoolRank sorts what is true first.
func BoolRank(is bool) int {
	if is {
		return 0
	}
	return 1
}
