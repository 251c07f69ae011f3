package policysets_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/scaffold/policysets"
)

// gatorFolder writes a folder with a suite of gator that has some tests, and with their template.
func gatorFolder(t *testing.T, root, folder string, tests []string) {
	t.Helper()
	suite := "apiVersion: test.gatekeeper.sh/v1alpha1\nkind: Suite\ntests:\n"
	for _, name := range tests {
		suite += fmt.Sprintf("- {name: %q, template: t.yaml, constraint: c.yaml, cases: [{assertions: [{violations: yes}]}]}\n", name)
	}
	const template = "apiVersion: templates.gatekeeper.sh/v1\nkind: ConstraintTemplate\nmetadata: {name: t}\n" +
		"spec: {targets: [{code: [{engine: K8sNativeValidation}]}]}\n"
	if err := os.MkdirAll(filepath.Join(root, folder), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"suite.yaml": suite, "t.yaml": template} {
		if err := os.WriteFile(filepath.Join(root, folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNames: each pair has a folder of its own, in the folder that is written.
func TestNames(t *testing.T) {
	for _, row := range []struct {
		why, folder string
		tests, want []string
	}{
		{
			"characters that lead elsewhere", "g", []string{"../../a", "b c", `d\e:f`, "é"},
			[]string{"g--", "g-..-..-a", "g-b-c", "g-d-e-f"},
		},
		{"a suite at the root, whose folder has no name", ".", []string{"/../a", ""}, []string{"a", "policy"}},
		{"one that has the number of the second", "g", []string{"a", "a", "a-2"}, []string{"g-a", "g-a-3", "g-a-2"}},
		{"names that differ in case", "g", []string{"B", "b"}, []string{"g-B", "g-b-2"}},
		{"the name of the file of exceptions", ".", []string{"exceptions.yaml"}, []string{"exceptions.yaml-2"}},
	} {
		t.Run(row.why, func(t *testing.T) {
			root := t.TempDir()
			gatorFolder(t, root, row.folder, row.tests)
			set, err := policysets.Find(root, "diffrun")
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, pair := range set.Pairs {
				names = append(names, pair.Name)
			}
			if diff := cmp.Diff(row.want, names); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNoTemplate: tests whose template is not there are counted, and one is named.
func TestNoTemplate(t *testing.T) {
	root := t.TempDir()
	gatorFolder(t, root, "g", []string{"a", "b"})
	if err := os.Remove(filepath.Join(root, "g", "t.yaml")); err != nil {
		t.Fatal(err)
	}
	set, err := policysets.Find(root, "diffrun")
	want := []string{"left out, " +
		"because their file of the template has no ConstraintTemplate: 2 tests of gator, such as a of g/suite.yaml, which names g/t.yaml"}
	if diff := cmp.Diff(want, set.Open); err != nil || diff != "" {
		t.Errorf("%v: left open (-want +got):\n%s", err, diff)
	}
}
