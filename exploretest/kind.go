package exploretest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// kind is a version of a target that is explored.
type kind struct {
	both   *harness.Harness
	like   harness.Case
	schema *apiextensionsv1.JSONSchemaProps
	ask    explore.Ask
}

// changing is a declarative backend that has its schema.
type changing interface {
	Changed(version schema.GroupVersionKind, change func(declarative.Document) declarative.Document) (harness.Backend, error)
}

// newKind returns a version with its schema. A backend that shows none is explored with the fields and
// values of the starts alone.
func newKind(both *harness.Harness, version harness.Version) (*kind, error) {
	k := &kind{both: both, like: harness.Case{ID: "explored", Version: version.GroupVersionKind}, schema: &apiextensionsv1.JSONSchemaProps{Type: "object"}}
	var err error
	if k.ask, err = asking.Of(both, k.like); err != nil {
		return nil, err
	}
	has, ok := version.Declarative.(changing)
	if !ok {
		return k, nil
	}
	var document declarative.Document
	_, err = has.Changed(version.GroupVersionKind, func(d declarative.Document) declarative.Document { document = d; return d })
	if err == nil && document.Root != nil {
		k.schema, err = generate.Expand(document.Root, document.Definitions)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be explored: %w", k.name(), err)
	}
	return k, nil
}

func (k *kind) name() string { return plaintext.Line(apiname.Target(k.like.Version)) }

// options returns the options of an explorer that starts from inputs.
func (k *kind) options(starts []explore.Input) explore.Options {
	object := generate.ObjectOptions{}
	object.APIVersion, object.Kind = k.like.Version.ToAPIVersionAndKind()
	return explore.Options{
		Schema: k.schema, Starts: starts, Object: object, Ask: k.ask,
		Observe: func(explore.Input, explore.Answer) error { return nil },
	}
}

// inputsOf returns the documents of cases.
func inputsOf(cases []harness.Case) (inputs []explore.Input) {
	for _, c := range cases {
		object, isDocument := c.Object.(map[string]any)
		if !isDocument || c.Deletes || c.Subresource != "" {
			continue
		}
		old, _ := c.Old.(map[string]any)
		inputs = append(inputs, explore.Input{Object: object, Old: old})
	}
	return inputs
}

// folder is where small cases are written, below the package of the test.
const folder = "testdata/explored"

// report fails a test for a finding, and writes its case to a file.
func (k *kind) report(t testing.TB, found explore.Found) {
	t.Helper()
	results, err := k.both.Check(context.WithoutCancel(t.Context()), asking.Case(k.like, found.Input))
	if err != nil {
		t.Fatal(plaintext.Error(err))
	}
	for i := range results {
		for _, finding := range causes.Findings(&results[i]) {
			if finding.Signature == found.Signature {
				k.fail(t, found, finding, &results[i])
				return
			}
		}
	}
	t.Errorf("%s: a second look at the same input did not show a difference; a validator contradicts itself", k.name())
}

// fail reports what both sides say about a small case, and where it is.
func (k *kind) fail(t testing.TB, found explore.Found, finding causes.Finding, r *harness.Result) {
	t.Helper()
	text, err := k.caseFile(found, finding)
	if err != nil {
		t.Fatal(plaintext.Error(err))
	}
	name := filepath.Join(folder, finding.Name()+".yaml")
	if err := write(name, text); err != nil {
		t.Errorf("the case is not kept: %s", plaintext.Error(err))
	}
	var said []string
	for side, outcome := range r.Outcomes() {
		said = append(said, fmt.Sprintf("%-12s %s", side+":", answer(outcome)))
	}
	t.Errorf("%s\n\t%s\n\t%s:\n\t%s", plaintext.Line(finding.Text), strings.Join(said, "\n\t"), name, strings.Join(plaintext.Lines(string(text)), "\n\t"))
}

// answer returns what a side says, on one line.
func answer(outcome harness.Outcome) string {
	switch {
	case outcome.Fault != nil:
		return "no verdict: " + plaintext.Error(outcome.Fault)
	case len(outcome.Errors) == 0:
		return "accepts it"
	}
	more := ""
	if n := len(outcome.Errors) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return plaintext.Error(outcome.Errors[0]) + more
}

// caseFile returns a file of cases with the case of a finding.
func (k *kind) caseFile(found explore.Found, finding causes.Finding) ([]byte, error) {
	written := map[string]any{"name": finding.Name(), "why": finding.Text, "object": found.Input.Object}
	if found.Input.IsUpdate() {
		written["old"] = map[string]any{"object": found.Input.Old}
	}
	return yaml.Marshal(map[string]any{"target": apiname.Target(k.like.Version), "cases": []any{written}})
}

func write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return outfile.Write(name, text)
}
