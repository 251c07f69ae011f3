package idl

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// aimed is a marker and the steps from its declaration to its target.
type aimed struct {
	marker.Line
	steps  []string // "items", "values" or ".name"
	marker *Marker
	// overwrites says that controller-tools has applied a marker that this one replaces.
	overwrites bool
}

// unknownMarker is the error for a marker that no dialect knows. why is errForeign if the marker
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
		if leavesOut(dialect, from, rest) {
			return aimed{}, &unknownMarker{marker.ErrOtherTool}
		}
		found, err := dialect.Parse("+" + rest)
		if err != nil {
			return aimed{}, err
		}
		if found != nil && found.unsilenced != nil && from.Overlay {
			found = found.unsilenced
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
func (b *builder) apply(target *Target, source, overlay []marker.Line) {
	written := b.effective(source, overlay)
	slices.SortStableFunc(written, func(a, b aimed) int {
		switch {
		case a.marker.First == b.marker.First:
			return 0
		case a.marker.First:
			return -1
		}
		return 1
	})
	seen, failed := map[string]marker.Line{}, false
	for _, each := range written {
		key := strings.Join(each.steps, ":") + "+" + each.marker.Name
		b.ledger.applied(each, target.scope.in.path)
		first, again := seen[key]
		switch {
		case !again || each.marker.Repeats:
		case !each.Overlay && first.Text == each.Text: // k8s.io/api says +optional twice here and there
			continue
		default:
			b.addLinef(each.Line, "+%s is set twice; first in %s", each.marker.Name, first.At)
			continue
		}
		seen[key] = each.Line
		b.changed = b.changed || !each.marker.applied
		target.at, target.except, target.overwrites = each.At, each.Except, each.overwrites
		if err := b.descend(target, each.steps, each.marker.Apply); err != nil {
			failed = b.failLine(each.Line, err) || failed
		}
	}
	for late := b.late; len(late) > 0; late = late[1:] {
		b.notingRules(target.node, late[0].at, func() {
			if err := late[0].do(); err != nil {
				failed = b.fail(late[0].at, "", err) || failed
			}
		})
	}
	b.late = nil
	if !failed && target.node.Type.Contains("array") {
		if err := checkListMap(target.node); err != nil {
			b.addf(target.scope.at, "%v", err)
		}
	}
}

// effective reads the markers that have an effect: the source's that no overlay replaces or
// removes, and the overlay's.
func (b *builder) effective(source, overlay []marker.Line) []aimed {
	written := b.readAll(source)
	overlay = b.markBundled(overlay)
	for _, each := range b.readAll(withoutRemovals(overlay)) {
		written = slices.DeleteFunc(written, func(other aimed) bool {
			each.overwrites = each.overwrites || replaces(each, other) && other.marker.applied
			return replaces(each, other)
		})
		written = append(written, each)
	}
	return b.remove(written, overlay)
}

// fail notes what went wrong with a marker, and says whether that is a mistake: a tag that no
// schema can say is none.
func (b *builder) fail(at strictyaml.Position, text string, err error) bool {
	if no, ok := asInexpressible(err); ok {
		b.unexpressed = append(b.unexpressed, Unexpressed{Position: at, Text: text, Why: no.why})
		return false
	}
	b.addf(at, "%v", err)
	return true
}

// addLinef adds a mistake of a line: for one in a set, where the set is used.
func (b *builder) addLinef(each marker.Line, format string, args ...any) {
	b.addf(each.At, "%s", fmt.Sprintf(format, args...)+each.Origin())
}

// failLine is fail for a line. One of a bundled overlay that does not fit the release of a
// package that somebody has is no mistake of theirs.
func (b *builder) failLine(each marker.Line, err error) bool {
	if b.bundled[each.At.File] {
		err = &inexpressible{err.Error()}
	}
	if _, no := asInexpressible(err); !no && each.Overlay {
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

// markBundled notes which lines are of bundled overlays, and puts those first, so that the
// others replace them.
func (b *builder) markBundled(lines []marker.Line) []marker.Line {
	marked := slices.Clone(lines)
	for i := range marked {
		marked[i].Bundled = b.bundled[marked[i].At.File]
	}
	slices.SortStableFunc(marked, func(x, y marker.Line) int {
		switch {
		case x.Bundled == y.Bundled:
			return 0
		case x.Bundled:
			return -1
		}
		return 1
	})
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
	if source.Overlay && !source.Bundled || !slices.Equal(overlay.steps, source.steps) || overlay.marker.group() != source.marker.group() {
		return false
	}
	return !overlay.marker.Repeats || overlay.marker.Group != ""
}

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
			if named && other.marker.applied {
				b.addf(each.At, "-%s: controller-gen makes the definition and has applied the marker, so an overlay cannot take it out", name)
			}
			return named
		})
		if len(written) < before {
			b.ledger.removed(each)
		}
	}
	return written
}

// descend follows the steps of a marker and applies it to the target.
func (b *builder) descend(target *Target, steps []string, do func(*Target) error) error {
	if len(steps) == 0 {
		return target.noting(do)
	}
	step, rest := steps[0], steps[1:]
	s := target.Schema()
	below := &Target{builder: b, scope: target.scope, at: target.at, except: target.except, overwrites: target.overwrites}
	switch kind := target.Kind(); {
	case step == "items" && kind == KindList:
		below.node = s.Items.Schema
	case step == "values" && kind == KindMap:
		below.node = s.AdditionalProperties.Schema
	case strings.HasPrefix(step, ".") && kind == KindStruct:
		return b.descendField(below, s, step[1:], rest, do)
	default:
		return fmt.Errorf("%q does not apply here: this is %s", step, article(kind))
	}
	return b.descend(below, rest, do)
}

// descendField applies a marker to a field of a field. It changes only this field's copy of the
// struct.
func (b *builder) descendField(below *Target, owner *spec.Schema, name string, rest []string, do func(*Target) error) error {
	property, ok := owner.Properties[name]
	if !ok {
		return fmt.Errorf("%q: no such field here; accepted: %s", "."+name, propertyNames(owner))
	}
	property = *clone(&property)
	below.node, below.owner, below.field = &property, owner, &fieldState{name: name}
	if err := b.descend(below, rest, do); err != nil {
		return err
	}
	if required := below.field.required; required != nil {
		owner.Required = slices.DeleteFunc(slices.Clone(owner.Required), func(other string) bool { return other == name })
		if *required {
			owner.Required = append(owner.Required, name)
		}
	}
	if strip := below.field.stripZero; strip != nil {
		delete(property.Extensions, extStripZero)
		if *strip {
			setExtension(&property, extStripZero, true)
		}
	}
	settleZero(&property, below.field)
	owner.Properties[name] = property
	return nil
}
