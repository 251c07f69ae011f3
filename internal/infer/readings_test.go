package infer

import (
	"context"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/gomodule/read"
	"github.com/diffrun/diffrun/internal/gomodule/readings"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
	"github.com/diffrun/diffrun/internal/infer/testdata/stated"
)

// inferStated infers the rules of package stated with some readings of its source.
func inferStated(t *testing.T, readings []*evidence.Reading) *Report {
	t.Helper()
	const text = ": {type: string, maxLength: 12}\n"
	crd := definition("name" + text + "stage" + text + "address" + text + "size: {type: integer, format: int32}")
	validate := func(s, _ spec) field.ErrorList {
		thing := &stated.Thing{}
		if runtime.DefaultUnstructuredConverter.FromUnstructured(map[string]any{"spec": map[string]any(s)}, thing) != nil {
			return nil
		}
		return stated.Validate(thing)
	}
	return runOf(t, crd, validate, func(target *evidence.Target) { target.Readings = readings },
		spec{"name": "a", "stage": "b", "address": "a.b", "size": int64(1)},
		spec{"name": "c", "stage": "d", "address": "c.d", "size": int64(2)},
		spec{"name": "aa", "stage": "bb", "address": "aa.bb"},
		spec{"name": "a", "stage": "f", "address": "a.f"},
		spec{"name": "g", "stage": "b", "address": "g.b"},
		spec{"name": "h", "stage": "i", "address": "h.i"})
}

// readStated returns what the source of package stated says.
func readStated(t *testing.T) []*evidence.Reading {
	t.Helper()
	loaded, err := readings.Load(t.Context(), ".", "./testdata/stated")
	if err != nil {
		t.Fatal(err)
	}
	all, _ := loaded.Of("Thing")
	if len(all) != 3 {
		t.Fatalf("%d places that make errors were read, want 3", len(all))
	}
	return all
}

// siteOf returns the site of a field in a report.
func siteOf(t *testing.T, report *Report, field string) proposal.Site {
	t.Helper()
	at := slices.IndexFunc(report.Sites, func(s proposal.Site) bool { return s.Field == field })
	if at < 0 {
		t.Fatalf("no error of %s:\n%s", field, report.Text())
	}
	return report.Sites[at]
}

// TestReadings: what only the source says is proven, and the report names the line, the condition and what could not be read.
func TestReadings(t *testing.T) {
	t.Parallel()
	without, with := inferStated(t, nil), inferStated(t, readStated(t))
	if s := siteOf(t, without, "spec.address"); s.Status == proposal.Proven {
		t.Errorf("it is proven without the source, so this test shows nothing:\n%s", without.Text())
	}
	if s := siteOf(t, with, "spec.address"); s.Status != proposal.Proven {
		t.Errorf("it is not proven:\n%s", with.Text())
	}
	text, _, _ := strings.Cut(with.Text(), "\nRules of today's schema")
	golden(t, "readings.txt", text)
}

// TestWrongReadings: a reading that is wrong costs a few questions. The rules are those that answers show.
func TestWrongReadings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, condition, rule, outcome string }{
		{"too strict", "self.spec.size > 1", "self.spec.size <= 1", "is refuted: it is true for an accepted object"},
		{"too loose", "self.spec.size > 8", "self.spec.size <= 8", "does not explain all errors"},
		{"another field, of which an input is made", "self.spec.name == 'none'", "self.spec.name != 'none'",
			"is refuted: it is true for an accepted object"},
		{"another type", "self.spec.size == 'a'", "self.spec.size != 'a'", "cannot be evaluated with the schema"},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			size := &evidence.Reading{Site: read.Site{Type: "Invalid", Field: "spec.size", Text: "is too large"}}
			size.Condition, size.Rule = celexpr.Parse(c.condition), celexpr.Parse(c.rule)
			report := runOf(t, definition("size: {type: integer}\nname: {type: string, maxLength: 9}"), func(s, _ spec) field.ErrorList {
				if s.number("size") > 7 {
					return field.ErrorList{field.Invalid(at.Child("size"), s.number("size"), "is too large")}
				}
				return nil
			}, func(target *evidence.Target) { target.Readings = []*evidence.Reading{size} }, spec{"size": int64(1), "name": "a"})
			s := siteOf(t, report, "spec.size")
			if want := []string{"spec.size: maximum: 7"}; s.Status != proposal.Proven || !slices.Equal(s.Rules, want) {
				t.Errorf("%s, rules %q, want %q", s.Status, s.Rules, want)
			}
			if len(s.Read) != 1 || s.Read[0].Outcome != c.outcome {
				t.Errorf("read %+v, want that it %s", s.Read, c.outcome)
			}
		})
	}
}

// TestReadTexts: errors whose texts differ by a word of the API are one site, if the source says that one line makes them.
func TestReadTexts(t *testing.T) {
	t.Parallel()
	const properties = `
size: {type: integer}
mode: {type: string, enum: [Fast, Slow, Lazy, Eager, Never, Always, Often]}`
	sites := func(readings ...*evidence.Reading) int {
		report := runOf(t, definition(properties), func(s, _ spec) field.ErrorList {
			if mode := s.text("mode"); mode != "" && s.number("size") < 3 {
				return field.ErrorList{field.Invalid(at.Child("mode"), nil, "mode "+mode+" needs a larger size")}
			}
			return nil
		}, func(target *evidence.Target) { target.Readings = readings }, spec{"size": int64(3), "mode": "Fast"})
		return len(report.Sites)
	}
	if n := sites(); n != 7 {
		t.Errorf("%d sites without the source, want one for each mode", n)
	}
	line := &evidence.Reading{Site: read.Site{Type: "error", Text: "mode … needs a larger size"}}
	line.Condition, line.Rule = celexpr.Parse("self.spec.size < 3"), celexpr.Parse("self.spec.size >= 3")
	if n := sites(line); n != 1 {
		t.Errorf("%d sites with the source, want 1", n)
	}
}

// TestReadingsOfCreates: a place that no update comes to is a rule about new objects. If updates have its errors, the source was
// read wrongly, and the rule is about all objects.
func TestReadingsOfCreates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why     string
		updates bool // have the error
		want    string
	}{
		{"only creates", false, "spec: oldSelf.hasValue() || !has(self.size) || self.size <= 7"},
		{"updates too", true, "spec.size: maximum: 7"},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			all := readings.Add(nil, read.Site{
				Type: "Invalid", Field: "spec.size", Text: "is too large",
				Condition: celexpr.Parse("has(self.spec.size) && self.spec.size > 7"),
				Rule:      celexpr.Parse("!has(self.spec.size) || self.spec.size <= 7"),
			}, "CREATE")
			report := runOf(t, definition("size: {type: integer}\nname: {type: string, maxLength: 9}"), func(s, old spec) field.ErrorList {
				if s.number("size") > 7 && (old == nil || c.updates) {
					return field.ErrorList{field.Invalid(at.Child("size"), s.number("size"), "is too large")}
				}
				return nil
			}, func(about *evidence.Target) { about.Readings = all }, spec{"size": int64(1), "name": "a"})
			if s := siteOf(t, report, "spec.size"); s.Status != proposal.Proven || !slices.Equal(s.Rules, []string{c.want}) {
				t.Errorf("%s, rules %q, want %q\n%s", s.Status, s.Rules, c.want, report.Text())
			}
		})
	}
}

// TestReadingsAfterMutation: rules are about the objects that mutating admission made, and so are readings. This one is false for
// refused objects as they are sent, which have no mode.
func TestReadingsAfterMutation(t *testing.T) {
	t.Parallel()
	crd := definition("size: {type: integer}\nmode: {type: string, enum: [Small, Large]}\nname: {type: string, maxLength: 9}")
	target := worldOf(t, crd, func(r request) field.ErrorList {
		if r.object["mode"] == "Small" && r.object.number("size") > 7 {
			return invalid("size", r.object.number("size"), "is too large")
		}
		return nil
	}, spec{"size": int64(1), "name": "a"}, spec{"size": int64(1), "mode": "Large"})
	guards := target.Harness.Target()
	for n := range guards.Versions {
		for _, side := range []*harness.Backend{&guards.Versions[n].Native, &guards.Versions[n].Declarative} {
			guarded := (*side).(world.World)
			guarded.Mutate.Mutator = world.MutatorFunc(func(_ context.Context, object map[string]any) error {
				if s, is := object["spec"].(map[string]any); is && s["mode"] == nil {
					s["mode"] = "Small"
				}
				return nil
			})
			*side = guarded
		}
	}
	size := &evidence.Reading{Site: read.Site{Type: "Invalid", Field: "spec.size", Text: "is too large"}}
	size.Condition = celexpr.Parse("has(self.spec.mode) && self.spec.mode == 'Small' && has(self.spec.size) && self.spec.size > 7")
	size.Rule = celexpr.Parse("!has(self.spec.mode) || self.spec.mode != 'Small' || !has(self.spec.size) || self.spec.size <= 7")
	target.Readings = []*evidence.Reading{size}
	report, err := Run(t.Context(), target, options())
	if err != nil {
		t.Fatal(err)
	}
	if s := siteOf(t, report, "spec.size"); s.Status != proposal.Proven || s.Read[0].Outcome != "explains the errors" {
		t.Errorf("%s, the reading %s\n%s", s.Status, s.Read[0].Outcome, report.Text())
	}
}

// TestReadingsOfDroppedFields: a Go type has fields that the definition lacks, and the API server drops them. They are not set,
// wherever a condition asks for them, so that it can be evaluated.
func TestReadingsOfDroppedFields(t *testing.T) {
	t.Parallel()
	crd := definition("size: {type: integer}\nitems: {type: array, maxItems: 9, items: {type: object, required: [name], " +
		"properties: {name: {type: string, maxLength: 9}, free: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}")
	size := &evidence.Reading{Site: read.Site{Type: "Invalid", Field: "spec.size", Text: "is too large"}}
	size.Condition = celexpr.Parse("has(self.spec.size) && (has(self.spec.gone) && self.spec.gone.exists(y, y > 1) || " +
		"has(self.spec.items) && self.spec.items.exists(i, x, " +
		"x.?label.orValue('') == 'a' || x.?label.?text != self.spec.items[i].?gone || " +
		"(has(x.name) ? x.name : '') == 'big')) && self.spec.size > 7")
	size.Rule = celexpr.Parse("!has(self.spec.size) || (!has(self.spec.gone) || self.spec.gone.all(y, y <= 1)) && " +
		"(!has(self.spec.items) || self.spec.items.all(i, x, " +
		"x.?label.orValue('') != 'a' && x.?label.?text == self.spec.items[i].?gone && " +
		"(has(x.name) ? x.name : '') != 'big')) || self.spec.size <= 7")
	report := runOf(t, crd, func(s, _ spec) field.ErrorList {
		isBig := slices.ContainsFunc(s.itemsOf("items"), func(item spec) bool { return item["name"] == "big" })
		if isBig && s.number("size") > 7 {
			return field.ErrorList{field.Invalid(at.Child("size"), s.number("size"), "is too large")}
		}
		return nil
	}, func(target *evidence.Target) { target.Readings = []*evidence.Reading{size} },
		spec{"size": int64(1), "items": []any{map[string]any{"name": "big"}}}, spec{"size": int64(9)})
	want := []string{"spec: !has(self.size) || !has(self.items) || self.items.all(i, x, x.name != 'big') || self.size <= 7"}
	if s := siteOf(t, report, "spec.size"); s.Status != proposal.Proven || !slices.Equal(s.Rules, want) {
		t.Errorf("%s, rules %q, want %q\n%s", s.Status, s.Rules, want, report.Text())
	}
}
