package world_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/testing/onecase"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// versioned is a version of a definition: the properties of its spec, and whether it is served and stored, as
// in {v1alpha1: "color: {type: string}", flags: "served storage"}.
type versioned struct{ name, spec, flags string }

const (
	both   = "served storage"
	isOnly = "served"
)

// barn makes a definition with these versions.
func barn(t *testing.T, strategy string, versions ...versioned) *apiresource.Definition {
	t.Helper()
	text := strings.Builder{}
	fmt.Fprintf(&text, `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: barns.example.com},
spec: {group: example.com, scope: Namespaced, names: {kind: Barn, plural: barns, singular: barn, listKind: BarnList}, `+
		`conversion: %s, versions: [`, strategy)
	for _, v := range versions {
		fmt.Fprintf(&text, `{name: %s, served: %v, storage: %v, schema: {openAPIV3Schema: {type: object, properties: {spec: `+
			`{type: object, %s}}}}},`,
			v.name, strings.Contains(v.flags, "served"), strings.Contains(v.flags, "storage"), v.spec)
	}
	text.WriteString("]}}")
	made, err := apiresource.ReadDefinition([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

const (
	none   = "{strategy: None}"
	asking = "{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://example.com'}}}"

	plain    = "properties: {size: {type: integer}}"
	colored  = "properties: {size: {type: integer}, color: {type: string}}"
	coloured = "properties: {size: {type: integer}, colour: {type: string}}"
	deep     = "properties: {roof: {type: object, properties: {size: {type: integer}}}}"
	deeper   = "properties: {roof: {type: object, properties: {size: {type: integer}, color: {type: string}}}}"
	listed   = "properties: {doors: {type: array, items: {type: object, properties: {size: {type: integer}}}}}"
	painted  = "properties: {doors: {type: array, items: {type: object, properties: {size: {type: integer}, color: {type: string}}}}}"
	keeping  = "properties: {size: {type: integer}}, x-kubernetes-preserve-unknown-fields: true"
	red      = "properties: {size: {type: integer}, color: {type: string, default: red}}"
	bright   = "properties: {size: {type: integer}, color: {type: string, default: bright}}"
	nullable = "properties: {size: {type: integer, nullable: true}}"
)

const lostInV1 = `absent: lost at the write, which stores the object as "example.com/v1"`

// storageCases switch the storage version from v1alpha1 to v1, unless they say otherwise.
var storageCases = []struct {
	why               string
	switches          [2]string // the specs of v1alpha1 and v1 on both sides
	today, tomorrow   []versioned
	version, spec     string // of the object
	old               string // spec of the old object; empty: a create
	strategy          string // empty: None
	want, wantWarning []string
}{
	{
		why:      "a field of v1alpha1 alone",
		switches: [2]string{colored, plain},
		version:  "v1alpha1", spec: "{size: 1, color: blue}",
		want: []string{`spec.color: "blue" after mutation and defaulting | ` + lostInV1},
	},
	{
		why:      "the same object without the field",
		switches: [2]string{colored, plain},
		version:  "v1alpha1", spec: "{size: 1}",
	},
	{
		why:      "a renamed field: the old name is lost tomorrow",
		switches: [2]string{colored, coloured},
		version:  "v1alpha1", spec: "{color: blue}", want: []string{`spec.color: "blue" after mutation and defaulting | ` + lostInV1},
	},
	{
		why:      "a renamed field: the new name is lost today",
		switches: [2]string{colored, coloured},
		version:  "v1", spec: "{colour: blue}",
		want: []string{
			`spec.colour: absent: lost at the write, which stores the object as "example.com/v1alpha1" | "blue" after mutation and ` +
				`defaulting`,
		},
	},
	{
		why:      "a nested field",
		switches: [2]string{deeper, deep},
		version:  "v1alpha1", spec: "{roof: {size: 1, color: blue}}",
		want: []string{`spec.roof.color: "blue" after mutation and defaulting | ` + lostInV1},
	},
	{
		why:      "an object that is lost as a whole: each of its fields",
		switches: [2]string{deeper, plain},
		version:  "v1alpha1", spec: "{roof: {size: 1, color: blue}}",
		want: []string{
			`spec.roof.color: "blue" after mutation and defaulting | ` + lostInV1,
			`spec.roof.size: 1 after mutation and defaulting | ` + lostInV1,
		},
	},
	{
		why:      "a field of list items",
		switches: [2]string{painted, listed},
		version:  "v1alpha1", spec: "{doors: [{size: 1}, {size: 2, color: blue}]}",
		want: []string{`spec.doors[1].color: "blue" after mutation and defaulting | ` + lostInV1},
	},
	{
		why:      "both versions preserve unknown fields: nothing is lost",
		switches: [2]string{keeping, keeping},
		version:  "v1alpha1", spec: "{size: 1, color: {deep: blue}}",
	},
	{
		why:      "v1 preserves the field that only v1alpha1 declares: nothing is lost",
		switches: [2]string{colored, keeping},
		version:  "v1alpha1", spec: "{color: blue}",
	},
	{
		why:      "v1alpha1 preserves a field, and v1 prunes it",
		switches: [2]string{keeping, plain},
		version:  "v1alpha1", spec: "{extra: 1}", want: []string{`spec.extra: 1 after mutation and defaulting | ` + lostInV1},
	},
	{
		why:      "versions with the same schema: nothing is lost",
		switches: [2]string{red, red},
		version:  "v1alpha1", spec: "{size: 1, unknown: 1}",
	},
	{
		why:      "the storage version is no longer served: it still prunes",
		today:    []versioned{{"v1alpha1", colored, both}, {"v1", plain, isOnly}},
		tomorrow: []versioned{{"v1alpha1", colored, isOnly}, {"v1", plain, "storage"}},
		version:  "v1alpha1", spec: "{color: blue}", want: []string{`spec.color: "blue" after mutation and defaulting | ` + lostInV1},
	},
	{
		why:      "no switch: the storage version itself no longer has the field",
		today:    []versioned{{"v1alpha1", colored, isOnly}, {"v1", colored, both}},
		tomorrow: []versioned{{"v1alpha1", colored, isOnly}, {"v1", plain, both}}, version: "v1alpha1", spec: "{color: blue}",
		want: []string{`spec.color: "blue" after mutation and defaulting | ` + lostInV1},
	},
	{
		why: "definitions with one version, the same one", today: []versioned{{"v1", colored, both}},
		tomorrow: []versioned{{"v1", plain, both}},
		version:  "v1", spec: "{color: blue}",
		want: []string{`spec.color: "blue" after mutation and defaulting | absent after mutation and defaulting`},
	},
	{
		why: "both lose it: no difference", today: []versioned{{"v1alpha1", colored, isOnly}, {"v1", plain, both}},
		tomorrow: []versioned{{"v1alpha1", colored, isOnly}, {"v1", plain, both}}, version: "v1alpha1", spec: "{color: blue}",
	},
	{
		why:      "the default of the request's version is stored, and that of the storage version sets nothing",
		switches: [2]string{red, bright},
		version:  "v1alpha1", spec: "{}",
	},
	{
		why:      "only the storage version has a default: readers see it in each version",
		switches: [2]string{colored, red},
		version:  "v1alpha1", spec: "{}",
		want: []string{`spec.color: absent after mutation and defaulting | "red" after mutation and defaulting`},
	},
	{
		why: "only v1alpha1 has a default, which today's storage sets for its readers alone", switches: [2]string{red, colored},
		version: "v1", spec: "{}",
		want: []string{`spec.color: "red" after mutation and defaulting | absent after mutation and defaulting`},
	},
	{
		why: "readers of v1 alone see the difference", switches: [2]string{plain, red},
		version: "v1alpha1", spec: "{}",
		want: []string{`spec.color: absent after conversion to example.com/v1 | "red" after conversion to example.com/v1`},
	},
	{
		why:      "only the storage version of tomorrow takes null",
		switches: [2]string{nullable, plain},
		version:  "v1alpha1", spec: "{size: null}", want: []string{`spec.size: null after mutation and defaulting | ` + lostInV1},
	},
	{
		why:      "an update of an object that today stored as v1alpha1: the field is lost by the next write",
		switches: [2]string{colored, plain}, version: "v1alpha1", spec: "{size: 2, color: blue}", old: "{size: 1, color: blue}",
		want: []string{`spec.color: "blue" after mutation and defaulting | ` + lostInV1},
	},
	{
		why: "a status cannot be written, and the spec of an update in v1 never had the field", switches: [2]string{colored, plain},
		version: "v1", spec: "{size: 2}", old: "{size: 1}",
	},
	{
		why:      "tomorrow has v1 alone: objects that were stored as v1alpha1 were migrated",
		today:    []versioned{{"v1alpha1", colored, both}, {"v1", plain, isOnly}},
		tomorrow: []versioned{{"v1", plain, both}}, version: "v1", spec: "{size: 2}", old: "{size: 1}",
	},
	{
		why:      "a webhook converts to v1, and is not asked: a warning, and what v1alpha1 returns is compared as if stored in it",
		switches: [2]string{colored, plain},
		version:  "v1alpha1", spec: "{color: blue}", strategy: asking,
		wantWarning: []string{"what is lost when the object is stored in v1 is not known: it is written in example.com/v1alpha1, " +
			"and a webhook, which is not asked here, converts it to v1"},
	},
}

func TestStorageVersion(t *testing.T) {
	for _, tc := range storageCases {
		t.Run(tc.why, func(t *testing.T) {
			strategy := tc.strategy
			if strategy == "" {
				strategy = none
			}
			if tc.switches[0] != "" {
				tc.today = []versioned{{"v1alpha1", tc.switches[0], both}, {"v1", tc.switches[1], isOnly}}
				tc.tomorrow = []versioned{{"v1alpha1", tc.switches[0], isOnly}, {"v1", tc.switches[1], both}}
			}
			object := func(spec string) map[string]any {
				return served.Object(t, fmt.Sprintf("{apiVersion: example.com/%s, kind: Barn, metadata: {name: a, namespace: b}, spec: %s}",
					tc.version, spec))
			}
			c := harness.Case{Object: object(tc.spec)}
			if tc.old != "" {
				c.Old = object(tc.old)
			}
			result := storedResult(t, barn(t, strategy, tc.today...), barn(t, strategy, tc.tomorrow...), tc.version, c)
			var got []string
			for _, pair := range result.Pairs {
				got = append(got, fmt.Sprintf("%s: %s | %s", pair.Native.Field, pair.Native.Detail, pair.Declarative.Detail))
				if pair.Class != "result" {
					t.Errorf("class %s of %s", pair.Class, pair.Native.Field)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("differences (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.wantWarning, result.Declarative.Warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

// storedResult compares two definitions on a case in one version.
func storedResult(t *testing.T, today, tomorrow *apiresource.Definition, version string, c harness.Case) harness.Result {
	t.Helper()
	target, err := world.NewTarget(world.World{Definition: today}, world.World{Definition: tomorrow}, version)
	if err != nil {
		t.Fatal(err)
	}
	results := onecase.Results(t, target, c)
	for _, fault := range results[0].Faults() {
		t.Fatal(fault)
	}
	if errs := results[0].Declarative.Errors; len(errs) > 0 {
		t.Fatal(errs)
	}
	return results[0]
}

// The old object of an update is what the storage has: fields that today's storage version does not have are not
// there, and its defaults are.
func TestOldObjectFromTheStorage(t *testing.T) {
	var asked seen
	today := barn(t, none, versioned{"v1alpha1", "properties: {size: {type: integer, default: 7}}", both}, versioned{"v1", colored, isOnly})
	w := world.World{Definition: today, Then: []world.Validating{{Backend: &asked}}}
	target, err := world.NewTarget(w, world.World{Definition: today}, "v1")
	if err != nil {
		t.Fatal(err)
	}
	h, err := harness.New(target, harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	object := served.Object(t, "{apiVersion: example.com/v1, kind: Barn, metadata: {name: a, namespace: b}, spec: {color: blue}}")
	if _, err := h.Check(t.Context(), harness.Case{Object: object, Old: object}); err != nil {
		t.Fatal(err)
	}
	want := []string{`UPDATE v1/barns  example.com/v1 spec {"color":"blue"} status null old {"size":7}`}
	if diff := cmp.Diff(want, asked.asked); diff != "" {
		t.Error(diff)
	}
}
