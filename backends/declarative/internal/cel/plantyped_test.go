package cel

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// part and whole are Go types with fields that plans read in special ways: quantities, int-or-strings, maps,
// nested optional fields.
type (
	part struct {
		Name  string              `json:"name"`
		Proto *string             `json:"proto,omitempty"`
		Port  int32               `json:"port,omitempty"`
		At    *intstr.IntOrString `json:"at,omitempty"`
		Deep  *part               `json:"deep,omitempty"`
	}
	whole struct {
		Name     string                       `json:"name,omitempty"`
		Count    *int64                       `json:"count,omitempty"`
		On       bool                         `json:"on,omitempty"`
		Port     intstr.IntOrString           `json:"port"`
		Limits   corev1.ResourceList          `json:"limits,omitempty"`
		Requests corev1.ResourceList          `json:"requests,omitempty"`
		Size     *resource.Quantity           `json:"size,omitempty"`
		Labels   map[string]string            `json:"labels,omitempty"`
		Pointers map[string]*string           `json:"pointers,omitempty"`
		Maps     map[string]map[string]string `json:"maps,omitempty"`
		Parts    []part                       `json:"parts,omitempty"`
		One      *part                        `json:"one,omitempty"`
		Names    []string                     `json:"names,omitempty"`
		Zero     int32                        `json:"zero"`
		Sel      *metav1.LabelSelector        `json:"sel,omitempty"`
	}
)

func wholeType() *types.Type {
	text, number, dyn := &types.Type{Kind: types.String}, &types.Type{Kind: types.Int}, &types.Type{Kind: types.Dyn}
	inner := &types.Type{Kind: types.Object, Name: "part", Shared: true}
	inner.Fields = []types.Field{
		{Name: "name", Type: text}, {Name: "proto", Type: text}, {Name: "port", Type: number}, {Name: "at", Type: dyn},
		{Name: "deep", Type: inner},
	}
	quantities, texts := &types.Type{Kind: types.Map, Elem: dyn}, &types.Type{Kind: types.Map, Elem: text}
	return &types.Type{Kind: types.Object, Name: "whole", Fields: []types.Field{
		{Name: "name", Type: text}, {Name: "count", Type: number}, {Name: "on", Type: &types.Type{Kind: types.Bool}},
		{Name: "port", Type: dyn},
		{Name: "limits", Type: quantities}, {Name: "requests", Type: quantities}, {Name: "size", Type: dyn},
		{Name: "labels", Type: texts}, {Name: "pointers", Type: texts},
		{Name: "maps", Type: &types.Type{Kind: types.Map, Elem: texts}},
		{Name: "parts", Type: &types.Type{Kind: types.List, Elem: inner, ListType: types.MapByKeys, Keys: []string{"name"}}},
		{Name: "one", Type: inner}, {Name: "names", Type: &types.Type{Kind: types.List, Elem: text, ListType: types.Set}},
		{Name: "zero", Type: number, StripsZero: true},
		{Name: "elsewhere", Type: text},
		{Name: "sel", Type: &types.Type{Kind: types.Object, Name: "sel", Fields: []types.Field{
			{Name: "matchLabels", Type: texts},
			{Name: "matchExpressions", Type: &types.Type{
				Kind: types.List,
				Elem: &types.Type{Kind: types.Object, Name: "expression", Fields: []types.Field{{Name: "key", Type: text}}},
			}},
		}}},
	}}
}

func wholes() map[string]*whole {
	list := func(cpu, memory string) corev1.ResourceList {
		return corev1.ResourceList{"cpu": resource.MustParse(cpu), "memory": resource.MustParse(memory)}
	}
	tcp, count, size, port := "TCP", int64(7), resource.MustParse("1Gi"), intstr.FromString("http")
	precise := resource.MustParse("100000000000000000000000001")
	return map[string]*whole{
		"empty": {},
		"full": {
			Name: "abc", Count: &count, On: true, Port: intstr.FromInt32(80), Limits: list("1", "64Mi"), Requests: list("100m", "64Mi"),
			Size:   &size,
			Labels: map[string]string{"app": "web", "tier": "front"}, Pointers: map[string]*string{"nil": nil, "tcp": &tcp},
			Maps:  map[string]map[string]string{"a": {"b": "c"}, "n": nil},
			Parts: []part{{Name: "a", Port: 80, Proto: &tcp}, {Name: "b", Port: 81, At: &port}}, Names: []string{"a", "b"}, Zero: 3,
			Sel: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			One: &part{Name: "one", Deep: &part{Name: "two", Deep: &part{Name: "three", Port: 3}}},
		},
		"requests exceed limits": {Port: port, Limits: list("1", "64Mi"), Requests: list("1001m", "65Mi"),
			One: &part{Deep: &part{}}, Parts: []part{{Name: "a"}, {Name: "a"}}},
		"selects others": {Labels: map[string]string{"app": "web"},
			Sel: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web", "tier": "back"}}},
		"selects by an invalid label": {Labels: map[string]string{"app": "a b"},
			Sel: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "a b"}}},
		"selects by an expression": {Labels: map[string]string{"app": "web"},
			Sel: &metav1.LabelSelector{
				MatchLabels:      map[string]string{"app": "web"},
				MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: metav1.LabelSelectorOpDoesNotExist}},
			}},
		"selects all": {Sel: &metav1.LabelSelector{}},
		"large, fractions, below zero": {Limits: list("1e30", "0.5"), Requests: list("123456789012345678", "-1"),
			Size: &precise, Count: new(int64)},
		"other resources": {Limits: corev1.ResourceList{"hugepages-2Mi": resource.MustParse("1500m")},
			Requests: corev1.ResourceList{"example.com/gpu": *resource.NewScaledQuantity(3000, -3)}},
	}
}

func typedRules() []string {
	return []string{
		"!has(self.limits) || !has(self.requests) || self.requests.all(name, !(name in self.limits) || " +
			"quantity(string(self.requests[name])).compareTo(quantity(string(self.limits[name]))) <= 0)",
		"self.?limits.orValue({}).all(name, quantity(string(self.limits[name])).isInteger())",
		"!has(self.limits) || self.limits.exists(n, quantity(string(self.limits[n])).isGreaterThan(quantity('1')))",
		"has(self.size) && sign(quantity(string(self.size))) > 0",
		"!has(self.size) || quantity(string(self.size)).isLessThan(quantity('1Ti'))",
		"quantity(string(self.size)).asInteger() == 1073741824",
		"self.requests['cpu'] == '100m'", "string(self.requests['cpu']) == '100m' && 'memory' in self.requests",
		"!has(self.requests) || self.requests.all(n, v, string(v) != '')",
		"self.?one.?deep.?deep.?name.orValue('none') == 'three'", "self.?one.?deep.?name.hasValue()",
		"!self.?one.?deep.?deep.?deep.?name.hasValue()", "self.?one.?deep.?port.orValue(5) == 5",
		"self.?one.?deep.orValue(self.one).name == 'two'", "self.?labels.?app.orValue('') == 'web'",
		"self.?maps.?a.?b.orValue('') == 'c' && !self.?maps.?a.?x.hasValue()", "self.?maps.?n.hasValue() || self.?maps.?a.hasValue()",
		"!has(self.elsewhere) || self.elsewhere == 'x'", "has(self.one.deep) || self.name == 'abc'",
		"!has(self.one) || !has(self.one.deep) || has(self.one.deep.name)", "has(self.name) || self.one.name == ''",
		"has(self.one) || has(self.parts) || !has(self.limits)", "has(self.zero) && self.zero == 3",
		"!has(self.zero) || self.zero > 2", "has(self.count) && self.count >= 7 && self.count != 8 && self.count < 9 && " +
			"!(self.count > 7) && self.count <= 7",
		"size(self.name) == 3 && self.name.startsWith('a') && self.name in ['x', 'abc'] && self.name.contains('b') && " +
			"self.name.matches('^[a-z]+$')", "self.name == 'abc' || self.name != self.one.name",
		"type(self.port) != int || int(self.port) >= 1 && int(self.port) <= 65535",
		"type(self.port) != string || string(self.port) == 'http'", "self.port == 80", "self.port == 'http'",
		"has(self.labels) && 'app' in self.labels && !('none' in self.labels)",
		"self.labels.all(k, k in self.labels && self.labels[k] != '')", "self.labels.size() == 2 && self.pointers.size() == 1",
		"self.pointers.all(k, self.pointers[k] == 'TCP')",
		"self.parts.all(a, self.parts.exists_one(b, a.name == b.name))", "self.parts.map(p, p.name + '/' + p.?proto.orValue('') " +
			"+ '/' + string(p.?port.orValue(0))).distinct().size() == self.parts.size()",
		"!has(self.parts) || self.parts.all(p, !has(p.at) || type(p.at) == string)", "self.parts.filter(p, has(p.proto)).size() == 1",
		"self.parts.exists(p, p.?at.orValue('') == 'http')",
		"self.maps.all(k, !has(self.maps.a) || 'b' in self.maps.a)", "self.maps.all(k, self.maps[k].all(l, l == 'b' && " +
			"self.maps[k][l] == 'c'))", "self.names.all(n, n in ['a', 'b'])",
		"labelSelector(self.sel).matches(self.labels)", "!has(self.sel) || labelSelector(self.sel).matches(self.?labels.orValue({}))",
		"labelSelector(self.sel).matches({})",
		"self.parts.all(a, self.parts.exists(b, a.name != b.name && a.?proto.orValue('') != b.?proto.orValue('')))",
		"self.?parts.orValue([]).all(a, a.name == '') || self.parts.exists(a, a.name == 'b')",
		"[has(self.count), has(self.zero), has(self.elsewhere), has(self.port)].filter(set, set).size() == 2",
		"[has(self.size), has(self.on)].exists(set, set)", "[has(self.limits), has(self.one.deep)].exists(set, set)",
		"self.one.deep.name == 'two' && oldSelf.one.deep.name == 'two'", "self.?one.?name.orValue('') == oldSelf.?one.?name.orValue('')",
		"self == oldSelf", "!has(self.limits) || !has(oldSelf.limits) || self.limits == oldSelf.limits", "has(self.on) && self.on",
	}
}

// typedUpdates are all updates of one object to the other, as Go objects and as data.
func typedUpdates(t *testing.T) []update {
	types := &view.Types{}
	of := func(object any) view.View {
		v, err := value.NewValueReflect(object)
		if err != nil {
			t.Fatal(err)
		}
		return types.Of(v)
	}
	var all []update
	for name, object := range wholes() {
		for oldName, old := range wholes() {
			val, old := of(object), of(old)
			all = append(all, update{name + " after " + oldName, val, old}, update{name + " after " + oldName + " as data",
				view.OfJSON(val.JSON()), view.OfJSON(old.JSON())})
		}
	}
	return all
}
