package equivalence_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/text/fieldvalue"
)

// TestExceptionsOfDefaults: an exception accepts a default by its path, and may name the values of
// both sides.
func TestExceptionsOfDefaults(t *testing.T) {
	exceptions, err := equivalence.LoadExceptions("defaults.yaml", []byte(`
- id: limit
  target: batch/v1 Job
  class: default
  field: spec.backoffLimit
  native: {detail: '2147483647 after defaulting'}
  why: there is a limit for each index
  owner: sig-apps
  issue: https://example.com/1
  expires: 2027-12-31
- id: labels
  target: batch/v1 Job
  class: default
  field: metadata.labels.**
  why: they are copied
  owner: sig-apps
  issue: https://example.com/1
  expires: 2027-12-31
`), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	job := equivalence.Subject{GroupVersionKind: schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: "Job"}, Operation: "CREATE"}
	accepted := map[string]string{}
	for why, pair := range map[string]equivalence.Pair{
		"the value that is accepted": {Native: fieldvalue.Default("spec.backoffLimit", 2147483647),
			Declarative: fieldvalue.Default("spec.backoffLimit", 6)},
		"another value": {Native: fieldvalue.Default("spec.backoffLimit", 7),
			Declarative: fieldvalue.Default("spec.backoffLimit", 6)},
		"a key with dots below the path": {Native: fieldvalue.Default("metadata.labels[batch.kubernetes.io/job-name]", "a"),
			Declarative: fieldvalue.Default("metadata.labels[batch.kubernetes.io/job-name]", nil)},
		"the schema alone sets it": {Native: fieldvalue.Default("metadata.labels.app", nil),
			Declarative: fieldvalue.Default("metadata.labels.app", "a")},
		"elsewhere": {Native: fieldvalue.Default("metadata.annotations.app", "a")},
	} {
		pair.Class = difference.Default
		if explained := exceptions.Explain(job, []equivalence.Pair{pair}); explained[0].Exception != nil {
			accepted[why] = explained[0].Exception.ID
		}
	}
	want := map[string]string{
		"the value that is accepted":     "limit",
		"a key with dots below the path": "labels",
		"the schema alone sets it":       "labels",
	}
	if diff := cmp.Diff(want, accepted); diff != "" {
		t.Errorf("accepted (-want +got):\n%s", diff)
	}
}

// TestExceptionsBehindOthers: the exceptions of a suite come before those of its built-in kinds.
func TestExceptionsBehindOthers(t *testing.T) {
	load := func(id string) *equivalence.Exceptions {
		exceptions, err := equivalence.LoadExceptions(id+".yaml",
			[]byte("- {id: "+id+", target: v1 Pod, class: default, field: spec.a, why: w, owner: o, issue: https://example.com/1, "+
				"expires: 2027-12-31}\n"), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		return exceptions
	}
	pod := equivalence.Subject{GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, Operation: "CREATE"}
	pair := equivalence.Pair{Native: fieldvalue.Default("spec.a", 1), Class: difference.Default}
	var none *equivalence.Exceptions
	for _, tt := range []struct {
		list *equivalence.Exceptions
		want string
	}{{load("own").With(load("builtin")), "own"}, {none.With(load("builtin")), "builtin"}} {
		if got := tt.list.Explain(pod, []equivalence.Pair{pair})[0].Exception; got == nil || got.ID != tt.want {
			t.Errorf("accepted by %v, want %s", got, tt.want)
		}
	}
}
