package read_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/interpreter"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/gomodule/read"
	"github.com/diffrun/diffrun/internal/gomodule/read/testdata/constructs"
)

var (
	update = flag.Bool("update", false, "write the golden file anew")
	seed   = flag.Uint64("seed", 1, "of the objects")
)

// TestConstructs holds the conditions that are read of one validator for each construct.
func TestConstructs(t *testing.T) {
	var b strings.Builder
	for _, of := range []program{load(t, "./testdata/constructs", "./testdata/handlers"), loadFrom(t, "testdata/knative", ".")} {
		for _, root := range of.roots(t) {
			fmt.Fprintf(&b, "%s\n", strings.TrimSpace(root.Func.Name()+" "+root.Operation))
			for _, site := range root.sites {
				writeSite(&b, site)
			}
		}
	}
	compareGolden(t, "constructs.golden", b.String())
}

// compareGolden compares a text with a file in testdata, or writes the file.
func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	golden := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-update writes the file (-file, +read):\n%s", diff)
	}
}

// writeSite writes a site as the golden file has it.
func writeSite(b *strings.Builder, site read.Site) {
	fmt.Fprintf(b, "  %s %s %q\n    %s\n", site.Type, site.Field, site.Text, celexpr.String(site.Condition))
	for _, gate := range site.Settings {
		fmt.Fprintf(b, "    setting: %s %v, default %v\n", gate.Name, gate.On, gate.Default)
	}
	for _, unread := range site.Unread {
		fmt.Fprintf(b, "    unread: line %d: %s\n", unread.Pos.Line, unread.Why)
	}
}

// TestConditions runs each validator on generated objects: it makes an error at a field if and only if one of the
// conditions of that field is true. A condition with unread parts may not know; where it does, it is right.
func TestConditions(t *testing.T) {
	env, pairs := environmentOf(t), pairsOf(t, 2000)
	for _, root := range load(t, "./testdata/constructs").roots(t) {
		t.Run(root.Func.Name(), func(t *testing.T) {
			conditions := map[string][]asked{}
			for _, site := range root.sites {
				if ofProcess(site) {
					conditions[site.Field] = append(conditions[site.Field], askedOf(t, env, site))
				}
			}
			refused := 0
			for _, one := range pairs {
				errs := recovered(func() field.ErrorList {
					if create, ok := constructs.Creates[root.Func.Name()]; ok {
						return create(one.object)
					}
					return constructs.Updates[root.Func.Name()](one.object, one.old)
				})
				if len(errs) > 0 {
					refused++
				}
				masks := constructs.Masks[root.Func.Name()] || len(errs) > 0 && errs[0].Type == field.ErrorTypeInternal
				compare(t, errs, conditions, masks, one)
				if t.Failed() {
					return
				}
			}
			if refused == 0 || len(root.sites) == 0 {
				t.Errorf("-seed %d: %d of %d objects were refused, and %d sites were read", *seed, refused, len(pairs), len(root.sites))
			}
		})
	}
	for _, one := range pairs {
		if diff := cmp.Diff(one.values, one.asJSON(t)); diff != "" {
			t.Fatalf("a validator changes its object:\n%s", diff)
		}
	}
}

// pair is an object and the one before, and what conditions are asked with.
type pair struct {
	object, old *constructs.Thing
	values      map[string]any
}

// pairsOf returns generated objects.
func pairsOf(t *testing.T, count int) []pair {
	random := rand.New(rand.NewPCG(*seed, 0))
	pairs := make([]pair, count)
	for i := range pairs {
		one := &pairs[i]
		one.object = thing(random)
		one.old = before(random, one.object)
		one.object.Spec.Keyed, one.old.Spec.Keyed = unique(one.object.Spec.Keyed), unique(one.old.Spec.Keyed)
		one.values = one.asJSON(t)
	}
	return pairs
}

func (one pair) asJSON(t *testing.T) map[string]any {
	return map[string]any{"self": plain(t, one.object), "oldSelf": plain(t, one.old)}
}

// asked is the condition of a site. The program is nil if nothing of it can be asked.
type asked struct {
	program cel.Program
	// unread are the variables of parts that were not read.
	unread []*interpreter.AttributePattern
}

// unreadName is a variable that stands for a part that was not read.
var unreadName = regexp.MustCompile(`\bunread\w+`)

// askedOf compiles the condition of a site.
func askedOf(t *testing.T, env *cel.Env, site read.Site) asked {
	t.Helper()
	condition := celexpr.String(site.Condition)
	if slices.ContainsFunc(site.Unread, func(u read.Unread) bool { return u.Why == "an item of a loop after the loop" }) {
		return asked{}
	}
	var made asked
	for _, name := range unreadName.FindAllString(condition, -1) {
		if len(site.Unread) == 0 {
			t.Errorf("%s: %s: nothing is unread", site.Pos, condition)
		}
		extended, err := env.Extend(cel.Variable(name, cel.DynType))
		if err != nil {
			t.Fatal(err)
		}
		env, made.unread = extended, append(made.unread, cel.AttributePattern(name))
	}
	compiled, issues := env.Compile(condition)
	if issues.Err() != nil {
		t.Fatalf("%s: %v", condition, issues.Err())
	}
	program, err := env.Program(compiled, cel.EvalOptions(cel.OptPartialEval))
	if err != nil {
		t.Fatal(err)
	}
	made.program = program
	return made
}

// is returns whether a condition is true, and whether that is known.
func (one asked) is(values map[string]any) (isTrue, isKnown bool, err error) {
	if one.program == nil {
		return false, false, nil
	}
	vars, err := cel.PartialVars(values, one.unread...)
	if err != nil {
		return false, false, err
	}
	out, _, err := one.program.Eval(vars)
	if err != nil || types.IsUnknown(out) {
		return false, false, err
	}
	return out.Value() == true, true, nil
}

// recovered runs a validator. A panic is an error without a field.
func recovered(validate func() field.ErrorList) (errs field.ErrorList) {
	defer func() {
		if text := recover(); text != nil {
			errs = field.ErrorList{{Type: field.ErrorTypeInternal, Detail: fmt.Sprint(text)}}
		}
	}()
	return validate()
}

// TestSemantic: a list or map without content is equal to none where a validator compares as the API does. Go writes neither, so
// the objects of TestConditions do not show it.
func TestSemantic(t *testing.T) {
	env := environmentOf(t)
	conditions := map[string]cel.Program{}
	for _, root := range load(t, "./testdata/constructs").roots(t) {
		for _, site := range root.sites {
			if root.Func.Name() != "ValidateSemanticUpdate" {
				continue
			}
			compiled, issues := env.Compile(celexpr.String(site.Condition))
			if issues.Err() != nil {
				t.Fatal(issues.Err())
			}
			program, err := env.Program(compiled)
			if err != nil {
				t.Fatal(err)
			}
			conditions[site.Field] = program
		}
	}
	for _, tt := range []struct {
		why, now, before string
		names, rest      bool
	}{
		{"the same", `{}`, `{}`, false, false},
		{"an empty list for none", `{"names": []}`, `{}`, false, false},
		{"none for an empty list", `{}`, `{"names": []}`, false, false},
		{"an item for none", `{"names": ["a"]}`, `{}`, true, false},
		{"none for an item", `{}`, `{"names": ["a"]}`, true, false},
		{"an empty map for none", `{"labels": {}}`, `{}`, false, false},
		{"an entry for none", `{"labels": {"a": "b"}}`, `{}`, false, true},
		{"an empty list in what is masked", `{"keyed": []}`, `{}`, false, false},
	} {
		values := map[string]any{}
		for name, text := range map[string]string{"self": tt.now, "oldSelf": tt.before} {
			var spec any
			if err := json.Unmarshal([]byte(text), &spec); err != nil {
				t.Fatal(err)
			}
			values[name] = map[string]any{"spec": spec}
		}
		for at, want := range map[string]bool{"spec.names": tt.names, "spec": tt.rest} {
			if out, _, err := conditions[at].Eval(values); err != nil || out.Value() != want {
				t.Errorf("%s: the condition of %s is %v, want %v; %v", tt.why, at, out, want, err)
			}
		}
	}
}

// index is what a path has for one item.
var index = regexp.MustCompile(`\[[^\]]*\]`)

// compare holds errors against the conditions of their fields. An error that another one masks is not asked about: then
// some condition is true.
func compare(t *testing.T, errs field.ErrorList, conditions map[string][]asked, masks bool, of pair) {
	made := map[string]bool{}
	for _, err := range errs {
		made[index.ReplaceAllString(err.Field, "[*]")] = true
	}
	for at, all := range conditions {
		isTrue, isKnown := false, true
		for _, one := range all {
			is, known, err := one.is(of.values)
			if err != nil {
				t.Errorf("-seed %d: %s: %v\n%s", *seed, at, err, text(of.object))
				return
			}
			isTrue, isKnown = isTrue || is, isKnown && known
		}
		if isTrue != made[at] && (isKnown || isTrue) && (made[at] || len(errs) == 0 || !masks) {
			t.Errorf("-seed %d: %s: the condition says %v, the validator %v\nobject: %s\nold: %s", *seed, at, isTrue, errs,
				text(of.object), text(of.old))
		}
	}
	for at := range made {
		if conditions[at] == nil {
			t.Errorf("%s: no site was read for the error of %v", at, errs)
		}
	}
}

// plain returns an object as JSON has it.
func plain(t *testing.T, object *constructs.Thing) any {
	t.Helper()
	var made any
	decoder := json.NewDecoder(strings.NewReader(text(object)))
	decoder.UseNumber()
	if err := decoder.Decode(&made); err != nil {
		t.Fatal(err)
	}
	return whole(made)
}

// whole returns a value with whole numbers, and without null: the API server drops it.
func whole(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		n, _ := v.Float64()
		return n
	case []any:
		for i := range v {
			v[i] = whole(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = whole(v[key])
			switch n := v[key].(type) {
			case nil:
				delete(v, key)
			case int64:
				if key == "ratio" { // the schema says that it is a number
					v[key] = float64(n)
				}
			}
		}
	}
	return v
}

func text(object *constructs.Thing) string {
	made, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return string(made)
}

// program is source that was loaded.
type program struct{ *read.Program }

// reading is a root with its sites.
type reading struct {
	read.Root
	sites []read.Site
}

func load(t *testing.T, patterns ...string) program {
	t.Helper()
	return loadFrom(t, ".", patterns...)
}

func loadFrom(t *testing.T, directory string, patterns ...string) program {
	t.Helper()
	loaded, err := read.Load(t.Context(), directory, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	return program{loaded}
}

func (p program) roots(t *testing.T) []reading {
	t.Helper()
	var all []reading
	for _, root := range p.Roots() {
		sites, left := p.Read(root)
		for _, one := range left {
			t.Errorf("%s: left out: %s", one.Pos, one.Why)
		}
		all = append(all, reading{root, sites})
	}
	return all
}

// TestLeftOut: a jump by goto is not read, and that is said.
func TestLeftOut(t *testing.T) {
	p := load(t, "./testdata/leftout")
	roots := p.Roots()
	if len(roots) != 1 {
		t.Fatalf("%d roots, want the validator", len(roots))
	}
	_, left := p.Read(roots[0])
	if len(left) != 1 || left[0].Pos.Line != 25 || !strings.Contains(left[0].Why, "a jump by goto") {
		t.Errorf("left out %v, want the jump in line 25", left)
	}
}

// TestUnread: what is not read, of earlier iterations or of a function that changes it, is not read as what it was before.
func TestUnread(t *testing.T) {
	for _, root := range load(t, "./testdata/unread").roots(t) {
		if len(root.sites) != 1 {
			t.Fatalf("%s: %d sites, want one", root.Func.Name(), len(root.sites))
		}
		site := root.sites[0]
		if len(site.Unread) != 1 || site.Rule != nil {
			t.Errorf("%s: unread %v, rule %v, want an open part and no rule", root.Func.Name(), site.Unread, site.Rule)
		}
		want := map[string]read.Class{"ValidateDecoded": read.Parser, "ValidateDeadline": read.Time}[root.Func.Name()]
		if one, _ := site.NotExpressible(); one.Class != want {
			t.Errorf("%s: class %q, want %q", root.Func.Name(), one.Class, want)
		}
	}
}
