package validate

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/harness"
)

// A schema compiles once in each role, whoever asks first.
func TestByRole(t *testing.T) {
	var asked []role
	all := newByRole(func(as role) (*compiled, error) {
		asked = append(asked, as)
		return nil, nil
	})
	for _, as := range []role{innerRole, innerRole, rootRole, statusRole, rootRole} {
		if _, err := all.in(as); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]role{innerRole, rootRole, statusRole}, asked); diff != "" {
		t.Error(diff)
	}
}

// A compiler that panics or hangs fails the objects that need it, not the run.
func TestCompilerIsGuarded(t *testing.T) {
	for _, test := range []struct {
		compile func() (*compiled, error)
		want    string
		why     string
	}{
		{func() (*compiled, error) { panic("no luck") }, "panic: no luck", "a panic"},
		{func() (*compiled, error) { select {} }, "timeout: the declarative backend did not answer within 50ms", "a hang"},
		{func() (*compiled, error) { return nil, errors.New("no schema") }, "no schema", "an error"},
	} {
		schema := newByRole(func(role) (*compiled, error) { return test.compile() })
		for range 2 { // the second one waits for the first one's answer
			backend := &foundBackend{name: "declarative", find: func() (harness.Backend, error) { return schema.in(innerRole) }}
			outcome := harness.Ask(t.Context(), backend, &harness.Input{}, 50*time.Millisecond)
			if outcome.Fault == nil || !strings.HasPrefix(outcome.Fault.Error(), test.want) {
				t.Errorf("%s: fault %v, want %q", test.why, outcome.Fault, test.want)
			}
		}
	}
}
