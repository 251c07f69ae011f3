package harness_test

import (
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// TestCaseDigest: each part of what a case asks is in its digest, and nothing else.
func TestCaseDigest(t *testing.T) {
	object := func() map[string]any { return map[string]any{"kind": "Widget", "size": 3.0} }
	same := (&harness.Case{ID: "a", Object: object()}).Digest()
	for _, row := range []struct {
		why   string
		c     harness.Case
		equal bool
	}{
		{"the id, the place and the reason", harness.Case{ID: "b", Source: "a:1", Number: 3, Why: "why", Object: object()}, true},
		{"a float without a fraction is sent as an integer", harness.Case{Object: map[string]any{"kind": "Widget", "size": int64(3)}},
			true},
		{"unless the numbers are kept", harness.Case{Object: object(), ExactNumbers: true}, false},
		{"the object", harness.Case{Object: map[string]any{"kind": "Widget", "size": 4.0}}, false},
		{"an old object", harness.Case{Object: object(), Old: object()}, false},
		{"a deletion", harness.Case{Object: object(), Deletes: true}, false},
		{"a connection", harness.Case{Object: object(), Connects: true}, false},
		{"the version", harness.Case{Object: object(), Version: widgetV1}, false},
		{"the name of the request", harness.Case{Object: object(), RequestName: "a"}, false},
		{"its namespace", harness.Case{Object: object(), RequestNamespace: "a"}, false},
		{"the path of a part", harness.Case{Object: object(), Path: field.NewPath("spec")}, false},
		{"a subresource", harness.Case{Object: object(), Subresource: "status"}, false},
		{"an object in the cluster", harness.Case{Object: object(), Cluster: []map[string]any{object()}}, false},
		{"a user", harness.Case{Object: object(), User: &harness.User{Name: "a"}}, false},
		{"any error is accepted, or none", harness.Case{Object: object(), Want: []harness.ExpectedError{}}, false},
		{"an error that is wanted", harness.Case{Object: object(), Want: []harness.ExpectedError{{Field: "a"}}}, false},
		{"a decision", harness.Case{Object: object(), WantDecision: words.Denied}, false},
		{"one of guards", harness.Case{Object: object(), WantDecision: words.Denied, WantOfGuards: true}, false},
		{"a fault", harness.Case{Object: object(), Fault: &contract.Fault{Err: errors.New("not YAML")}}, false},
	} {
		got := row.c.Digest()
		if (got == same) != row.equal {
			t.Errorf("%s: the digest is equal: %t, want %t", row.why, got == same, row.equal)
		}
		if again := row.c.Digest(); again != got {
			t.Errorf("%s: the digest of one case is %s, then %s", row.why, got, again)
		}
	}
	exact := func(size any) string {
		return (&harness.Case{Object: map[string]any{"size": size}, ExactNumbers: true}).Digest()
	}
	if exact(3.0) == exact(int64(3)) {
		t.Error("3.0 is 3, although the numbers are kept")
	}
}
