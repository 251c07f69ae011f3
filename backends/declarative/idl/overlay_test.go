package idl_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

func overlay(t *testing.T, content string) *idl.Overlay {
	t.Helper()
	read, err := idl.ReadOverlay("overlay.yaml", []byte(content))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// TestOverlay compares the effect of an overlay on a type of k8s.io/api with that of the same marker in the
// source.
func TestOverlay(t *testing.T) {
	for _, row := range []struct {
		why, overlay          string
		root                  idl.TypeName
		definition, at, field string
		want                  string
	}{
		{"a field's marker, by JSON name, in a version of the folder", `
package: k8s.io/api/policy
types:
  PodDisruptionBudgetStatus:
    fields:
      disruptionsAllowed: [+minimum=0]
`, policy("v1"), "PodDisruptionBudgetStatus", "properties", "disruptionsAllowed",
			`{"type": "integer", "format": "int32", "minimum": 0, "x-kubernetes-strip-zero": true}`},
		{"narrowed to a version: it holds there", `
package: k8s.io/api/policy
types:
  PodDisruptionBudgetStatus@v1beta1:
    fields:
      disruptionsAllowed: [+minimum=0]
`, policy("v1beta1"), "PodDisruptionBudgetStatus", "properties", "disruptionsAllowed",
			`{"type": "integer", "format": "int32", "minimum": 0, "x-kubernetes-strip-zero": true}`},
		{"a package named itself, a type's markers, a block over several lines", `
package: k8s.io/api/policy/v1
types:
  PodDisruptionBudgetSpec:
    markers:
    - |
      +validationRule="""
        !has(self.minAvailable)
          || !has(self.maxUnavailable)
      """,message="minAvailable and maxUnavailable cannot be both set",
      reason=Invalid
`, policy("v1"), "PodDisruptionBudgetSpec", "x-kubernetes-validations", "",
			`[{"rule": "!has(self.minAvailable)\n|| !has(self.maxUnavailable)", "message": "minAvailable and maxUnavailable cannot ` +
				`be both set", "reason": "FieldValueInvalid"}]`},
		{"the subresources of a type's rules, except for a rule that declares its own and one about the status", `
package: k8s.io/api/policy
sets:
  rule(name, more):
  - +validationRule="'$name' != ''"$more
types:
  PodDisruptionBudget:
    except: [status, scale]
    markers:
    - {use: rule, name: theirs, more: ""}
    - {use: rule, name: own, more: ",except=eviction"}
    - {use: rule, name: only, more: ",only=status"}
    - {use: rule, name: status, more: ",field=\"status.currentHealthy\""}
    - {use: rule, name: spec, more: "", at: .spec}
`, policy("v1"), "PodDisruptionBudget", "x-kubernetes-validations", "", `[
{"rule": "'theirs' != ''", "exceptSubresources": ["status", "scale"]},
{"rule": "'own' != ''", "exceptSubresources": ["eviction"]},
{"rule": "'only' != ''", "onlySubresources": ["status"]},
{"rule": "'status' != ''", "fieldPath": ".status.currentHealthy", "exceptSubresources": ["scale"]}
]`},
		{"packages that share their rules", `
packages: [k8s.io/api/policy, k8s.io/api/extensions]
types:
  PodDisruptionBudgetStatus:
    fields:
      disruptionsAllowed: [+minimum=0]
`, policy("v1"), "PodDisruptionBudgetStatus", "properties", "disruptionsAllowed",
			`{"type": "integer", "format": "int32", "minimum": 0, "x-kubernetes-strip-zero": true}`},
		{"a marker replaces that of the source", `
package: k8s.io/api/policy
types:
  PodDisruptionBudgetStatus:
    fields:
      conditions: [+listType=atomic]
`, policy("v1"), "PodDisruptionBudgetStatus", "properties", "conditions",
			`{"type": "array", "items": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Condition"}, ` +
				`"x-kubernetes-list-type": "atomic", "x-kubernetes-strip-zero": true}`},
		{"a marker of the source is removed", `
package: k8s.io/api/policy
types:
  UnhealthyPodEvictionPolicyType:
    markers: ["-enum"]
`, policy("v1"), "PodDisruptionBudgetSpec", "properties", "unhealthyPodEvictionPolicy", `{"type": "string"}`},
		{"a field that was required is not any more", `
package: k8s.io/api/rbac
types:
  RoleRef:
    fields:
      apiGroup: [+optional]
`, idl.TypeName{Package: "k8s.io/api/rbac/v1", Name: "RoleBinding"}, "RoleRef", "required", "", `["kind", "name"]`},
		{"an inlined struct goes by its Go name", `
package: k8s.io/api/core
types:
  Volume:
    fields:
      VolumeSource:
      - +validationRule="!has(self.hostPath)"
`, idl.TypeName{Package: "k8s.io/api/core/v1", Name: "Volume"}, "Volume", "x-kubernetes-validations", "",
			`[{"rule": "!has(self.hostPath)"}]`},
		{"an anchor declares the same for two fields", `
package: k8s.io/api/policy
types:
  PodDisruptionBudgetStatus:
    fields:
      currentHealthy: &count [+minimum=0]
      desiredHealthy: *count
`, policy("v1"), "PodDisruptionBudgetStatus", "properties", "desiredHealthy",
			`{"type": "integer", "format": "int32", "minimum": 0, "x-kubernetes-strip-zero": true}`},
		{"a well-known type can have rules too", `
package: k8s.io/apimachinery/pkg/util/intstr
types:
  IntOrString:
    markers: [+minimum=0]
`, policy("v1"), "PodDisruptionBudgetSpec", "properties", "minAvailable", `{"x-kubernetes-int-or-string": true, "minimum": 0}`},
	} {
		t.Run(row.why, func(t *testing.T) {
			result, err := idl.Generate(idl.Config{Roots: []idl.TypeName{row.root}, Overlays: []*idl.Overlay{overlay(t, row.overlay)}})
			if err != nil {
				t.Fatal(err)
			}
			got := plain(t, result.Definitions)[row.definition].(map[string]any)[row.at]
			if row.field != "" {
				got = got.(map[string]any)[row.field]
			}
			if diff := cmp.Diff(parse(t, row.want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOptionsOfOverlays(t *testing.T) {
	const content = `package: k8s.io/api/policy
sets:
  least(value):
  - +ifDisabled(NegativeBudgets)=+minimum=$value
types:
  PodDisruptionBudgetStatus:
    fields:
      disruptionsAllowed:
      - {use: least, value: 0}
      - +ifEnabled(NegativeBudgets)=+minimum=-5
  UnhealthyPodEvictionPolicyType:
    markers: [+ifEnabled(AnyPolicy)=-enum]
`
	for _, row := range []struct {
		why     string
		options []string
		least   float64
		enum    bool
	}{
		{"no option is enabled", nil, 0, true},
		{"one is", []string{"NegativeBudgets"}, -5, true},
		{"both are", []string{"AnyPolicy", "NegativeBudgets"}, -5, false},
	} {
		t.Run(row.why, func(t *testing.T) {
			result, err := idl.Generate(idl.Config{
				Roots:    []idl.TypeName{policy("v1")},
				Overlays: []*idl.Overlay{overlay(t, content)},
				Reading:  idl.Reading{Options: row.options},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := result.Definitions["io.k8s.api.policy.v1.PodDisruptionBudgetStatus"].Properties["disruptionsAllowed"].Minimum; *got !=
				row.least {
				t.Errorf("minimum %v, want %v", *got, row.least)
			}
			spec := result.Definitions["io.k8s.api.policy.v1.PodDisruptionBudgetSpec"]
			if got := len(spec.Properties["unhealthyPodEvictionPolicy"].Enum) > 0; got != row.enum {
				t.Errorf("an enum: %v, want %v", got, row.enum)
			}
			if diff := cmp.Diff([]string{"AnyPolicy", "NegativeBudgets"}, result.Options); diff != "" {
				t.Errorf("the options that there are (-want +got):\n%s", diff)
			}
		})
	}
	_, err := idl.Generate(idl.Config{Roots: []idl.TypeName{policy("v1")}, Overlays: []*idl.Overlay{overlay(t, `package: k8s.io/api/policy
types:
  PodDisruptionBudgetStatus:
    fields:
      disruptionsAllowed: [+ifEnabled(Off)=+minimun=0]
`)}})
	if diff := cmp.Diff("overlay.yaml:5: unknown marker +minimun; did you mean +minimum?\n", string(mistakesOf(t, err))); diff != "" {
		t.Errorf("a line that does not hold is read all the same (-want +got):\n%s", diff)
	}
}

func policy(version string) idl.TypeName {
	return idl.TypeName{Package: "k8s.io/api/policy/" + version, Name: "PodDisruptionBudget"}
}

func TestDeclared(t *testing.T) {
	result, err := idl.Generate(idl.Config{
		Roots: []idl.TypeName{policy("v1"), policy("v1beta1")},
		Overlays: []*idl.Overlay{overlay(t, `package: k8s.io/api/policy
types:
  PodDisruptionBudgetStatus:
    fields:
      disruptionsAllowed: [+minimum=0, +optional]
  PodDisruptionBudgetSpec@v1:
    markers:
    - +validationRule="self == oldSelf"
`)}})
	if err != nil {
		t.Fatal(err)
	}
	at := func(line, column int) strictyaml.Position {
		return strictyaml.Position{File: "overlay.yaml", Line: line, Column: column}
	}
	want := []idl.Declaration{
		{Position: at(5, 28), Text: "+minimum=0", Packages: []string{"k8s.io/api/policy/v1", "k8s.io/api/policy/v1beta1"}},
		{Position: at(8, 7), Text: `+validationRule="self == oldSelf"`, Packages: []string{"k8s.io/api/policy/v1"}},
	}
	if diff := cmp.Diff(want, result.Declared); diff != "" {
		t.Errorf("validations, not remarks such as +optional, each with the versions it holds in (-want +got):\n%s", diff)
	}
}

func TestMistakesInOverlayFiles(t *testing.T) {
	for _, row := range []struct{ why, overlay, want string }{
		{"an empty file", "", "overlay.yaml: the file is empty\n"},
		{"no package", "types: {}\n", "overlay.yaml:1: key \"package\" is missing: the Go package whose types the file is about\n"},
		{"package and packages", "package: a\npackages: [b]\n", "overlay.yaml:1: the file has both \"package\" and \"packages\"; " +
			"write one of the two\n"},
		{"an unknown key, with the accepted ones", "package: a\ntypes:\n  T:\n    marker: [+minimum=0]\n",
			"overlay.yaml:4: unknown key \"marker\"; did you mean \"markers\"? accepted: except, markers, fields\n"},
		{"a marker without +", "package: a\ntypes:\n  T:\n    markers: [minimum=0]\n",
			"overlay.yaml:4: a marker is text that begins with \"+\" (or \"-\" to remove the source's); put it in quotes or in " +
				"a block. A set is used with {use: NAME, PARAMETER: VALUE}\n"},
		{"a version left empty", "package: a\ntypes:\n  T@v1,:\n    markers: []\n",
			"overlay.yaml:3: \"T@v1,\": write Type@version or Type@version,version\n"},
		{"subresources without a rule", "package: a\ntypes:\n  T:\n    except: [status]\n    fields: {a: [+minimum=0]}\n",
			"overlay.yaml:3: \"T\" has \"except\", but no markers that it applies to\n"},
		{"the same field twice", "package: a\ntypes:\n  T:\n    fields:\n      a: []\n      a: []\n",
			"overlay.yaml:6: key \"a\" is set twice; first in line 5\n"},
	} {
		t.Run(row.why, func(t *testing.T) {
			_, err := idl.ReadOverlay("overlay.yaml", []byte(row.overlay))
			if diff := cmp.Diff(row.want, string(mistakesOf(t, err))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestMistakesInOverlays checks the messages, all at once, about overlays that do not fit their types.
func TestMistakesInOverlays(t *testing.T) {
	file := filepath.Join("testdata", "mistakes", "overlay.yaml")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	read, err := idl.ReadOverlay(file, data)
	if err != nil {
		t.Fatal(err)
	}
	other := overlay(t, "package: k8s.io/api/nowhere\ntypes:\n  T:\n    markers: [+minimum=0]\n")
	_, err = idl.Generate(idl.Config{Roots: []idl.TypeName{policy("v1"), policy("v1beta1")}, Overlays: []*idl.Overlay{read, other}})
	golden(t, "mistakes-overlay.txt", mistakesOf(t, err))
}
