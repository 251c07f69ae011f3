package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// IsNew is the rule that an object is not new, where oldSelf is optional.
const IsNew = "oldSelf.hasValue()"

// Condition says when the native validator may report an error, as a CEL expression about the values
// at a scope. What it means is left to CEL.
type Condition struct {
	// Expr is true where the error is reported, and rule is its opposite as one writes it by hand.
	Expr, Rule string
	// Weight is small for conditions that are simple or that the text of the error suggests.
	Weight int
	// About is the field that the condition constrains, below the scope. fields are all that it reads.
	About  evidence.Place
	Fields []evidence.Place
	// Leaf is the same rule at the field itself; nil: it needs the scope.
	Leaf *leaf
	// Update is true if the condition compares the object with the old one.
	Update bool
	// Tries are changes of an object that make the condition true or false, or come near.
	Tries []Try
	// Guess is true for a comparison with a value that only objects suggest. It needs more evidence.
	Guess bool
	// oneText is true for a guess that the error is about one text. It fits the objects with that text alone, so it is no reason alone.
	oneText bool
	// Read is true if the source of the native validator says the condition, with its constants.
	Read bool
}

// withLeaf returns the condition with a rule at the field itself.
func (c Condition) withLeaf(l *leaf) Condition {
	c.Leaf = l
	return c
}

// withGuess returns the condition as one that may be a guess.
func (c Condition) withGuess(guess bool) Condition {
	c.Guess = guess
	return c
}

// leaf is a rule about one value.
type leaf struct {
	// Rule is about self; empty: only a keyword can say it.
	Rule string
	// Keywords are OpenAPI keywords with their values that say the same.
	Keywords map[string]any
	// Required is true if the rule is that the field is set.
	Required bool
	markers  []string
}

// Try is a set of changes of fields below the scope.
type Try []Change

// Change sets a field, or takes it out (absence). Before is true for the old object of an update.
type Change struct {
	Field  evidence.Place
	To     any
	Before bool
}

// ref is a field below a scope, as expressions read it.
type ref struct {
	evidence.Place
	Access string
	Guards []string         // "has(self.a)", for the optional fields on the way
	others []evidence.Place // that conditions about it read too
}

// with returns the field beside another one that conditions about it read too.
func (r ref) with(other ref) ref {
	r.others = []evidence.Place{other.Place}
	r.Guards = slices.Compact(slices.Concat(r.Guards, other.Guards))
	return r
}

// condition returns the condition that the field is set and an expression is true. The rule is the opposite of the expression.
func (r ref) condition(weight int, expr, rule string, tries []Try) Condition {
	return Condition{
		Expr: r.and(expr), Rule: r.or(rule), Weight: weight, About: r.Place, Fields: append([]evidence.Place{r.Place}, r.others...),
		Tries: tries,
	}
}

// Has returns the expression that the field is set.
func (r ref) Has() string {
	if len(r.Guards) == 0 {
		return "true"
	}
	return strings.Join(r.Guards, " && ")
}

// unset returns the expression that the field is not set.
func (r ref) unset() string {
	if len(r.Guards) == 0 {
		return "false"
	}
	var not []string
	for _, guard := range r.Guards {
		not = append(not, "!"+guard)
	}
	return strings.Join(not, " || ")
}

// and returns the expression that the field is set and something holds.
func (r ref) and(expr string) string {
	return strings.Join(append(append([]string{}, r.Guards...), expr), " && ")
}

// or returns the expression that the field is not set or something holds.
func (r ref) or(expr string) string {
	if len(r.Guards) == 0 {
		return expr
	}
	return r.unset() + " || " + expr
}

// RefOf returns a field below a scope. The scope's values are self.
func (s *Facts) RefOf(of evidence.Place) ref { return s.refIn(of, "self") }

func (s *Facts) refIn(of evidence.Place, self string) ref {
	r := ref{Place: of, Access: self}
	at := s.Schema
	for n, name := range of {
		optional := true
		if at != nil {
			declared, is := at.Properties[name]
			for _, required := range at.Required {
				optional = optional && required != name
			}
			optional = optional || s.Evidence.AbsentInStored[slices.Concat(s.Scope, of[:n+1]).String()]
			if is && declared.Default != nil {
				optional = false
			}
			at = evidence.SchemaBelow(at, name)
		}
		r.Access += "." + celexpr.Escape(name)
		if optional {
			r.Guards = append(r.Guards, "has("+r.Access+")")
		}
	}
	return r
}

// literal returns a value as CEL writes it, for a field of some type.
func literal(value any, isDouble bool) (string, bool) {
	switch value := value.(type) {
	case string:
		return celexpr.Quote(value), true
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

// Negated returns the opposite of an expression that is one comparison or call.
func Negated(expr string) string { return "!(" + expr + ")" }
