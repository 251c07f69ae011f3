package graph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	upstream "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// FuzzAdapter: rules see an object as they do in the API server, whatever the object is, even if it does not
// match the schema. CEL operations on a value panic where they panic there.
func FuzzAdapter(f *testing.F) {
	for seed := range uint64(64) {
		src := generate.Seeded(seed)
		data := make([]byte, 512)
		for i := range data {
			data[i] = byte(src.IntN(256))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 16<<10 {
			t.Skip("too large")
		}
		src := generate.Bytes(data)
		props := randomschema.Make(src, randomschema.Options{Depth: 3, Nodes: 12, WithoutRules: true})
		opts := generate.ObjectOptions{Faults: 4, Values: 20}
		obj := generate.Object(src, props, opts)
		other := generate.Vary(src, props, obj, opts)
		ours, theirs := adapters(t, props)
		show := func() string { return served.Text([]any{props, obj, other}) }
		if diff := cmp.Diff(seen(theirs(obj), ""), seen(ours(obj), "")); diff != "" {
			t.Fatalf("API server against ours:\n%s\n%s", diff, show())
		}
		// The API server compares the entries of maps in the order of Go's maps. If that has several results,
		// any of them is accepted.
		got, first, answers := together(ours(obj), ours(other)), "", map[string]map[string]bool{}
		for range 32 {
			want := together(theirs(obj), theirs(other))
			diff := cmp.Diff(want, got)
			if diff == "" {
				return
			}
			if first == "" {
				first = diff
			}
			for at, said := range want {
				if answers[at] == nil {
					answers[at] = map[string]bool{}
				}
				answers[at][said] = true
			}
		}
		for at, said := range got {
			if !answers[at][said] {
				t.Fatalf("two values, at %s, API server against ours:\n%s\n%s", at, first, show())
			}
		}
	})
}

// adapters return objects of a schema as values for rules, here and in the API server.
func adapters(t *testing.T, props *apiextensionsv1.JSONSchemaProps) (ours, theirs func(any) ref.Val) {
	t.Helper()
	structural, s := served.Structural(t, props), served.Converted(t, props)
	// The rule has the types prepared for rules.
	s.AddExtension("x-kubernetes-validations", []any{map[string]any{"rule": "self == self"}})
	c := newCompiler(Options{CustomResource: true})
	root := c.compile(s)
	if len(c.mistakes) > 0 {
		t.Fatal(c.mistakes)
	}
	typ := root.typ
	return func(v any) ref.Val { return types.ValueOf(new(view.Reader), view.OfJSON(v), typ) },
		func(v any) ref.Val { return upstream.UnstructuredToVal(v, structural) }
}

// seen returns everything in a value, by path. Errors are only recorded as errors; package declarative
// compares their texts.
func seen(v ref.Val, at string) map[string]string {
	all := map[string]string{}
	look(v, at, all)
	return all
}

func look(v ref.Val, at string, all map[string]string) {
	switch v := v.(type) {
	case *celtypes.Err:
		all[at] = "error"
	case traits.Mapper:
		all[at] = fmt.Sprintf("map of %v", v.Size())
		for _, key := range keysOf(v) {
			entry, found := v.Find(celtypes.String(key))
			all[at+"."+key] = fmt.Sprint(found, v.Contains(celtypes.String(key)))
			if found {
				look(entry, at+"."+key, all)
			}
		}
		for _, key := range []ref.Val{celtypes.String("absent"), celtypes.String("__if__"), celtypes.String(""), celtypes.Int(1)} {
			entry, found := v.Find(key)
			all[at+"?"+fmt.Sprint(key)] = fmt.Sprint(found, celtypes.IsError(entry), celtypes.IsError(v.Get(key)))
		}
	case traits.Lister:
		all[at] = fmt.Sprintf("list of %v", v.Size())
		size, _ := v.Size().(celtypes.Int)
		for i := range size {
			look(v.Get(i), fmt.Sprintf("%s[%d]", at, i), all)
		}
		n := celtypes.Int(0)
		for it := v.Iterator(); it.HasNext() == celtypes.True; it.Next() {
			n++
		}
		all[at+"?"] = fmt.Sprint(n, celtypes.IsError(v.Get(size)), celtypes.IsError(v.Get(celtypes.Int(-1))),
			celtypes.IsError(v.Get(celtypes.String("x"))))
	default:
		all[at] = fmt.Sprintf("%s %v", v.Type().TypeName(), v.Value())
	}
}

func keysOf(m traits.Mapper) []string {
	var keys []string
	for it := m.Iterator(); it.HasNext() == celtypes.True; {
		if key, ok := it.Next().(celtypes.String); ok {
			keys = append(keys, string(key))
		}
	}
	slices.Sort(keys)
	return keys
}

// together returns the results of operators on two values, and on the parts that both have.
func together(a, b ref.Val) map[string]string {
	all := map[string]string{}
	pairUp(a, b, "", all)
	return all
}

func pairUp(a, b ref.Val, at string, all map[string]string) {
	if celtypes.IsError(a) || celtypes.IsError(b) {
		return
	}
	all[at+" =="] = answer(func() ref.Val { return a.Equal(b) })
	all[at+" == itself"] = answer(func() ref.Val { return a.Equal(a) })
	switch a := a.(type) {
	case traits.Mapper:
		b, ok := b.(traits.Mapper)
		if !ok {
			return
		}
		for _, key := range keysOf(a) {
			one, inOne := a.Find(celtypes.String(key))
			other, inOther := b.Find(celtypes.String(key))
			if inOne && inOther {
				pairUp(one, other, at+"."+key, all)
			}
		}
	case traits.Lister:
		b, ok := b.(traits.Lister)
		if !ok {
			return
		}
		all[at+" in"] = answer(func() ref.Val { return a.Contains(b.Get(celtypes.Int(0))) })
		all[at+" +"] = answer(func() ref.Val { return celtypes.String(fmt.Sprint(seen(a.Add(b), ""))) })
		all[at+" + =="] = answer(func() ref.Val { return a.Add(b).Equal(b.Add(a)) })
		all[at+" + + =="] = answer(func() ref.Val { return a.Add(b).(traits.Lister).Add(b).Equal(a.Add(b)) })
		all[at+" == after +"] = answer(func() ref.Val { return a.Equal(b) })
	}
}

// answer formats a result.
func answer(ask func() ref.Val) (said string) {
	defer func() {
		if p := recover(); p != nil {
			said = fmt.Sprintf("panic: %v", p)
		}
	}()
	v := ask()
	if celtypes.IsError(v) {
		return "error"
	}
	return strings.TrimSpace(fmt.Sprintf("%s %v", v.Type().TypeName(), v.Value()))
}
