package read_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/gomodule/read"
)

// maker changes objects: fields get the constants that conditions have, and values near them.
type maker struct {
	random *rand.Rand
	texts  []string
	ints   []int64
}

func newMaker(seed uint64, sites []read.Site) *maker {
	m := &maker{random: rand.New(rand.NewPCG(seed, 0)), ints: []int64{-1, 0, 1, 2}}
	m.texts = append(slices.Clone(addresses), "", "a", "b", "a", "b", "a-b", "-a", "A", "a_b", "a.b", "a..b", "*.a.b", "a/b",
		"/a", "/a/../b", "a/b/c", "kubernetes.io/a", "a b", "orphan", "foregroundDeletion", "x:80", ".", "..", "a%b",
		strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 254), "é", "éé", strings.Repeat("é", 40))
	for _, site := range sites {
		if site.Condition == nil {
			continue
		}
		for part := range celexpr.Parts(site.Condition) {
			if part.Kind() != ast.LiteralKind {
				continue
			}
			switch v := celexpr.ValueOf(part).(type) {
			case string:
				if v != "" && !slices.Contains(m.texts, v) && len(v) < 80 {
					m.texts = append(m.texts, v, v+"a")
				}
			case int64:
				if !slices.Contains(m.ints, v) {
					m.ints = append(m.ints, v-1, v, v+1)
				}
			}
		}
	}
	return m
}

// change changes one thing of an object.
func (m *maker) change(object runtime.Object) {
	var spots []reflect.Value
	root := reflect.ValueOf(object).Elem()
	for i := range root.NumField() {
		name := root.Type().Field(i).Name
		switch {
		case name == "TypeMeta":
		case name == "ObjectMeta":
			if m.random.IntN(4) == 0 {
				spots = append(spots, m.spots(root.Field(i))...)
			}
		default:
			spots = append(spots, m.spots(root.Field(i))...)
		}
	}
	if len(spots) > 0 {
		m.set(spots[m.random.IntN(len(spots))])
	}
}

// spots returns what can be changed of a value.
func (m *maker) spots(v reflect.Value) []reflect.Value {
	switch v.Interface().(type) {
	case metav1.Time, *metav1.Time:
		return nil
	}
	all := []reflect.Value{v}
	switch v.Kind() {
	case reflect.Struct:
		if _, ok := v.Interface().(intstr.IntOrString); ok {
			return all
		}
		all = nil
		for i := range v.NumField() {
			if v.Field(i).CanSet() && v.Type().Field(i).Name != "ManagedFields" {
				all = append(all, m.spots(v.Field(i))...)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			all = append(all, m.spots(v.Elem())...)
		}
	case reflect.Slice:
		for i := range v.Len() {
			all = append(all, m.spots(v.Index(i))...)
		}
	}
	return all
}

// set gives a value another one.
func (m *maker) set(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(m.texts[m.random.IntN(len(m.texts))])
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(m.ints[m.random.IntN(len(m.ints))])
	case reflect.Pointer:
		if !v.IsNil() {
			v.SetZero()
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		m.fill(v.Elem())
	case reflect.Slice:
		m.setSlice(v)
	case reflect.Map:
		m.setMap(v)
	case reflect.Struct:
		if _, ok := v.Interface().(intstr.IntOrString); ok {
			made := intstr.FromInt32(int32(m.ints[m.random.IntN(len(m.ints))]))
			if m.random.IntN(2) == 0 {
				made = intstr.FromString(m.texts[m.random.IntN(len(m.texts))])
			}
			v.Set(reflect.ValueOf(made))
			return
		}
		m.fill(v)
	}
}

// fill gives the parts of a value values, most of them.
func (m *maker) fill(v reflect.Value) {
	switch v.Interface().(type) {
	case metav1.Time, *metav1.Time:
		return
	}
	if v.Kind() != reflect.Struct {
		m.set(v)
		return
	}
	if _, ok := v.Interface().(intstr.IntOrString); ok {
		m.set(v)
		return
	}
	for i := range v.NumField() {
		if v.Field(i).CanSet() && m.random.IntN(3) > 0 {
			m.fill(v.Field(i))
		}
	}
}

func (m *maker) setSlice(v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return
	}
	switch n := v.Len(); {
	case n > 0 && m.random.IntN(3) == 0: // one less
		v.Set(v.Slice(0, n-1))
	case n > 0 && m.random.IntN(2) == 0: // one twice
		v.Set(reflect.Append(v, v.Index(m.random.IntN(n))))
	default:
		item := reflect.New(v.Type().Elem()).Elem()
		m.fill(item)
		v.Set(reflect.Append(v, item))
	}
}

func (m *maker) setMap(v reflect.Value) {
	if v.Len() > 0 && m.random.IntN(3) == 0 {
		v.SetZero()
		return
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	key, item := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	m.set(key)
	m.fill(item)
	v.SetMapIndex(key, item)
}

// environmentOf returns the environment of rules, in which objects have no types.
func environmentOf(t *testing.T) *cel.Env {
	t.Helper()
	env, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Env(environment.StoredExpressions)
	if err != nil {
		t.Fatal(err)
	}
	env, err = env.Extend(cel.Variable("self", cel.DynType), cel.Variable("oldSelf", cel.DynType),
		cel.Variable("request", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// ofProcess reports whether a site is there with the gates that the process has, which have their defaults.
func ofProcess(site read.Site) bool {
	return !slices.ContainsFunc(site.Settings, func(gate read.Setting) bool { return gate.On != gate.Default })
}

// programsOf compiles the conditions of sites without unread parts.
func programsOf(t *testing.T, sites []read.Site) []cel.Program {
	t.Helper()
	env := environmentOf(t)
	all := make([]cel.Program, len(sites))
	for i, site := range sites {
		if len(site.Unread) > 0 || !ofProcess(site) {
			continue
		}
		text := celexpr.String(site.Condition)
		compiled, issues := env.Compile(text)
		if issues.Err() != nil {
			t.Errorf("%s:%d: %s: %v", site.Pos.Filename, site.Pos.Line, text, issues.Err())
			continue
		}
		program, err := env.Program(compiled)
		if err != nil {
			t.Fatal(err)
		}
		all[i] = program
	}
	return all
}

// unstructured returns an object as CEL has it: fields whose names are words of CEL have other names.
func unstructured(t *testing.T, object runtime.Object) any {
	t.Helper()
	made, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		t.Fatal(err)
	}
	all := escaped(made).(map[string]any)
	metadata := all["metadata"].(map[string]any)
	if metadata["name"] == nil { // which the API server sets
		metadata["name"] = ""
	}
	return all
}

func escaped(v any) any {
	switch v := v.(type) {
	case map[string]any:
		made := map[string]any{}
		for key, item := range v {
			if key == "namespace" {
				key = "__namespace__"
			}
			if item != nil { // nil has no field
				made[key] = escaped(item)
			}
		}
		return made
	case []any:
		made := make([]any, len(v))
		for i, item := range v {
			made[i] = escaped(item)
		}
		return made
	}
	return v
}

func jsonOf(v any) string {
	made, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(made)
}
