package structural_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/served"
)

var (
	mutants = flag.Int("structural.mutants", 80, "changed CustomResourceDefinitions to hold against the API server's code, "+
		"of each that there is")
	mutantSeed = flag.Uint64("structural.seed", 0, "the first seed of these")
)

// TestMutants changes CustomResourceDefinitions keyword by keyword, and compares the errors of a create and
// of an update with those of the API server's strategy for definitions.
func TestMutants(t *testing.T) {
	found := map[string]int{}
	hold := func(name string, base map[string]any, n int) {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(n) {
				holdMutant(t, base, *mutantSeed+seed, found)
			}
		})
	}
	for name, text := range mutated() {
		var base map[string]any
		if err := yaml.Unmarshal([]byte(text), &base); err != nil {
			t.Fatal(err)
		}
		hold(name, base, *mutants)
	}
	for _, kind := range []string{"creation refused", "update refused", "creation allowed", "update allowed"} {
		if found[kind] < *mutants/5 {
			t.Errorf("%s: only %d of %d mutants", kind, found[kind], *mutants)
		}
	}
}

// TestMutantsOfRealDefinitions is TestMutants for real definitions, which are large.
func TestMutantsOfRealDefinitions(t *testing.T) {
	for _, file := range served.Definitions(t) {
		base, err := runtime.DefaultUnstructuredConverter.ToUnstructured(served.Definition(t, file))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			found := map[string]int{}
			for seed := range uint64(max(2, *mutants/200)) {
				holdMutant(t, base, *mutantSeed+seed, found)
			}
			if found["creation refused"]+found["creation allowed"] == 0 || found["update refused"]+found["update allowed"] == 0 {
				t.Errorf("the API server's code judged none: %v", found)
			}
		})
	}
}

// holdMutant makes a mutant and a mutant of it, and compares both as creates and the second as an update of
// the first.
func holdMutant(t *testing.T, base map[string]any, seed uint64, found map[string]int) {
	t.Helper()
	src := generate.Seeded(seed)
	m := &mutator{src: src}
	old := runtime.DeepCopyJSON(base)
	if src.IntN(3) > 0 {
		m.mutate(old, 1+src.IntN(3))
	}
	before := len(m.done)
	changed := runtime.DeepCopyJSON(old)
	m.mutate(changed, 1+src.IntN(3))
	was, is := readMutant(t, old), readMutant(t, changed)
	if was == nil || is == nil {
		found["no CustomResourceDefinition"]++
		return
	}
	for _, one := range []struct {
		kind string
		old  *apiextensionsv1.CustomResourceDefinition
		crd  *apiextensionsv1.CustomResourceDefinition
		done []string
	}{
		{"creation", nil, is, m.done},
		{"update", was, is, m.done},
	} {
		var got field.ErrorList
		var err error
		if one.old == nil {
			got, err = structural.CheckCRD(t.Context(), one.crd)
		} else {
			got, err = structural.CheckCRDUpdate(t.Context(), one.crd, one.old)
		}
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, strings.Join(m.done, "\n"))
			continue
		}
		want, judged := strategyErrors(t, one.crd, one.old)
		if !judged {
			found[one.kind+" panics"]++
			continue
		}
		if len(want) > 0 {
			found[one.kind+" refused"]++
		} else {
			found[one.kind+" allowed"]++
		}
		if diff := cmp.Diff(places(want), places(got)); diff != "" {
			t.Errorf("seed %d, %s, API server against ours:\n%s\nAPI server:\n  %s\nours:\n  %s\nold:\n  %s\nnew:\n  %s", seed, one.kind,
				diff,
				strings.Join(lines(want), "\n  "), strings.Join(lines(got), "\n  "), strings.Join(m.done[:before], "\n  "),
				strings.Join(m.done[before:], "\n  "))
		}
	}
}

// readMutant decodes a definition as the API server decodes a request. It returns nil if the definition
// cannot be decoded.
func readMutant(t testing.TB, document map[string]any) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	data, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, crd); err != nil {
		return nil
	}
	return crd
}

// strategyErrors returns the errors of the API server's strategy for definitions in requests. An old
// definition is established.
func strategyErrors(t testing.TB, crd, old *apiextensionsv1.CustomResourceDefinition) (errs field.ErrorList, judged bool) {
	t.Helper()
	defer func() {
		if cause := recover(); cause != nil {
			t.Logf("the API server's code panics: %v\n%s", cause, debug.Stack())
		}
	}()
	strategy := customresourcedefinition.NewStrategy(nil)
	created := internalOf(t, crd)
	if old == nil {
		strategy.PrepareForCreate(t.Context(), created)
		return strategy.Validate(t.Context(), created), true
	}
	before := internalOf(t, old)
	status := before.Status // as in the file, which may have one
	strategy.PrepareForCreate(t.Context(), before)
	if len(status.StoredVersions) == 0 {
		status.StoredVersions = before.Status.StoredVersions
	}
	before.Status = status
	before.ResourceVersion, created.ResourceVersion = "1", "1"
	before.Status.Conditions = []apiextensions.CustomResourceDefinitionCondition{{Type: apiextensions.Established,
		Status: apiextensions.ConditionTrue}}
	created.Generation = before.Generation
	strategy.PrepareForUpdate(t.Context(), created, before)
	return strategy.ValidateUpdate(t.Context(), created, before), true
}

func internalOf(t testing.TB, crd *apiextensionsv1.CustomResourceDefinition) *apiextensions.CustomResourceDefinition {
	t.Helper()
	v1 := crd.DeepCopy()
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(v1)
	internal := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(v1, internal, nil); err != nil {
		t.Fatal(err)
	}
	return internal
}

// mutator changes definitions and records its changes.
type mutator struct {
	src  generate.Source
	done []string
}

// mutate changes a definition in some places.
func (m *mutator) mutate(document map[string]any, times int) {
	for range times {
		if m.src.IntN(4) == 0 {
			m.set(document, definitionKeywords())
			continue
		}
		schemas := schemasOf(document)
		if len(schemas) == 0 {
			continue
		}
		at := schemas[m.src.IntN(len(schemas))]
		if m.src.IntN(4) == 0 {
			at = schemas[0] // the root, which has more requirements
		}
		m.set(at.node, prefixed(at.path, schemaKeywords()))
	}
}

// place is a schema of a definition.
type place struct {
	path string
	node map[string]any
}

// schemasOf returns the schemas of a definition. The first is a root.
func schemasOf(document map[string]any) []place {
	var all []place
	spec, _ := document["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	for i, v := range versions {
		version, _ := v.(map[string]any)
		schema, _ := version["schema"].(map[string]any)
		all = appendSchemas(all, fmt.Sprintf("versions[%d]", i), schema["openAPIV3Schema"])
	}
	return all
}

func appendSchemas(all []place, path string, value any) []place {
	node, is := value.(map[string]any)
	if !is {
		return all
	}
	all = append(all, place{path, node})
	for _, keyword := range slices.Sorted(maps.Keys(node)) {
		inside := path + "." + keyword
		switch members := node[keyword].(type) {
		case map[string]any:
			switch keyword {
			case "properties", "patternProperties", "definitions", "dependencies":
				for _, name := range slices.Sorted(maps.Keys(members)) {
					all = appendSchemas(all, inside+"["+name+"]", members[name])
				}
			case "items", "additionalProperties", "additionalItems", "not":
				all = appendSchemas(all, inside, members)
			}
		case []any:
			if slices.Contains([]string{"items", "allOf", "anyOf", "oneOf"}, keyword) {
				for i, member := range members {
					all = appendSchemas(all, fmt.Sprintf("%s[%d]", inside, i), member)
				}
			}
		}
	}
	return all
}

// set sets one of several keywords to one of its values, or removes it.
func (m *mutator) set(node map[string]any, keywords []keyword) {
	k := keywords[m.src.IntN(len(keywords))]
	steps := strings.Split(k.path, ".")
	for _, step := range steps[:len(steps)-1] {
		node = m.into(node, step)
		if node == nil {
			return
		}
	}
	last := steps[len(steps)-1]
	chosen := m.src.IntN(len(k.values) + 1)
	if chosen == len(k.values) {
		delete(node, last)
		m.done = append(m.done, k.at+k.path+" is taken away")
		return
	}
	var value any
	if err := yaml.Unmarshal([]byte(k.values[chosen]), &value); err != nil {
		panic(fmt.Sprintf("%s: %v", k.values[chosen], err)) // a mistake in the table
	}
	node[last] = value
	m.done = append(m.done, k.at+k.path+" = "+k.values[chosen])
}

// into returns the value at a step. "*" is any object of a list.
func (m *mutator) into(node map[string]any, step string) map[string]any {
	name, isList := strings.CutSuffix(step, "[*]")
	if !isList {
		inside, is := node[name].(map[string]any)
		if !is {
			inside = map[string]any{}
			node[name] = inside
		}
		return inside
	}
	list, _ := node[name].([]any)
	if len(list) == 0 {
		return nil
	}
	inside, _ := list[m.src.IntN(len(list))].(map[string]any)
	return inside
}
