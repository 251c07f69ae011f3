package infer

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

// TestDecoders: an error of the decoder of a type is no error of a site. A validator's own error about a text is one, even
// if it has the same words.
func TestDecoders(t *testing.T) {
	t.Parallel()
	const properties = "since: {type: string, format: date-time}\nweight: {x-kubernetes-int-or-string: true, anyOf: [{type: " +
		"integer}, {type: string}], pattern: '^[0-9a-zA-Z.]*$'}\nnote: {type: string, maxLength: 40}"
	start := spec{"since": "2026-01-01T00:00:00Z", "weight": "1Gi", "note": "2026-01-01T00:00:00Z"}
	parsed := func(name string, parse func(text string) error) func(s, _ spec) field.ErrorList {
		return func(s, _ spec) field.ErrorList {
			if err := parse(s.text(name)); s.has(name) && err != nil {
				return field.ErrorList{pathless("%v", err)}
			}
			return nil
		}
	}
	asTime := func(text string) error { _, err := time.Parse(time.RFC3339, text); return err }
	asQuantity := func(text string) error {
		if text == "" {
			return nil // or a number
		}
		_, err := resource.ParseQuantity(text)
		return err
	}
	for _, tt := range []struct {
		why       string
		validate  func(s, _ spec) field.ErrorList
		isDecoder bool
	}{
		{"a time", parsed("since", asTime), true},
		{"a quantity", parsed("weight", asQuantity), true},
		{"any text that the validator reads as a time", parsed("note", asTime), false},
		{"any text that the validator reads as a quantity", parsed("note", asQuantity), false},
	} {
		if strings.Contains(tt.why, "quantity") && !slowtest.Enabled() {
			continue // takes as long as a time
		}
		report := runShort(t, definition(properties), tt.validate, start)
		sites := len(report.Sites) + report.Masked
		if isDecoder := report.Undecoded > 0 && sites == 0; isDecoder != tt.isDecoder || !isDecoder && sites == 0 {
			t.Errorf("%s: %d errors of a decoder, %d sites\n%s", tt.why, report.Undecoded, sites, report.Text())
		}
	}
}

// TestFaultsOfStored: a fault counts if the old object of an update can be stored, and only then.
func TestFaultsOfStored(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		panics func(s, old spec) bool
		want   bool
	}{
		{"an old object that the schema refuses", func(_, old spec) bool { return old.text("size") != "" }, false},
		{"an old object that the schema accepts", func(_, old spec) bool { return old.number("size") == 7 }, true},
		{"a new object that the schema refuses", func(s, _ spec) bool { return s.text("size") != "" }, false},
	} {
		report := runOf(t, definition("size: {type: integer}"), func(s, old spec) field.ErrorList {
			if tt.panics(s, old) {
				panic("cannot read it")
			}
			return nil
		}, func(target *evidence.Target) {
			of := func(size any) map[string]any {
				return map[string]any{
					"apiVersion": "example.com/v1", "kind": "Thing", "metadata": map[string]any{
						"name":            "a",
						"namespace":       "b",
						"resourceVersion": "1",
					}, "spec": map[string]any{"size": size},
				}
			}
			for _, old := range []any{"text", int64(7)} {
				target.Starts = append(target.Starts, explore.Input{Object: of(int64(2)), Old: of(old)},
					explore.Input{Object: of("text"), Old: of(int64(1))})
			}
		}, spec{"size": int64(1)})
		if got := report.Faults != nil; got != tt.want || got && !strings.HasPrefix(report.Faults.First, "panic: cannot read it") {
			t.Errorf("%s: faults %+v, want some: %t", tt.why, report.Faults, tt.want)
		}
	}
}

// TestFaultsOfStatus: the status of an old object counts as well, although the API server drops that of a new one.
func TestFaultsOfStatus(t *testing.T) {
	t.Parallel()
	crd := strings.Replace(definition("size: {type: integer}"), "    storage: true\n", "    storage: true\n    subresources: "+
		"{status: {}}\n", 1) + "          status: {type: object, properties: {ready: {type: integer}}}\n"
	for status, want := range map[any]bool{"text": false, int64(7): true} {
		backend := native.Func[*unstructured.Unstructured](func(_ context.Context, _, old *unstructured.Unstructured) field.ErrorList {
			if old != nil && (old.Object["status"] == "text" ||
				reflect.DeepEqual(old.Object["status"], map[string]any{"ready": int64(7)})) {
				panic("cannot read it")
			}
			return nil
		})
		about := targetOfBackend(t, crd, backend)
		of := func(status any) map[string]any {
			return map[string]any{
				"apiVersion": "example.com/v1",
				"kind":       "Thing",
				"metadata":   map[string]any{"name": "a", "namespace": "b", "resourceVersion": "1"},
				"spec":       map[string]any{"size": int64(1)},
				"status":     status,
			}
		}
		old := status
		if status == int64(7) {
			old = map[string]any{"ready": status}
		}
		about.Starts = append(about.Starts, explore.Input{Object: of(map[string]any{}), Old: of(old)})
		few := options()
		few.Inputs = 1
		report, err := Run(t.Context(), about, few)
		if err != nil {
			t.Fatal(err)
		}
		if got := report.Faults != nil; got != want {
			t.Errorf("status %v: faults %+v, want some: %t", status, report.Faults, want)
		}
	}
}
