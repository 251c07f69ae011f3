package view_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// namesSeen are the names of fields, by Go type, that some object had set: other objects lack some of them.
var namesSeen = map[*view.Type]map[string]bool{}

// namesTogether checks that looking up fields together finds the same fields as looking them up one by one.
func namesTogether(t *testing.T, r *view.Reader, at string, v view.View) {
	t.Helper()
	of, isStruct := v.Struct()
	if !isStruct {
		if _, ok := view.NewNames([]string{"a"}, nil).In(v); ok {
			t.Fatalf("%s is no struct and has fields", at)
		}
		return
	}
	if namesSeen[of] == nil {
		namesSeen[of] = map[string]bool{"none": true}
	}
	for _, key := range r.Keys(v) {
		namesSeen[of][key] = true
	}
	all := map[string]func(int, view.Kind) bool{
		"all": nil, "not a null": func(_ int, kind view.Kind) bool { return kind != view.Null },
		"texts": func(_ int, kind view.Kind) bool {
			return kind == view.String
		}, "nulls": func(_ int, kind view.Kind) bool { return kind == view.Null },
	}
	for chunk := range slices.Chunk(slices.Sorted(maps.Keys(namesSeen[of])), view.MostNames) {
		for why, wanted := range all {
			fields, ok := view.NewNames(chunk, wanted).In(v)
			if !ok {
				t.Fatalf("%s: no fields", at)
			}
			set := fields.MaySet()
			for i, name := range chunk {
				want, there := r.Field(v, name)
				got, found := fields.Get(i)
				if found != there || got.Kind() != want.Kind() {
					t.Fatalf("%s.%s: found %t, of kind %d; one by one %t, %d", at, name, found, got.Kind(), there, want.Kind())
				}
				isWanted := wanted == nil && want.Kind() != view.Null || wanted != nil && wanted(i, want.Kind())
				if there && isWanted && set&(1<<i) == 0 {
					t.Fatalf("%s.%s (%s) is set, to a value of kind %d, and said not to be", at, name, why, want.Kind())
				}
			}
			if unused := set >> (len(chunk) - 1) >> 1; unused != 0 {
				t.Fatalf("%s (%s): %b beyond the last name", at, why, unused)
			}
		}
	}
}

// TestNamesNotSet: unset fields are found at once among the fields that objects usually set.
func TestNamesNotSet(t *testing.T) {
	type fields struct {
		Text    string            `json:"text,omitempty"`
		Pointer *int32            `json:"pointer"`
		List    []string          `json:"list,omitempty"`
		Map     map[string]string `json:"map,omitempty"`
		Number  int32             `json:"number,omitempty"`
		Flag    bool              `json:"flag,omitempty"`
		Always  string            `json:"always"`
	}
	_, fast := bothViews(t, &view.Types{}, &fields{List: []string{}, Map: map[string]string{}})
	names := view.NewNames([]string{"text", "pointer", "list", "map", "number", "flag", "elsewhere", "always"}, nil)
	if found, _ := names.In(fast); found.MaySet() != 1<<7 {
		t.Errorf("may be set: %b, want the last alone", found.MaySet())
	}
}
