package rules

import (
	"slices"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// IsNew is the rule that an object is not new, where oldSelf is optional.
const IsNew = "oldSelf.hasValue()"

// Condition says when the native validator may report an error, as a CEL expression about the values
// at a scope. What it means is left to CEL.
type Condition struct {
	// Refuses is true where the error is reported, and Rule is its opposite as one writes it by hand.
	Refuses, Rule celexpr.Expr
	text          string // of Refuses
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

// Expr returns the text of the expression that is true where the error is reported.
func (c *Condition) Expr() string {
	if c.text == "" {
		c.text = celexpr.String(c.Refuses)
	}
	return c.text
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
	// Rule is about self; nil: only a keyword can say it.
	Rule celexpr.Expr
	// Keywords are OpenAPI keywords with their values that say the same.
	Keywords map[string]any
	// Required is true if the rule is that the field is set.
	Required bool
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
	Access     celexpr.Expr
	Guards     []celexpr.Expr   // "has(self.a)", for the optional fields on the way
	isOptional bool             // the last guard is that of the field itself
	others     []evidence.Place // that conditions about it read too
}

// with returns the field beside another one that conditions about it read too.
func (r ref) with(other ref) ref {
	r.others = []evidence.Place{other.Place}
	r.Guards = distinctTexts(slices.Concat(r.Guards, other.Guards))
	return r
}

// distinctTexts returns the first expression with each text.
func distinctTexts(of []celexpr.Expr) (all []celexpr.Expr) {
	known := map[string]bool{}
	for _, e := range of {
		if text := celexpr.String(e); !known[text] {
			known[text], all = true, append(all, e)
		}
	}
	return all
}

// condition returns the condition that the field is set and an expression is true. The rule is the opposite of the expression.
func (r ref) condition(weight int, refuses, rule celexpr.Expr, tries []Try) Condition {
	return Condition{
		Refuses: r.and(refuses), Rule: r.or(rule), Weight: weight, About: r.Place, Fields: append([]evidence.Place{r.Place}, r.others...),
		Tries: tries,
	}
}

// Has returns the expression that the field is set.
func (r ref) Has() celexpr.Expr {
	if len(r.Guards) == 0 {
		return celexpr.Literal(true)
	}
	return celexpr.And(r.Guards...)
}

// unset returns the expression that the field is not set.
func (r ref) unset() celexpr.Expr {
	if len(r.Guards) == 0 {
		return celexpr.Literal(false)
	}
	return celexpr.Or(negated(r.Guards)...)
}

// negated returns the opposites of expressions.
func negated(of []celexpr.Expr) (all []celexpr.Expr) {
	for _, e := range of {
		all = append(all, celexpr.Not(e))
	}
	return all
}

// and returns the expression that the field is set and something holds.
func (r ref) and(e celexpr.Expr) celexpr.Expr {
	return celexpr.And(append(slices.Clip(r.Guards), e)...)
}

// or returns the expression that the field is not set or something holds.
func (r ref) or(e celexpr.Expr) celexpr.Expr { return celexpr.Or(append(negated(r.Guards), e)...) }

// RefOf returns a field below a scope. The scope's values are self.
func (s *Facts) RefOf(of evidence.Place) ref { return s.refIn(of, self) }

func (s *Facts) refIn(of evidence.Place, object celexpr.Expr) ref {
	r := ref{Place: of, Access: object}
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
		r.Access = celexpr.Field(r.Access, name)
		if r.isOptional = optional; optional {
			r.Guards = append(r.Guards, celexpr.Has(r.Access))
		}
	}
	return r
}

// self and oldSelf are the variables of a rule.
var self, oldSelf = celexpr.Name("self"), celexpr.Name("oldSelf")

// literal returns a number of a document as CEL writes it, for a field of some type.
func literal(value any, isDouble bool) celexpr.Expr {
	if n, isWhole := value.(int64); isWhole && isDouble {
		value = float64(n)
	}
	return celexpr.Literal(value)
}

// equals returns the expressions that two values are equal, and that they are not.
func equals(a, b celexpr.Expr) (equal, differ celexpr.Expr) {
	return celexpr.Call(operators.Equals, a, b), celexpr.Call(operators.NotEquals, a, b)
}
