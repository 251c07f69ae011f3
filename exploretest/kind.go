package exploretest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/findings/smallcase"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// kind is a version of a target that is explored.
type kind struct {
	both   *harness.Harness
	like   harness.Case
	schema *apiextensionsv1.JSONSchemaProps
	ask    explore.Ask
	stores explore.Stores
}

// documented is a declarative backend that has a schema.
type documented interface {
	Document(version schema.GroupVersionKind) (tally.Document, error)
}

// newKind returns a version with its schema. A backend that shows none is explored with the fields and
// values of the starts alone.
func newKind(both *harness.Harness, version harness.Version) (*kind, error) {
	k := &kind{
		both:   both,
		like:   harness.Case{ID: "explored", Version: version.GroupVersionKind},
		schema: &apiextensionsv1.JSONSchemaProps{Type: "object"},
	}
	var err error
	if k.ask, err = asking.Of(both, k.like, newCounter()); err != nil {
		return nil, err
	}
	if k.stores, err = asking.Stores(both, nil, k.like); err != nil {
		return nil, err
	}
	has, ok := version.Declarative.(documented)
	if !ok {
		return k, nil
	}
	document, err := has.Document(version.GroupVersionKind)
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
		Schema: k.schema, Starts: starts, Object: object, Ask: k.ask, Stores: k.stores,
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
	small, r, finding := smallcase.New(found, k.like.Subresource, results)
	if small == nil {
		t.Errorf("%s: a second look at the same input did not show a difference; a validator contradicts itself", k.name())
		return
	}
	text, err := smallcase.File("Found by package exploretest in "+t.Name()+".", k.like.Version, *small)
	if err != nil {
		t.Fatal(plaintext.Error(err))
	}
	name := filepath.Join(folder, finding.Name()+".yaml")
	if err := write(name, text); err != nil {
		t.Errorf("the case is not kept: %s", plaintext.Error(err))
	}
	t.Errorf("%s\n\t%s\n\t%s:\n\t%s", plaintext.Line(finding.Text), strings.Join(smallcase.Answers(r, finding), "\n\t"),
		name, strings.Join(plaintext.Lines(string(text)), "\n\t"))
}

func write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return outfile.Write(name, text)
}
