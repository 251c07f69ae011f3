package registry_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun"
	"github.com/diffrun/diffrun/backends/native/kubernetes/registry"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// natives are those of Kubernetes whose Schemes may prepare requests on stored objects together or not.
type natives struct{ together bool }

func (natives) Kinds() []schema.GroupKind { return registry.Kinds() }

func (n natives) Target(kind schema.GroupKind) (*harness.Target, error) {
	target, err := registry.NewTarget(kind, func(schema.GroupVersionKind) (harness.Backend, error) { return nil, nil })
	if err == nil && !n.together {
		target.Scheme = preparedApart{target.Scheme}
	}
	return target, err
}

// preparedApart is a Scheme that prepares each request by itself.
type preparedApart struct{ harness.Scheme }

func (p preparedApart) Capabilities() contract.SchemeCapabilities {
	can := contract.SchemeCapabilities{}
	if scheme, is := p.Scheme.(contract.CapableScheme); is {
		can = scheme.Capabilities()
	}
	can.MetadataApart = nil
	return can
}

// TestPreparedTogether: in all bundled cases of all kinds, the requests on stored objects that are prepared together are
// those that are prepared each by itself.
func TestPreparedTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("it checks all cases twice")
	}
	together, apart := askedOfCases(t, true), askedOfCases(t, false)
	if len(together) != len(apart) || len(together) < 5000 {
		t.Fatalf("%d requests together, %d apart", len(together), len(apart))
	}
	for i := range together {
		if together[i] != apart[i] {
			t.Errorf("request %d (-apart +together):\n%s", i, cmp.Diff(strings.Split(apart[i], ","), strings.Split(together[i], ",")))
		}
	}
}

// askedOfCases returns what the schema side is asked in the bundled cases.
func askedOfCases(t *testing.T, together bool) (texts []string) {
	t.Helper()
	files := &cases.Files{FS: diffrun.Bundle()}
	places, _, err := files.Find("cases/kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	// strategies write the present into conditions
	today := regexp.MustCompile(time.Now().UTC().Format("2006-01-02") + `T[0-9:]+Z`)
	var asked []map[string]any
	plan, err := cases.Load(places, cases.Options{
		Now: time.Date(2026, time.November, 28, 0, 0, 0, 0, time.UTC),
		Builtins: map[string]cases.Builtin{"kubernetes": {
			Natives:      natives{together},
			Declaratives: func(schema.GroupVersionKind) (harness.Backend, error) { return recording{&asked}, nil },
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, suite := range plan.Suites {
		for job := range suite.Jobs(cases.JobOptions{Harness: harness.Options{Stored: true, InPlace: true}}) {
			asked = nil
			label(job.Case.Object)
			label(job.Case.Old)
			if _, err := job.Harness.Check(t.Context(), job.Case); err != nil {
				t.Fatal(err)
			}
			for _, request := range asked {
				text, err := json.Marshal(request)
				if err != nil {
					t.Fatal(err)
				}
				texts = append(texts, today.ReplaceAllString(fmt.Sprintf("%s %s: %s", suite.Name, job.Case.ID, text), "now"))
			}
		}
	}
	return texts
}

// label gives an object a label, because only the requests on such objects are prepared together.
func label(object any) {
	document, _ := object.(map[string]any)
	metadata, hasMetadata := document["metadata"].(map[string]any)
	if hasMetadata && metadata["labels"] == nil {
		metadata["labels"] = map[string]any{"team": "shop"}
	}
}
