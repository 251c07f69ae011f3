package infer

import (
	"context"
	"flag"
	"hash/crc32"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kubespec "k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
	"github.com/diffrun/diffrun/internal/openapi"
)

var update = flag.Bool("update", false, "write the golden files")

// spec is the spec of an object under test, as validators written for the test read it.
type spec map[string]any

func (s spec) text(name string) string { text, _ := s[name].(string); return text }
func (s spec) number(name string) int64 {
	n, _ := s[name].(int64)
	return n
}
func (s spec) list(name string) []any { list, _ := s[name].([]any); return list }
func (s spec) has(names ...string) bool {
	for _, name := range names {
		if _, has := s[name]; !has {
			return false
		}
	}
	return true
}

var at = field.NewPath("spec")

// definition is a CustomResourceDefinition whose spec has the properties, in YAML.
func definition(properties string, required ...string) string {
	needs := ""
	if len(required) > 0 {
		needs = "            required: [" + strings.Join(required, ", ") + "]\n"
	}
	return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec: # what the thing is
            type: object
` + needs + `            properties:
` + indented(properties, 14)
}

func indented(text string, by int) string {
	var out strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		out.WriteString(strings.Repeat(" ", by) + strings.TrimRight(line, "\n") + "\n")
	}
	return out.String()
}

// run infers the rules of a validator from accepted specs.
func run(t *testing.T, crd string, validate func(s, old spec) field.ErrorList, starts ...spec) *Report {
	t.Helper()
	return runOf(t, crd, validate, func(*evidence.Target) {}, starts...)
}

// runShort is run with few inputs, for errors that no condition explains: each hypothesis is tried on all of them.
func runShort(t *testing.T, crd string, validate func(s, old spec) field.ErrorList, starts ...spec) *Report {
	t.Helper()
	o := options()
	o.Inputs = 60
	report, err := Run(t.Context(), targetOf(t, crd, validate, starts...), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// runOf is run with a change of the target.
func runOf(t *testing.T, crd string, validate func(s, old spec) field.ErrorList, change func(*evidence.Target), starts ...spec) *Report {
	t.Helper()
	about := targetOf(t, crd, validate, starts...)
	change(about)
	report, err := Run(t.Context(), about, options())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func options() evidence.Options { return evidence.Options{Seed: 1, Parallel: 1, Inputs: 200} }

// targetOf returns the target of a validator and a definition.
func targetOf(t *testing.T, crd string, validate func(s, old spec) field.ErrorList, starts ...spec) *evidence.Target {
	t.Helper()
	specOf := func(u *unstructured.Unstructured) spec {
		if u == nil {
			return nil
		}
		s, _ := u.Object["spec"].(map[string]any)
		return s
	}
	backend := native.Func[*unstructured.Unstructured](func(_ context.Context, object, old *unstructured.Unstructured) field.ErrorList {
		return validate(specOf(object), specOf(old))
	})
	return targetOfBackend(t, crd, backend, starts...)
}

// targetOfBackend returns the target of a backend and a definition.
func targetOfBackend(t *testing.T, crd string, backend harness.Backend, starts ...spec) *evidence.Target {
	t.Helper()
	target, err := customresource.NewTarget([]byte(crd), backend)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := equivalence.BuiltinRules()
	if err != nil {
		t.Fatal(err)
	}
	options := harness.Options{Rules: rules, InPlace: true}
	h, err := harness.New(target, options)
	if err != nil {
		t.Fatal(err)
	}
	read, err := definitions.ReadOne("crd.yaml", []byte(crd))
	if err != nil {
		t.Fatal(err)
	}
	props, err := generate.Expand(read.Versions[0].Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	version := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Thing"}
	about := &evidence.Target{
		Version: version, Harness: h, HarnessOptions: options, Like: harness.Case{ID: "infer", Version: version},
		Document: tally.Document{Root: read.Versions[0].Schema}, Props: props, File: "crd.yaml", Data: []byte(crd),
		Object: generate.ObjectOptions{APIVersion: "example.com/v1", Kind: "Thing"},
	}
	for _, s := range starts {
		about.Starts = append(about.Starts, explore.Input{Object: map[string]any{
			"apiVersion": "example.com/v1", "kind": "Thing", "metadata": map[string]any{"name": "a", "namespace": "b"},
			"spec": map[string]any(s),
		}})
	}
	return about
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs; run with -update and read the diff. It is now:\n%s", file, got)
	}
}

// TestFamilies: the rules are those that a maintainer would write, and each is proven.
func TestFamilies(t *testing.T) {
	for _, f := range families() {
		t.Run(f.why, func(t *testing.T) {
			t.Parallel()
			report := run(t, definition(f.properties, f.required...), f.validate, f.starts...)
			var got []string
			for _, rule := range report.Rules {
				got = append(got, rule.String())
			}
			if strings.Join(sorted(got), "\n") != strings.Join(sorted(f.want), "\n") {
				t.Errorf("rules:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(f.want, "\n"))
			}
			if report.Admits+report.Refuses > 0 || report.Count(proposal.Proven) != len(report.Sites) {
				t.Errorf("it is not proven:\n%s", report.Text())
			}
			if untold := report.untold(t, changedRules); len(untold) > 0 {
				t.Errorf("no object tells these rules from the proposed ones:\n%s", strings.Join(untold, "\n"))
			}
		})
	}
}

var (
	numbers   = regexp.MustCompile(`\b[0-9]+\b`)
	rawTexts  = regexp.MustCompile(`r'[^']*'`)
	operators = regexp.MustCompile(`[<>=!]=|[<>]`)
	other     = map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
)

// changedRules returns a rule with one number moved, one operator replaced, or one operand of a disjunction dropped.
func changedRules(rule string) (all []string) {
	raw := rawTexts.FindAllStringIndex(rule, -1)
	replace := func(at []int, text string) {
		inPattern := slices.ContainsFunc(raw, func(r []int) bool { return r[0] <= at[0] && at[1] <= r[1] })
		if !inPattern { // the forms of patterns are told from each other by texts
			all = append(all, rule[:at[0]]+text+rule[at[1]:])
		}
	}
	for _, at := range numbers.FindAllStringIndex(rule, -1) {
		if n, err := strconv.Atoi(rule[at[0]:at[1]]); err == nil && !strings.Contains(rule, "1123") {
			replace(at, strconv.Itoa(n+1))
			replace(at, strconv.Itoa(n-1))
		}
	}
	for _, at := range operators.FindAllStringIndex(rule, -1) {
		replace(at, other[rule[at[0]:at[1]]])
	}
	if operands := strings.Split(rule, " || "); len(operands) > 1 && !strings.Contains(rule, "(!") && !strings.Contains(rule, "&&") {
		for i := range operands {
			all = append(all, strings.Join(slices.Delete(slices.Clone(operands), i, i+1), " || "))
		}
	}
	return all
}

func sorted(all []string) []string {
	all = slices.Clone(all)
	slices.Sort(all)
	return all
}

func isCIDR(text string) bool {
	prefix, err := netip.ParsePrefix(text)
	return err == nil && !prefix.Addr().Is4In6()
}

// isIP reports whether a text is an address without a zone, and no IPv4 address in the form of IPv6.
func isIP(text string) bool {
	address, err := netip.ParseAddr(text)
	return err == nil && address.Zone() == "" && !address.Is4In6()
}

// backup refuses what the definition of backups accepts. Nothing can explain its errors of tickets.
func backup(s, old spec) field.ErrorList {
	var errs field.ErrorList
	if n := s.number("keep"); n < 1 || n > 365 {
		errs = append(errs, field.Invalid(at.Child("keep"), n, "must be between 1 and 365"))
	}
	if old != nil && s.text("volume") != old.text("volume") {
		errs = append(errs, field.Invalid(at.Child("volume"), s.text("volume"), "field is immutable"))
	}
	if sum := crc32.ChecksumIEEE([]byte(s.text("ticket"))); s.has("ticket") && sum%2 == 1 {
		errs = append(errs, field.NotFound(at.Child("ticket"), s.text("ticket")))
	}
	return errs
}

// TestProposal: the definition keeps its comments, and the report shows what is proven, what is not, and
// what the schema alone refuses.
func TestProposal(t *testing.T) {
	t.Parallel()
	crd := definition("keep: {type: integer, maximum: 1000} # days\nvolume: {type: string}\nticket: {type: string}", "keep", "volume")
	report := run(t, crd, backup, spec{"keep": int64(7), "volume": "a"}, spec{"keep": int64(7), "volume": "a", "ticket": "b"})
	golden(t, "definition.yaml", string(report.Definition()))
	golden(t, "markers.txt", report.Markers())
	golden(t, "report.txt", report.Text())
	folder := t.TempDir()
	names, err := report.Write(folder)
	if err != nil || len(names) != 5 {
		t.Errorf("written: %q, %v", names, err)
	}
	patch, err := os.ReadFile(filepath.Join(folder, "rules.patch.json"))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "rules.patch.json", string(patch))
}

// TestRepeatable: two runs with one seed write the same.
func TestRepeatable(t *testing.T) {
	t.Parallel()
	crd := definition("keep: {type: integer}\nvolume: {type: string}", "keep", "volume")
	one, other := run(t, crd, backup, spec{"keep": int64(7), "volume": "a"}), run(t, crd, backup, spec{"keep": int64(7), "volume": "a"})
	if one.Text() != other.Text() || string(one.Definition()) != string(other.Definition()) {
		t.Errorf("a second run with the same seed says something else:\n%s\n%s", one.Text(), other.Text())
	}
}

// TestDoubts: a bound that no object shows is not proven. Between 11 and 19, the validator stops at another error, so
// the bound of the last one may be any of these.
func TestDoubts(t *testing.T) {
	t.Parallel()
	report := run(t, definition("size: {type: integer}", "size"), func(s, _ spec) field.ErrorList {
		switch n := s.number("size"); {
		case n > 10 && n < 20:
			return field.ErrorList{field.Forbidden(at.Child("size"), "is reserved")}
		case n >= 20:
			return invalid("size", n, "is too large")
		}
		return nil
	}, spec{"size": int64(1)})
	status := map[string]proposal.Site{}
	for _, s := range report.Sites {
		status[s.Detail] = s
	}
	if s := status["is too large"]; s.Status != proposal.InPart || len(s.Survivors) == 0 || s.Differs == nil ||
		!strings.Contains(s.Why, "has another error") {
		t.Errorf("is too large: %s, doubts %q\n%s", s.Status, s.Survivors, report.Text())
	}
}

// TestOverlay: rules for the schema of a Go type become markers of the types that are named after the kind, and of places
// below them.
func TestOverlay(t *testing.T) {
	t.Parallel()
	crd := definition("keep: {type: integer}\nfrom: {type: object, required: [name], properties: {name: {type: string}}}", "keep", "from")
	report := runOf(t, crd, func(s, old spec) (errs field.ErrorList) {
		if s.number("keep") > 365 {
			errs = append(errs, invalid("keep", s.number("keep"), "must be at most 365")...)
		}
		from, _ := s["from"].(map[string]any)
		if name := spec(from).text("name"); old != nil {
			if before, _ := old["from"].(map[string]any); spec(before).text("name") != name {
				errs = append(errs, field.Invalid(at.Child("from", "name"), name, "field is immutable"))
			}
		}
		return errs
	}, func(target *evidence.Target) {
		root := *target.Document.Root
		things := root.Properties["spec"]
		source := things.Properties["from"]
		things.Properties["from"] = openapi.RefTo("example.com/api/v1.Source")
		root.Properties["spec"] = openapi.RefTo("example.com/api/v1.ThingSpec")
		target.Document = tally.Document{
			Root:        &root,
			Definitions: map[string]*kubespec.Schema{"example.com/api/v1.ThingSpec": &things, "example.com/api/v1.Source": &source},
		}
		target.GoPackage = "example.com/api/v1"
	}, spec{"keep": int64(7), "from": map[string]any{"name": "a"}})
	golden(t, "overlay.yaml", string(report.Definition()))
	if report.Count(proposal.Proven) != len(report.Sites) {
		t.Errorf("it is not proven:\n%s", report.Text())
	}
}

// TestFaults: what a validator that panics did not say is in the report, and no error of a site.
func TestFaults(t *testing.T) {
	report := run(t, definition("size: {type: integer}"), func(s, _ spec) field.ErrorList {
		switch n := s.number("size"); {
		case n > 1_000:
			panic("too large")
		case n > 10:
			return invalid("size", n, "must be at most 10")
		}
		return nil
	}, spec{"size": int64(1)})
	if report.Faults == nil || report.Faults.Count == 0 || !strings.HasPrefix(report.Faults.First, "panic: too large") ||
		report.Faults.Input == nil {
		t.Fatalf("faults: %+v", report.Faults)
	}
	if text := report.Text(); !strings.Contains(text, "! A validator failed on ") {
		t.Errorf("the report does not say it:\n%s", text)
	}
	for _, s := range report.Sites {
		if strings.Contains(s.Detail, "too large") {
			t.Errorf("a panic is an error of the validator: %+v", s)
		}
	}
}
