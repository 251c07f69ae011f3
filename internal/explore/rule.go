package explore

import (
	"maps"
	"slices"
)

// Rule is what a CEL expression looks at: the fields that it names and its constants.
type Rule struct {
	// Paths are fields below self (or object). The step "[*]" is any item or entry.
	Paths [][]string
	// Literals are its texts, numbers and booleans.
	Literals []any
	// Compared has the literals that a path is compared with, by the path joined with dots.
	Compared map[string][]any
	// Transition is true if it also looks at the old object.
	Transition bool
	// Params reports whether it reads the parameters of a policy.
	Params bool
}

// mostParameters bounds how many values of parameters a rule has.
const mostParameters = 60

// WithParameters returns the rule with the values of the objects that it may read as params: they are
// literals of the policy that others write.
func (r Rule) WithParameters(objects []map[string]any) Rule {
	if !r.Params {
		return r
	}
	r.Literals = slices.Clone(r.Literals)
	most := len(r.Literals) + mostParameters
	var visit func(value any, depth int)
	visit = func(value any, depth int) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				if depth > 0 || name != "apiVersion" && name != "kind" && name != "metadata" {
					visit(value[name], depth+1)
				}
			}
		case []any:
			for _, item := range value {
				visit(item, depth+1)
			}
		case string, int64, float64:
			if len(r.Literals) < most && value != "" && !slices.Contains(r.Literals, value) {
				r.Literals = append(r.Literals, value)
			}
		}
	}
	for _, object := range objects {
		visit(object, 0)
	}
	return r
}
