package object_test

import (
	"reflect"
	"testing"

	"github.com/diffrun/diffrun/internal/object"
)

func TestPathText(t *testing.T) {
	for _, row := range []struct{ why, text, dotted, general, pointer string }{
		{"the root", "", "", "", ""},
		{"a field of a field", "spec.mode", "spec.mode", "spec.mode", "/spec/mode"},
		{"an item", "spec.ports[10].name", "spec.ports[10].name", "spec.ports[*].name", "/spec/ports/10/name"},
		{"a key with a dot and a slash", "metadata.labels[example.com/a]", "metadata.labels.example.com/a", "metadata.labels[*]",
			"/metadata/labels/example.com~1a"},
		{"a number that no index is written as is a key", "spec.map[01]", "spec.map.01", "spec.map[*]", "/spec/map/01"},
		{"lists of lists", "a[0][1]", "a[0][1]", "a[*][*]", "/a/0/1"},
	} {
		p := object.Parse(row.text)
		if p.String() != row.text || p.Dotted() != row.dotted || p.General() != row.general || p.Pointer() != row.pointer {
			t.Errorf("%s: %q, dotted %q, general %q, pointer %q", row.why, p, p.Dotted(), p.General(), p.Pointer())
		}
	}
	if p := object.Parse("<nil>"); len(p) != 0 {
		t.Errorf("the root as errors write it has steps: %v", p)
	}
	if p := object.Of("spec", "ports", object.Any, "name"); p.General() != "spec.ports[*].name" {
		t.Errorf("the place of all names is %s", p.General())
	}
}

func TestAtOrBelow(t *testing.T) {
	for _, row := range []struct {
		why, path, of string
		want          bool
	}{
		{"the same", "spec.a", "spec.a", true},
		{"all is below the root", "spec.a", "", true},
		{"an item", "spec.a[0]", "spec.a", true},
		{"above", "spec", "spec.a", false},
		{"a longer name", "spec.ab", "spec.a", false},
		{"another item", "spec.a[10]", "spec.a[1]", false},
		{"the notation of a key does not matter", "labels.a.b", "labels[a]", true},
		{"a key that looks like an index does", "map[1]", "map.1", false},
	} {
		if got := object.Parse(row.path).AtOrBelow(object.Parse(row.of)); got != row.want {
			t.Errorf("%s: %s below %q: %t", row.why, row.path, row.of, got)
		}
	}
}

// TestSet: each row sets or takes out one part of the same object, which must not change.
func TestSet(t *testing.T) {
	absent := object.Absence{}
	for _, row := range []struct {
		why  string
		path object.Path
		to   any
		want map[string]any
	}{
		{"a field", object.Of("a"), "x", map[string]any{"a": "x", "list": []any{int64(1), int64(2)}}},
		{"missing maps are added", object.Of("b", "c"), "x", map[string]any{
			"a":    nil,
			"b":    map[string]any{"c": "x"},
			"list": []any{int64(1), int64(2)},
		}},
		{"a null becomes a map", object.Of("a", "c"), "x",
			map[string]any{"a": map[string]any{"c": "x"}, "list": []any{int64(1), int64(2)}}},
		{"null is a value", object.Of("list"), nil, map[string]any{"a": nil, "list": nil}},
		{"an item", object.Of("list").Item(1), "x", map[string]any{"a": nil, "list": []any{int64(1), "x"}}},
		{"an item that does not exist", object.Of("list").Item(2), "x", map[string]any{"a": nil, "list": []any{int64(1), int64(2)}}},
		{"a field is taken out", object.Of("a"), absent, map[string]any{"list": []any{int64(1), int64(2)}}},
		{"an item is taken out", object.Of("list").Item(0), absent, map[string]any{"a": nil, "list": []any{int64(2)}}},
		{"nothing is added to take out a part", object.Of("b", "c"), absent, map[string]any{"a": nil, "list": []any{int64(1), int64(2)}}},
		{"the whole object", nil, map[string]any{}, map[string]any{}},
		{"what is left is no object", nil, "x", nil},
	} {
		given := func() map[string]any { return map[string]any{"a": nil, "list": []any{int64(1), int64(2)}} }
		before := given()
		if got := row.path.Put(before, row.to); !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: %v, want %v", row.why, got, row.want)
		}
		if !reflect.DeepEqual(before, given()) {
			t.Errorf("%s: the object that came in was changed: %v", row.why, before)
		}
	}
}

func TestGet(t *testing.T) {
	value := map[string]any{"a": nil, "list": []any{map[string]any{"x": true}}, "map": map[string]any{"1": "one", "a.b": "two"}}
	for _, row := range []struct {
		why, path string
		want      any
		has       bool
	}{
		{"the root", "", value, true},
		{"null", "a", nil, true},
		{"nothing is below null", "a.b", nil, false},
		{"in an item", "list[0].x", true, true},
		{"beyond the end", "list[1]", nil, false},
		{"a field of a list", "list.x", nil, false},
		{"a key that looks like an index", "map[1]", "one", true},
		{"a key with a dot", "map[a.b]", "two", true},
	} {
		if got, has := object.Parse(row.path).Get(value); !reflect.DeepEqual(got, row.want) || has != row.has {
			t.Errorf("%s: %v, %t", row.why, got, has)
		}
	}
}

func TestFind(t *testing.T) {
	value := map[string]any{"spec": map[string]any{
		"a": int64(1), "b.c": map[string]any{"d": nil}, "b": map[string]any{"e": "x"}, "list": []any{map[string]any{"e": int64(3)}},
	}}
	for _, row := range []struct {
		why, text string
		want      object.Path
	}{
		{"a field", "spec.a", object.Of("spec", "a")},
		{"a dot in front, as in errors of a scale", ".spec.a", object.Of("spec", "a")},
		{"a key with a dot on the way", "spec.b.c.d", object.Of("spec", "b.c", "d")},
		{"a key that another one begins with", "spec.b.e", object.Of("spec", "b", "e")},
		{"a field of an item", "spec.list[0].e", object.Of("spec", "list").Item(0).Field("e")},
		{"a key in brackets", "spec[b.c]", object.Of("spec").Key("b.c")},
		{"a key in brackets on the way", "spec[b.c].d", object.Of("spec").Key("b.c").Field("d")},
		{"an item that is not there", "spec.list[1].e", nil},
		{"an item without a number", "spec.list[x]", nil},
		{"a field that is not there", "spec.none", nil},
		{"a key that is not there", "spec[none].a", nil},
		{"a field of a number", "spec.a.b", nil},
		{"the root", "", nil},
	} {
		got, found := object.Find(value, row.text)
		if found != (row.want != nil) || found && !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: %s is %v, %t", row.why, row.text, got, found)
		}
		if _, has := got.Get(value); found && !has {
			t.Errorf("%s: nothing is at %s", row.why, got)
		}
	}
}
