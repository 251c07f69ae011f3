package equivalence_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
)

var updateGolden = flag.Bool("update", false, "write the golden files instead of comparing with them")

// Each file of testdata has every mistake that its kind of file can have; the golden file beside it has the
// messages for its author.
func TestMistakes(t *testing.T) {
	for name, read := range map[string]func(file string, data []byte) error{
		"rules": func(file string, data []byte) error {
			_, err := equivalence.LoadRules(file, data)
			return err
		},
		"exceptions": func(file string, data []byte) error {
			_, err := equivalence.LoadExceptions(file, data, today())
			return err
		},
	} {
		files, err := filepath.Glob("testdata/" + name + "*.yaml")
		if err != nil || len(files) == 0 {
			t.Fatalf("no file testdata/%s*.yaml (%v)", name, err)
		}
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				err = read(filepath.Base(file), data)
				if err == nil {
					t.Fatal("a file with mistakes was loaded")
				}
				compareGolden(t, strings.TrimSuffix(file, ".yaml")+".golden", err.Error()+"\n")
			})
		}
	}
}

func compareGolden(t *testing.T, golden, got string) {
	t.Helper()
	if *updateGolden {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatalf("%v; go test -update writes it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-want +got (go test -update writes %s):\n%s", golden, diff)
	}
}

// The example of the design is a complete file.
func TestLoadRules(t *testing.T) {
	rules, err := equivalence.LoadRules("rules.yaml", []byte(`
- name: minimum
  why: the two sides word a lower bound differently
  type: FieldValueInvalid
  native: 'must be greater than or equal to (?P<bound>\S+)'
  declarative: 'should be greater than or equal to (?P<bound>\S+)'
  examples:
    match: [[must be greater than or equal to 0, should be greater than or equal to 0]]
    differ: [[must be greater than or equal to 0, should be greater than or equal to 1]]
- name: at-a-field
  why: two types, one meaning, at one field only
  nativeType: FieldValueRequired
  declarativeType: FieldValueInvalid
  field: spec.items[*].name
  native: ''
  declarative: must have a name
  examples:
    match: [['', must have a name]]
    differ:
    - ['', must have a number]
    - [{field: spec.name}, {field: spec.name, detail: must have a name}]
`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		name     string
		position string
		builtin  bool
	}{{"minimum", "rules.yaml:2", false}, {"at-a-field", "rules.yaml:10", false}} {
		rule := rules.All()[i]
		if rule.Name != want.name || rule.Position.String() != want.position || rule.Builtin {
			t.Errorf("got %s at %s", rule.Name, rule.Position)
		}
	}
}

func TestLoadExceptions(t *testing.T) {
	exceptions, err := equivalence.LoadExceptions("exceptions.yaml", []byte(`
- id: hpa-v1-metrics-annotation
  target: autoscaling/v1 HorizontalPodAutoscaler
  operations: [CREATE, UPDATE]
  class: too-loose
  field: spec.template.spec.containers[*].name
  native: {type: FieldValueInvalid, detail: 'must be .+'}
  why: the field does not exist in v1
  owner: sig-autoscaling
  issue: https://github.com/kubernetes/kubernetes/issues/1
  expires: 2027-06-30
  maxHits: 3
`), today())
	if err != nil {
		t.Fatal(err)
	}
	got := exceptions.All()[0]
	if got.ID != "hpa-v1-metrics-annotation" || got.Target() != "autoscaling/v1 HorizontalPodAutoscaler" ||
		got.Class != difference.TooLoose || got.Field() != "spec.template.spec.containers[*].name" ||
		got.MaxHits != 3 || got.Expired || got.Position.String() != "exceptions.yaml:2" {
		t.Errorf("read as %+v", got)
	}
	if none, err := equivalence.LoadExceptions("exceptions.yaml", []byte("[]\n"), today()); err != nil || len(none.All()) != 0 {
		t.Errorf("an empty list: %v", err)
	}
}

// A file whose last entry was removed has only comments; a null has a different meaning.
func TestFilesWithoutAnEntry(t *testing.T) {
	for _, comments := range []string{"", "\n  \n", "# Owned by sig-widgets.\n\n  # sorted by id\n"} {
		rules, err := equivalence.LoadRules("rules.yaml", []byte(comments))
		if err != nil || len(rules.All()) > 0 {
			t.Errorf("rules of %q: %d, error %v", comments, len(rules.All()), err)
		}
		exceptions, err := equivalence.LoadExceptions("exceptions.yaml", []byte(comments), today())
		if err != nil || len(exceptions.All()) > 0 {
			t.Errorf("exceptions of %q: %d, error %v", comments, len(exceptions.All()), err)
		}
	}
	for _, null := range []string{"~", "# a comment\n---\nnull\n"} {
		if _, err := equivalence.LoadRules("rules.yaml", []byte(null)); err == nil {
			t.Errorf("rules of %q were loaded", null)
		}
		if _, err := equivalence.LoadExceptions("exceptions.yaml", []byte(null), today()); err == nil {
			t.Errorf("exceptions of %q were loaded", null)
		}
	}
}
