package idl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/kep4153"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// aimed is a marker and the steps from its declaration to its target.
type aimed struct {
	marker.Line
	steps  []string // "items", "values" or ".name"
	marker *target.Marker
	// applied means that controller-tools has applied the marker.
	applied bool
	// overwrites means that the marker replaces one that controller-tools has applied.
	overwrites bool
}

// unknownMarker is the error for a marker that no dialect knows. why is marker.ErrOtherTool if it
// probably belongs to another tool.
type unknownMarker struct{ why error }

func (u *unknownMarker) Error() string { return u.why.Error() }

func (u *unknownMarker) Unwrap() error { return u.why }

// read parses one line.
func (b *builder) read(from marker.Line) (aimed, error) {
	if again, twice := strings.CutPrefix(from.Text, "++"); twice && !from.Overlay {
		if _, err := b.read(marker.Line{Text: "+" + again}); errors.Is(err, marker.ErrOtherTool) {
			return aimed{}, err
		}
		return aimed{}, &unknownMarker{fmt.Errorf("a marker begins with one plus sign; did you mean +%s?", again)}
	}
	steps, rest := marker.CutSteps(marker.Scannable(from.Text))
	for _, dialect := range b.dialects {
		if dialect.ignores(from, rest) {
			return aimed{}, &unknownMarker{marker.ErrOtherTool}
		}
		found, err := dialect.parser.Parse("+" + rest)
		if err != nil {
			return aimed{}, err
		}
		if found != nil && !from.Overlay && slices.Contains(b.applied, found.Name) {
			return aimed{Line: from, steps: steps, marker: alreadyApplied(found), applied: true}, nil
		}
		if found != nil {
			return aimed{Line: from, steps: steps, marker: found}, nil
		}
	}
	if from.Overlay {
		name, _ := marker.SplitName("+" + rest)
		return aimed{}, b.vocabulary.Unknown(name)
	}
	return aimed{}, &unknownMarker{b.vocabulary.Explain(from.Text)}
}

// apply applies the markers of one type or field: the source's markers that no overlay replaces,
// then the overlay's.
func (b *builder) apply(to *target.Target, in scope, source, overlay []marker.Line) {
	written := b.effective(source, overlay)
	slices.SortStableFunc(written, func(x, y aimed) int { return trueFirst(x.marker.First, y.marker.First) })
	seen, failed := map[string]marker.Line{}, false
	to.Begin()
	for _, each := range written {
		key := strings.Join(each.steps, ":") + "+" + each.marker.Name
		b.usage.applied(each, in.in.Path)
		first, again := seen[key]
		switch {
		case !again || each.marker.Repeats:
		case !each.Overlay && first.Text == each.Text: // k8s.io/api has +optional twice in some places
			continue
		default:
			b.addLinef(each.Line, "+%s is set twice; first in %s", each.marker.Name, first.At)
			continue
		}
		seen[key] = each.Line
		b.changed = b.changed || !each.applied
		to.Line = target.Line{At: each.At, Except: each.Except, Bundled: each.Bundled, Overwrites: each.overwrites}
		if err := to.Below(each.steps, each.marker.Apply); err != nil {
			failed = b.failLine(each.Line, err) || failed
		}
	}
	failed = to.Finish() || failed
	if !failed && to.Node.Type.Contains("array") {
		if err := kep4153.CheckListMap(to.Node); err != nil {
			b.addf(in.at, "%v", err)
		}
	}
}

// trueFirst orders true before false.
func trueFirst(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return -1
	}
	return 1
}

// effective reads the markers that have an effect: the source's that no overlay replaces or
// removes, and the overlay's.
func (b *builder) effective(source, overlay []marker.Line) []aimed {
	written := b.readAll(source)
	overlay = b.markBundled(overlay)
	for _, each := range b.readAll(withoutRemovals(overlay)) {
		written = slices.DeleteFunc(written, func(other aimed) bool {
			each.overwrites = each.overwrites || replaces(each, other) && other.applied
			return replaces(each, other)
		})
		written = append(written, each)
	}
	return b.remove(written, overlay)
}

// fail records a mistake in a marker, and reports whether it is one. A marker that no schema can express is
// not a mistake.
func (b *builder) fail(at strictyaml.Position, text string, err error) bool {
	var no *target.Inexpressible
	if errors.As(err, &no) {
		b.unexpressed = append(b.unexpressed, Unexpressed{Position: at, Text: text, Why: no.Why})
		return false
	}
	b.addf(at, "%v", err)
	return true
}

// addLinef adds a mistake in a line. For a line of a set, the message says where the set is used.
func (b *builder) addLinef(each marker.Line, format string, args ...any) {
	b.addf(each.At, "%s", fmt.Sprintf(format, args...)+each.Origin())
}

// failLine is fail for a line. A line of a bundled overlay may not fit the release of a package
// that a project uses, which is not a mistake of the project.
func (b *builder) failLine(each marker.Line, err error) bool {
	if b.bundled[each.At.File] {
		err = &target.Inexpressible{Why: err.Error()}
	}
	if no := (*target.Inexpressible)(nil); !errors.As(err, &no) && each.Overlay {
		err = errors.New(err.Error() + each.Origin())
	}
	return b.fail(each.At, each.Text, err)
}

func (b *builder) readAll(lines []marker.Line) []aimed {
	var all []aimed
	for _, each := range lines {
		read, err := b.read(each)
		var unknown *unknownMarker
		switch {
		case err == nil:
			all = append(all, read)
		case each.Overlay: // reported when the overlays were checked
		case !errors.As(err, &unknown): // checkSources reports those
			b.addf(each.At, "%v", err)
		}
	}
	return all
}

// markBundled marks the lines of bundled overlays and puts them first, so the others replace them.
func (b *builder) markBundled(lines []marker.Line) []marker.Line {
	marked := slices.Clone(lines)
	for i := range marked {
		marked[i].Bundled = b.bundled[marked[i].At.File]
	}
	slices.SortStableFunc(marked, func(x, y marker.Line) int { return trueFirst(x.Bundled, y.Bundled) })
	return marked
}

func withoutRemovals(lines []marker.Line) []marker.Line {
	return slices.DeleteFunc(slices.Clone(lines), marker.Line.Removes)
}

// replaces reports whether an overlay's marker replaces the source's.
func replaces(overlay, source aimed) bool {
	if overlay.Bundled && source.Bundled {
		return false
	}
	if source.Overlay && !source.Bundled || !slices.Equal(overlay.steps, source.steps) ||
		groupOf(overlay.marker) != groupOf(source.marker) {
		return false
	}
	return !overlay.marker.Repeats || overlay.marker.Group != ""
}

// groupOf returns the group of markers that an overlay replaces together.
func groupOf(m *target.Marker) string { return cmp.Or(m.Group, m.Name) }

// remove removes the markers that an overlay's "-name" lines name.
func (b *builder) remove(written []aimed, overlay []marker.Line) []aimed {
	for _, each := range overlay {
		if !each.Removes() {
			continue
		}
		steps, name := marker.CutSteps(each.Text)
		before := len(written)
		written = slices.DeleteFunc(written, func(other aimed) bool {
			named := !other.Overlay && (other.marker.Name == name || other.marker.Short == name) && slices.Equal(other.steps, steps)
			if named && other.applied {
				b.addf(each.At, "-%s: controller-gen makes the definition and has applied the marker, so an overlay cannot remove it", name)
			}
			return named
		})
		if len(written) < before {
			b.usage.removed(each)
		}
	}
	return written
}
