package harness_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// saying is a backend that returns many errors with a text in every field.
func saying(text string, times int) harness.Backend {
	return backend{"native", func(context.Context, *harness.Input) (field.ErrorList, error) {
		var errs field.ErrorList
		for i := range times {
			errs = append(errs, &field.Error{Type: field.ErrorTypeInvalid, Field: fmt.Sprint(text, i), BadValue: text, Detail: text})
		}
		return errs, nil
	}}
}

func failing(text string) harness.Backend {
	return backend{"declarative", func(context.Context, *harness.Input) (field.ErrorList, error) { return nil, errors.New(text) }}
}

// forgetful is a scheme that drops many fields, or cannot express an object.
type forgetful struct {
	harness.Documents
	text string
}

func (f forgetful) Capabilities() contract.SchemeCapabilities {
	return contract.SchemeCapabilities{Omitted: func(any, schema.GroupVersionKind) []contract.Omission {
		var all []contract.Omission
		for i := range 1_000 {
			all = append(all, contract.Omission{Field: fmt.Sprint(f.text, i), Why: words.Pruned})
		}
		return all
	}}
}

func (f forgetful) Default(_ context.Context, _ harness.Request, object, old any) (any, any, error) {
	return object, old, nil
}

func (f forgetful) Convert(object any, version schema.GroupVersionKind) (any, error) {
	if version.Version == "v1beta1" {
		return nil, &contract.InexpressibleError{Reason: f.text}
	}
	return f.Documents.Convert(object, version)
}

// Output of a test neither controls a terminal nor forges a line of go test, and is short enough to be read.
func TestTestOfHostileTexts(t *testing.T) {
	beta := schema.GroupVersionKind{Group: widgetV1.Group, Version: "v1beta1", Kind: widgetV1.Kind}
	for _, text := range []string{
		"\x1b[2J\r\n--- FAIL: TestForged\n\u2028::error::a\n##vso[a]--- FAIL\u202e\u009b\x7f\xff\u200b",
		strings.Repeat("a long text ", 1_000),
	} {
		for _, declarative := range []harness.Backend{atLeast("declarative", 0), failing(text)} {
			h, err := harness.New(&harness.Target{
				Kind: widgetV1.GroupKind(), Scheme: forgetful{text: text},
				Versions: []harness.Version{
					{GroupVersionKind: beta, Native: saying(text, 1), Declarative: declarative},
					{GroupVersionKind: widgetV1, Native: saying(text, 1_000), Declarative: declarative},
				},
			}, harness.Options{})
			if err != nil {
				t.Fatal(err)
			}
			told := &recorder{TB: t}
			object := widget("a", 3)
			h.Test(told, harness.Case{
				ID:     text,
				Object: object,
				Want:   []harness.ExpectedError{{Type: field.ErrorTypeRequired, Field: text, Detail: text}},
			})
			said := strings.Join(told.lines, "\n")
			if !told.failed {
				t.Error("the test does not fail")
			}
			for line := range strings.Lines(said) {
				line = strings.Trim(line, "\t\n")
				if at := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }); at >= 0 ||
					strings.HasPrefix(line, "---") || strings.HasPrefix(line, "::") || strings.Contains(line, " ##vso[") {
					t.Errorf("%q is printed", line)
				}
				if len(line) > 8_000 {
					t.Errorf("a line has %d bytes: %.100s", len(line), line)
				}
			}
			if len(said) > 1<<20 {
				t.Errorf("%d bytes are printed", len(said))
			}
			for _, says := range []string{" more fields", "more"} {
				if !strings.Contains(said, says) {
					t.Errorf("it does not say that there is more: %.500s", said)
				}
			}
		}
	}
}
