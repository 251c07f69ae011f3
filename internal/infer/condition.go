package infer

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apiserver/pkg/cel"
)

// isNew is the rule that an object is not new, where oldSelf is optional.
const isNew = "oldSelf.hasValue()"

// condition says when the native validator may report an error, as a CEL expression about the values
// at a scope. What it means is left to CEL.
type condition struct {
	// expr is true where the error is reported, and rule is its opposite as one writes it by hand.
	expr, rule string
	// weight is small for conditions that are simple or that the text of the error suggests.
	weight int
	// about is the field that the condition constrains, below the scope. fields are all that it reads.
	about  place
	fields []place
	// leaf is the same rule at the field itself; nil: it needs the scope.
	leaf *leaf
	// update is true if the condition compares the object with the old one.
	update bool
	// tries are changes of an object that make the condition true or false, or come near.
	tries []try
	// guess is true for a comparison with a value that only objects suggest. It needs more evidence.
	guess bool
	// oneText is true for a guess that the error is about one text. It fits the objects with that text alone, so it is no reason alone.
	oneText bool
	// many is true if the condition is about some item of a list, so that two of them do not exclude
	// each other.
	many bool
	// measure is what a bound is about; zero: it is no bound.
	measure measure
	bound   string // the bound, for merging
}

// leaf is a rule about one value.
type leaf struct {
	// rule is about self; empty: only a keyword can say it.
	rule string
	// keywords are OpenAPI keywords with their values that say the same.
	keywords map[string]any
	// required is true if the rule is that the field is set.
	required bool
	markers  []string
}

// try is a set of changes of fields below the scope.
type try []change

// change sets a field, or takes it out (absence). Before is true for the old object of an update.
type change struct {
	field  place
	to     any
	before bool
}

// ref is a field below a scope, as expressions read it.
type ref struct {
	place
	access string
	guards []string // "has(self.a)", for the optional fields on the way
}

// has returns the expression that the field is set.
func (r ref) has() string {
	if len(r.guards) == 0 {
		return "true"
	}
	return strings.Join(r.guards, " && ")
}

// unset returns the expression that the field is not set.
func (r ref) unset() string {
	if len(r.guards) == 0 {
		return "false"
	}
	var not []string
	for _, guard := range r.guards {
		not = append(not, "!"+guard)
	}
	return strings.Join(not, " || ")
}

// and returns the expression that the field is set and something holds.
func (r ref) and(expr string) string {
	return strings.Join(append(append([]string{}, r.guards...), expr), " && ")
}

// or returns the expression that the field is not set or something holds.
func (r ref) or(expr string) string {
	if len(r.guards) == 0 {
		return expr
	}
	return r.unset() + " || " + expr
}

// refOf returns a field below a scope. The scope's values are self.
func (s *facts) refOf(of place) ref { return s.refIn(of, "self") }

func (s *facts) refIn(of place, self string) ref {
	r := ref{place: of, access: self}
	at := s.schema
	for n, name := range of {
		escaped, ok := cel.Escape(name)
		if !ok {
			escaped = name
		}
		optional := true
		if at != nil {
			declared, is := at.Properties[name]
			for _, required := range at.Required {
				optional = optional && required != name
			}
			optional = optional || s.absentInStored[slices.Concat(s.scope, of[:n+1]).String()]
			if is && declared.Default != nil {
				optional = false
			}
			at = schemaBelow(at, name)
		}
		r.access += "." + escaped
		if optional {
			r.guards = append(r.guards, "has("+r.access+")")
		}
	}
	return r
}

// literal returns a value as CEL writes it, for a field of some type.
func literal(value any, isDouble bool) (string, bool) {
	switch value := value.(type) {
	case string:
		return quote(value), true
	case bool:
		return strconv.FormatBool(value), true
	case int64:
		if isDouble {
			return strconv.FormatInt(value, 10) + ".0", true
		}
		return strconv.FormatInt(value, 10), true
	case float64:
		text := strconv.FormatFloat(value, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text, isDouble
	}
	return "", false
}

// quote returns a text as CEL writes it, in single quotes if possible.
func quote(text string) string {
	if strings.ContainsAny(text, "'\\\n\r\t") || !strconv.CanBackquote(text) {
		return strconv.Quote(text)
	}
	return "'" + text + "'"
}

// negated returns the opposite of an expression that is one comparison or call.
func negated(expr string) string { return "!(" + expr + ")" }
