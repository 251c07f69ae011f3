package infer

import (
	"maps"
	"slices"
	"strconv"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// facts are what is known about a site at one scope: what conditions can be made of.
type facts struct {
	*evidence
	site   *site
	scope  place
	schema *spec.Schema // of the scope
	// at is the place of the error, and target the same below the scope.
	at     place
	target place
	// inner is the rest of the place if the target is a list: the place in its items.
	inner place
	// fields are the fields that conditions may read, below the scope, those near the target first.
	fields []place
	// focus are the fields that the error may be about: the target, what it contains, and what the
	// text names.
	focus   []place
	numbers []string // in the text, and in the code that makes the error
	quoted  []string // in the text, between quotes, or a list after a colon
	seen    map[string][]any
	// marks returns the numbers that a bound of a field may be at.
	marks func(p place, m measure) []float64
}

// Bounds of the facts.
const (
	mostFields = 60
	mostFocus  = 12
	mostDepth  = 3
	mostSeen   = 24
)

// newFacts returns the facts of a site at a scope, or nil if the schema has no such scope.
func newFacts(e *evidence, of *site, at, scope place) *facts {
	schema := scope.schema(e.target.Document.Root)
	if schema == nil || !scope.has(at) {
		return nil
	}
	s := &facts{evidence: e, site: of, at: at, scope: scope, schema: schema, target: at[len(scope):]}
	s.target, s.inner = s.target.outside()
	text := of.first.Detail
	s.numbers = numberPattern.FindAllString(text, -1)
	for _, n := range of.constants.Numbers {
		s.numbers = append(s.numbers, strconv.FormatInt(n, 10))
	}
	s.quoted = quotedIn(text)
	s.findFields(text)
	s.seen = e.valuesAt(scope)
	return s
}

// findFields lists the fields below the scope.
func (s *facts) findFields(text string) {
	var all []place
	var visit func(at place, schema *spec.Schema)
	visit = func(at place, schema *spec.Schema) {
		for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
			if len(s.scope)+len(at) == 0 && (name == "apiVersion" || name == "kind" || name == "metadata" || name == "status" && !s.about("status")) {
				continue
			}
			child := schema.Properties[name]
			all = append(all, at.below(name))
			if len(at)+1 < s.depth() {
				visit(at.below(name), &child)
			}
		}
	}
	visit(nil, s.schema)
	words := wordsOf(text)
	distance := func(p place) int {
		switch {
		case s.requests != nil && p[0] == fieldRequest:
			return 1
		case s.twin(p):
			return 2
		case slices.Equal(p, s.target):
			return 0
		case mentions(words, p[len(p)-1]):
			return 1
		case len(s.target) > 0 && (s.target.has(p) || p.has(s.target)):
			return 2
		case slices.Equal(p.parent(), s.target.parent()):
			return 3
		}
		return 3 + len(p)
	}
	slices.SortStableFunc(all, func(a, b place) int { return distance(a) - distance(b) })
	s.fields = all[:min(len(all), mostFields)]
	if len(s.target) == 0 {
		s.focus = append(s.focus, nil)
	}
	for _, p := range s.fields {
		if len(s.focus) < mostFocus && (distance(p) <= 2 || len(s.target) == 0) {
			s.focus = append(s.focus, p)
		}
	}
}

// twin reports whether a field of a request is what the error is about, or a field that it names, before the update.
func (s *facts) twin(p place) bool {
	return s.requests != nil && len(s.target) > 1 && p[0] == fieldOldObject && slices.Equal(p[1:], s.target[1:])
}

func (s *facts) about(name string) bool {
	return len(s.at) > 0 && s.at[0] == name
}

// schemaAt returns the schema of a field below the scope.
func (s *facts) schemaAt(p place) *spec.Schema { return p.schema(s.schema) }

// kind is the type of a field as conditions know it.
type kind string

const (
	whole       kind = "integer"
	number      kind = "number"
	text        kind = "string"
	boolean     kind = "boolean"
	list        kind = "array"
	object      kind = "object"
	mapping     kind = "map"
	intOrString kind = "int-or-string"
)

func (s *facts) kindOf(p place) kind { return kindOf(s.schemaAt(p)) }

func kindOf(at *spec.Schema) kind {
	if at == nil {
		return ""
	}
	if x, _ := openapi.ReadExtensions(at, nil); x.IntOrString {
		return intOrString
	}
	types := openapi.Types(at)
	if len(types) != 1 {
		return ""
	}
	if types[0] == "object" && len(at.Properties) == 0 && openapi.Additional(at) != nil {
		return mapping
	}
	return kind(types[0])
}

// value returns a value for a field: one that an accepted object has, or a new one.
func (s *facts) value(p place) any {
	for _, value := range s.seen[p.String()] {
		if text, isText := value.(string); value != nil && (!isText || text != "") {
			return value
		}
	}
	return s.made(p)
}

// made makes a value for a field from its schema.
func (s *facts) made(p place) any { return s.evidence.madeAt(slices.Concat(s.scope, p)) }

// textNumbers returns the numbers of the error's text for a field.
func (s *facts) textNumbers(k kind) []any {
	var all []any
	for _, text := range s.numbers {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			all = append(all, n)
		} else if f, err := strconv.ParseFloat(text, 64); err == nil && k == number {
			all = append(all, f)
		}
	}
	return all
}
