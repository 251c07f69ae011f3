package soak_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/redaction"
	"github.com/diffrun/diffrun/internal/live/counters"
	"github.com/diffrun/diffrun/internal/live/soak"
	"github.com/diffrun/diffrun/internal/text/fieldvalue"
)

// textOf returns the texts in a folder about the findings of a result.
func textOf(t *testing.T, result harness.Result, redact bool) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "found")
	folder, err := soak.Open(t.Context(), dir, soak.Options{
		Suites:    []string{"widgets"},
		Redact:    redact,
		Now:       time.Now,
		OnFinding: func(soak.Found, counters.Fate, error) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	if redact {
		result = (&redaction.Redactor{}).Result(result)
	}
	take(t, folder, result)
	files, err := filepath.Glob(filepath.Join(dir, "differences", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d texts, %v", len(files), err)
	}
	var texts strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts.Write(text)
	}
	return texts.String()
}

// TestRedactedText: a redacted folder has no value of an object, however long it is and wherever it
// ends.
func TestRedactedText(t *testing.T) {
	long := strings.Repeat("secret-", 200)
	for _, detail := range []string{
		`must not be "secret"`,
		`must not be "` + long + `"`,
		"must not be `" + long + "`",
		"must not be '" + long + "'",
	} {
		result := different("size")
		result.Native.Errors = field.ErrorList{field.Invalid(field.NewPath("size"), long, detail)}
		result.Pairs[0].Native = result.Native.Errors[0]
		if text := textOf(t, result, true); strings.Contains(text, "secret") || !strings.Contains(text, "must not be #") {
			t.Errorf("the detail begins with %.30s, and the text is\n%s", detail, text)
		}
	}
}

// TestHostileText: the text about a finding does not control the terminal that shows it.
func TestHostileText(t *testing.T) {
	const hostile = "a\x1b]0;title\x07\r\u202eb"
	of := different("size")
	of.Case.ID, of.Suite = hostile, hostile
	of.Native.Errors = field.ErrorList{field.Invalid(field.NewPath(hostile), hostile, hostile)}
	of.Declarative.Fault = &contract.Fault{Reason: words.FaultError, Err: errors.New(hostile)}
	of.Pairs[0].Native = of.Native.Errors[0]
	faulted := different("size")
	faulted.Fault, faulted.Pairs = of.Declarative.Fault, nil
	for _, result := range []harness.Result{of, faulted} {
		for _, redact := range []bool{false, true} {
			if text := textOf(t, result, redact); strings.ContainsAny(text, "\x1b\x07\r\u202e") || !strings.Contains(text, "title") {
				t.Errorf("redacted: %v:\n%q", redact, text)
			}
		}
	}
}

// TestTextOfDefaults: the text about different defaults has both values, which no error has.
func TestTextOfDefaults(t *testing.T) {
	kind := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}
	result := harness.Result{
		Suite: "widgets", Version: kind, Verdict: words.Different, Effect: words.NoEffect,
		Case: &harness.Case{ID: "a", Version: kind, Object: map[string]any{"size": int64(3)}},
		Pairs: []equivalence.Pair{
			{Class: difference.Default, Native: fieldvalue.Default("color", "red"), Declarative: fieldvalue.Default("color", nil)},
		},
	}
	for redact, value := range map[bool]string{false: `"red"`, true: "#"} {
		want := fmt.Sprintf("\nnative:\n  accepts the object\n  color: %s after defaulting\n\ndeclarative:\n  accepts the "+
			"object\n  color: absent after defaulting\n", value)
		if text := textOf(t, result, redact); !strings.Contains(text, want) {
			t.Errorf("redacted: %v: want\n%s\ngot\n%s", redact, want, text)
		}
	}
}
