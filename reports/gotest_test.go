package reports_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/reports"
)

// sided is a backend that always returns the same errors.
type sided struct {
	name string
	errs field.ErrorList
}

func (s sided) Name() string { return s.name }

func (s sided) Validate(context.Context, *harness.Input) (field.ErrorList, error) { return s.errs, nil }

func gadgetTarget(native, declarative field.ErrorList) *harness.Target {
	version := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Gadget"}
	return &harness.Target{Kind: version.GroupKind(), Scheme: harness.Documents{}, Versions: []harness.Version{
		{GroupVersionKind: version, Native: sided{"native", native}, Declarative: sided{"declarative", declarative}},
	}}
}

// failing is a testing.TB whose failure concerns only the test that uses it.
type failing struct {
	testing.TB
	errors []string
}

func (f *failing) Errorf(format string, _ ...any) { f.errors = append(f.errors, format) }

// Findings of tests are read as the report of a run; a test with two harnesses has one report.
func TestInTests(t *testing.T) {
	directory := t.TempDir()
	t.Setenv("DIFFRUN_REPORT", directory)
	invalid := field.ErrorList{invalid("spec.size", 1, "must be odd")}
	gadget := map[string]any{"apiVersion": "example.com/v1", "kind": "Gadget"}
	t.Run("one/a", func(t *testing.T) {
		fails := &failing{TB: t}
		for range 2 {
			harness.For(fails, gadgetTarget(invalid, nil), reports.InTests(fails)).Test(fails, harness.Case{Object: gadget})
		}
		if len(fails.errors) != 2 {
			t.Errorf("the differences failed the test %d times, want 2", len(fails.errors))
		}
	})
	t.Run("two", func(t *testing.T) {
		harness.For(t, gadgetTarget(invalid, invalid), reports.InTests(t)).Test(t, harness.Case{Object: gadget})
	})
	files, err := filepath.Glob(filepath.Join(directory, "*.json"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%d files (%v), want one for each test: %q", len(files), err, files)
	}
	for i, want := range []struct {
		name    string
		results int
		effect  words.Effect
	}{{"reports.test.TestInTests%2Fone%2Fa.json", 2, words.Admits}, {"reports.test.TestInTests%2Ftwo.json", 1, words.NoEffect}} {
		data, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if err := compile(t, "run.schema.json").Validate(parse(t, data)); err != nil {
			t.Error(err)
		}
		run, err := reports.Read(strings.NewReader(string(data)))
		if err != nil || len(run.Results) != want.results || run.Results[0].Effect != want.effect ||
			!strings.HasSuffix(files[i], want.name) {
			t.Errorf("%s: %+v (%v), want %+v", files[i], run, err, want)
		}
	}
}

// Without the variable nothing is written; if it does not name a directory, the test fails.
func TestInTestsUnset(t *testing.T) {
	t.Setenv("DIFFRUN_REPORT", "")
	harness.For(t, gadgetTarget(nil, nil), reports.InTests(t)).Test(t,
		harness.Case{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Gadget"}})
	for _, directory := range []string{"relative", filepath.Join(t.TempDir(), "none")} {
		t.Setenv("DIFFRUN_REPORT", directory)
		ended := &fataling{TB: t}
		func() {
			defer func() { _ = recover() }()
			reports.InTests(ended)
		}()
		if !strings.Contains(ended.said, "is not the absolute path of a directory") {
			t.Errorf("%s: the test was told %q", directory, ended.said)
		}
	}
}

// fataling ends a test by a panic that the caller recovers.
type fataling struct {
	testing.TB
	said string
}

func (f *fataling) Fatalf(format string, _ ...any) {
	f.said = format
	panic(format)
}
