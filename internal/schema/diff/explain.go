package diff

import (
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/object"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Explain adds examples to the changes that explain them. An example that no change explains
// becomes an unknown change.
func Explain(changes []Change, examples []Example) []Change {
	explained := slices.Clone(changes)
	for _, example := range examples {
		at := explains(explained, example, isPrefix)
		if at < 0 {
			at = explains(explained, example, isPrefixWithDots)
		}
		if at < 0 {
			explained = append(explained, Change{
				Effect: Unknown,
				Kind:   KindUnexplained,
				Path:   general(example.Field),
				What:   "no difference found between the schemas explains this",
			})
			at = len(explained) - 1
		}
		shown := slices.ContainsFunc(explained[at].Examples, func(other Example) bool { return other.Effect == example.Effect })
		if !shown {
			explained[at].Examples = append(slices.Clip(explained[at].Examples), example)
		}
	}
	sortChanges(explained)
	return explained
}

// explains returns the change that an example shows: among those with its effect, the one at its
// field, or else the nearest above, where covers compares the paths.
func explains(changes []Change, example Example, covers func(path, field []string) bool) int {
	best, longest := -1, -1
	field := tokens(example.Field)
	for i, change := range changes {
		path := tokens(change.Path)
		// a rule may name another field
		above := change.refusedAbove() && !covers(path, field) && (isPrefix(field, path) || example.Origin == openapi.XValidations)
		if !change.mayShow(example.Effect) || !covers(path, field) && !above {
			continue
		}
		if !strings.Contains(example.Text, change.text(example.Effect)) {
			continue // the example breaks another rule
		}
		nearness := 8 * len(path)
		if above { // anything at the field explains it better
			nearness = 0
		}
		if change.text(example.Effect) != "" {
			nearness += 4
		}
		if change.errorType == example.Kind {
			nearness += 2
		} else if change.errorType != "" && change.Kind != KindField { // a field that is pruned may be required
			continue
		}
		if change.Effect == example.Effect {
			nearness++
		}
		if nearness > longest {
			best, longest = i, nearness
		}
	}
	return best
}

// mayShow reports whether an example with an effect may show the change. If a change affects stored
// values, a rule may fail.
func (c Change) mayShow(effect Effect) bool {
	return c.Effect == effect || c.Effect == Other || c.Effect == Stored || c.Effect == Unknown
}

// refusedAbove reports whether rejections that show the change may be at a value around the field.
// Rules and junctors see defaults, and a dropped null is not counted.
func (c Change) refusedAbove() bool {
	return (c.Kind == "default" || c.Kind == "nullable") && c.Effect != Stored
}

// text returns the text of rejections that show the change in one direction; "" if it is unknown.
func (c Change) text(effect Effect) string {
	if c.saysNow != "" && effect == Narrower {
		return c.saysNow
	}
	return c.says
}

// isPrefix reports whether a path of a schema covers a field of an object or is above it.
func isPrefix(path, field []string) bool {
	if len(path) > len(field) {
		return false
	}
	for i, token := range path {
		if token != field[i] && token != "*" {
			return false
		}
	}
	return true
}

// isPrefixWithDots is isPrefix for fields with keys of maps that have dots, which errors do not quote.
func isPrefixWithDots(path, field []string) bool {
	switch {
	case len(path) == 0:
		return true
	case len(path) > len(field):
		return false
	case path[0] != "*":
		return path[0] == field[0] && isPrefixWithDots(path[1:], field[1:])
	}
	for i := range field {
		if isPrefixWithDots(path[1:], field[i+1:]) {
			return true
		}
	}
	return false
}

// tokens returns the steps of a path: names, keys, and "[*]" for items.
func tokens(path string) []string {
	var all []string
	for _, step := range fieldpath.Split(strings.TrimPrefix(strings.TrimPrefix(path, fieldpath.Root), ".")) {
		if step.Bracket && (strings.Trim(step.Text, "0123456789") == "" || step.Text == "*") {
			step.Text = "[*]"
		}
		all = append(all, step.Text)
	}
	return all
}

// general returns a field with "[*]" for the indices of items.
func general(field string) string { return object.Of(tokens(field)...).General() }

// Covers reports whether a path is that of a field or above it. "*" in the path matches any name.
func Covers(path, field string) bool { return isPrefix(tokens(path), tokens(field)) }
