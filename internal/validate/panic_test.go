package validate

import (
	"context"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// panickingEngine is a backend with a bug. It replaces the schema of all lines.
type panickingEngine struct{}

func (panickingEngine) Name() string { return "declarative" }

func (panickingEngine) Validate(context.Context, *harness.Input) (_ field.ErrorList, err error) {
	defer contract.Recover(&err)
	panic("oh no")
}

func (p panickingEngine) find(lineRequest) (*compiled, error) {
	return &compiled{Stages: Stages{Backend: p}}, nil
}

// A panic of the engine is not a verdict, and verbose shows where it was.
func TestPanicOfTheEngine(t *testing.T) {
	for _, tt := range []struct {
		verbose bool
		want    string
	}{{false, ""}, {true, "panickingEngine.Validate"}} {
		options := Options{Engine: Declarative, Timeout: contract.DefaultTimeout, Verbose: tt.verbose}
		lines := &Lines{options: LinesOptions{Options: options}, fallback: panickingEngine{}}
		answer := lines.answer(t.Context(), line{number: 7, text: []byte(`{"id":"a","object":{}}`)})
		if answer.Valid || len(answer.Errors) > 0 || !strings.HasPrefix(answer.Fault, "line 7: panic: oh no at ") ||
			strings.Contains(answer.Fault, "\n") != tt.verbose || !strings.Contains(answer.Fault, tt.want) {
			t.Errorf("verbose: %t: %+v", tt.verbose, answer)
		}

		var out strings.Builder
		report := &fileReport{out: plaintext.NewPrinter(&out), options: &FilesOptions{Options: options}, files: map[string]bool{}}
		asked := harness.Ask(t.Context(), panickingEngine{}, &harness.Input{Object: contract.NewView(map[string]any{})}, options.Timeout)
		object := fileObject{file: "a.yaml", document: documents.Document{Line: 3}}
		if err := report.take(fileOutcome{fileObject: object, fault: asked.Fault}); err != nil {
			t.Fatal(err)
		}
		report.out.Flush()
		if said := out.String(); !strings.Contains(said, "no verdict: panic: oh no at ") ||
			strings.Count(said, "\n") > 1 != tt.verbose || !strings.Contains(said, tt.want) {
			t.Errorf("verbose: %t: %s", tt.verbose, said)
		}
	}
}
