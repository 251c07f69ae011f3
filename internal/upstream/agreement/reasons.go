package agreement

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/upstream/capture"
)

// Reason is why some calls compare different, and will.
type Reason struct {
	Name, Why string
	// of says which calls it is about, by what this project gave for them.
	of func(c *capture.Call, got outcome) bool
}

func (r *Reason) String() string { return r.Name + ": " + r.Why }

// Reasons are all that there are.
func Reasons() []*Reason {
	return []*Reason{{
		Name: "broken pattern",
		Why:  "a pattern that is no regular expression is a mistake of the schema here, said once; upstream's validator says it of each value. The API server stores no such schema",
		of: func(_ *capture.Call, got outcome) bool {
			return got.refused && strings.Contains(got.note, "is no regular expression")
		},
	}, {
		Name: "broken messageExpression",
		Why:  "a messageExpression that does not compile is a mistake of the schema here; upstream's validator falls back on the message. The API server stores no such rule",
		of: func(_ *capture.Call, got outcome) bool {
			return got.refused && strings.Contains(got.note, ".messageExpression")
		},
	}, {
		Name: "rules below anyOf, oneOf and not",
		Why:  "KEP-4153 asks for rules below all junctors; upstream's validator runs those below allOf alone. No CustomResourceDefinition can have either",
		of: func(c *capture.Call, _ outcome) bool {
			schema, err := readSchema(c)
			return err == nil && rulesInChoices(schema)
		},
	}, {
		Name: "function of a test",
		Why:  "the rule calls a function that the test itself declares",
		of:   func(c *capture.Call, _ outcome) bool { return bytes.Contains(c.Schema, []byte("fakeFunction(")) },
	}}
}

// reasonFor gives the reason of a difference, or nothing.
func reasonFor(c *capture.Call, got outcome) *Reason {
	for _, r := range Reasons() {
		if r.of(c, got) {
			return r
		}
	}
	return nil
}

// rulesInChoices says whether a schema itself has rules below anyOf, oneOf or not.
func rulesInChoices(s *spec.Schema) bool {
	in := func(of []spec.Schema) bool {
		return slices.ContainsFunc(of, func(s spec.Schema) bool { return rulesInJunctors(&s, true) })
	}
	return in(s.AnyOf) || in(s.OneOf) || rulesInJunctors(s.Not, true)
}

// Unused names the reasons that explain none of some findings: they are to be removed.
func Unused(findings []Finding) []string {
	var names []string
	for _, r := range Reasons() {
		used := func(f Finding) bool { return f.Verdict == Explained && f.Why == r.String() }
		if !slices.ContainsFunc(findings, used) {
			names = append(names, fmt.Sprintf("the reason %q explains nothing any more", r.Name))
		}
	}
	return names
}
