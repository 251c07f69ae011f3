package cel_test

import (
	"context"
	"strings"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// short is a set of formats with one member.
func short(format, text string) ([]string, bool) {
	if format != "short" {
		return nil, false
	}
	if len(text) > 2 {
		return []string{"too long", "by far"}, true
	}
	return nil, true
}

func newEnv(t *testing.T) *cel.Env {
	t.Helper()
	l, err := cel.NewLanguage(nil, short)
	if err != nil {
		t.Fatal(err)
	}
	return l.NewEnv(1_000_000)
}

// node is the type of a tree: each has a name and children, which are trees.
func node() *types.Type {
	n := &types.Type{Kind: types.Object, Name: "node", Shared: true}
	one := int64(3)
	n.Fields = []types.Field{
		{Name: "name", Type: &types.Type{Kind: types.String, Bound: &one}},
		{Name: "children", Type: &types.Type{Kind: types.List, Elem: n, ListType: types.MapByKeys, Keys: []string{"name"}}},
		{Name: "labels", Type: &types.Type{Kind: types.Map, Elem: &types.Type{Kind: types.String}}},
		{Name: "empty", Type: &types.Type{Kind: types.Int}, StripsZero: true},
		{Name: "if", Type: &types.Type{Kind: types.Bool}},
		{Name: "hidden", Type: &types.Type{Kind: types.None, Opaque: true}},
	}
	return n
}

type tree struct {
	Name     string            `json:"name"`
	Children []tree            `json:"children,omitempty"`
	Labels   map[string]string `json:"labels"`
	Empty    int               `json:"empty"`
	If       bool              `json:"if"`
	Hidden   map[string]any    `json:"hidden,omitempty"`
}

// TestRun evaluates rules on a typed tree and on the same tree as data.
func TestRun(t *testing.T) {
	object := &tree{Name: "a", If: true, Children: []tree{
		{Name: "b", Labels: map[string]string{"x": "1", "y": "2"}, Hidden: map[string]any{"z": []any{int64(1)}}},
		{Name: "c", Children: []tree{{Name: "d"}}},
	}}
	typed, err := value.NewValueReflect(object)
	if err != nil {
		t.Fatal(err)
	}
	data := value.NewValueInterface(typed.Unstructured())
	for _, tt := range []struct {
		rule, why string
		outcome   cel.Outcome
		detail    string
	}{
		{rule: "self.name == 'a'", why: "a field"},
		{rule: "self.name == 'b'", why: "a rule that is false", outcome: cel.Failed, detail: "failed rule: self.name == 'b'"},
		{rule: "self.children[1].children[0].name == 'd'", why: "a recursive type"},
		{rule: "self.children.map(c, c.name) == ['b', 'c']", why: "a list is a list"},
		{rule: "self.children + [self.children[0]] == self.children", why: "+ merges by keys"},
		{rule: "self.children[0] in self.children && !(self in self.children)", why: "membership"},
		{rule: "self.children[0] == self.children[0] && self.children[0] != self.children[1]", why: "equality, with undeclared fields"},
		{rule: "self.children[0].labels == {'y': '2', 'x': '1'}", why: "a map equals a literal"},
		{rule: "self.children[0].labels.map(k, k) == ['x', 'y']", why: "keys come sorted"},
		{rule: "!has(self.empty) && !has(self.labels) && has(self.__if__)", why: "stripped and nil fields are not set"},
		{rule: "self.if && self.__if__", why: "a reserved word has two names"},
		{rule: "self.empty == 0", why: "and cannot be read", outcome: cel.Broken,
			detail: "no such key: empty evaluating rule: self.empty == 0"},
		{rule: "self.name.isFormat('short') && self.name.validateFormat('short') == []", why: "a format"},
		{rule: "(self.name + 'xx').validateFormat('short') == ['too long', 'by far']", why: "and an error in it"},
		{rule: "labelSelector({'matchLabels': {'x': '1'}}).matches(self.children[0].labels)", why: "a selector"},
		{rule: "labelSelector(self.children[0]).matches({})", why: "an object without selectors selects everything"},
		{rule: "labelSelector({'MatchLabels': {'x': 'other'}}).matches(self.children[0].labels)",
			why: "keys are case-sensitive: this selects everything, too"},
		{rule: "labelSelector(self.name).matches({})", why: "and a text is not one", outcome: cel.Broken,
			detail: "not a label selector: json: cannot unmarshal string into Go value of type v1.LabelSelector evaluating rule: " +
				"labelSelector(self.name).matches({})"},
		{rule: "self.children.all(a, self.children.all(b, a.name.matches(b.name + '+') == (a.name == b.name)))", why: "nested"},
	} {
		p, mistakes := newEnv(t).Compile(cel.Rule{Rule: tt.rule}, node())
		if len(mistakes) > 0 {
			t.Errorf("%s: %v", tt.rule, mistakes)
			continue
		}
		for name, v := range map[string]value.Value{"typed": typed, "data": data} {
			e := cel.NewEvaluator()
			e.Reset(1_000_000)
			outcome, details := e.Run(context.Background(), p, view.Of(v), view.View{}, false)
			if outcome != tt.outcome || strings.Join(details, "; ") != tt.detail {
				t.Errorf("%s, %s: %s: outcome %d %q, want %d %q", name, tt.why, tt.rule, outcome, details, tt.outcome, tt.detail)
			}
		}
	}
}
