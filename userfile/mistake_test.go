package userfile_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/userfile"
)

// TestMistakes collects mistakes from several sources and reads them as one error.
func TestMistakes(t *testing.T) {
	var all userfile.Mistakes
	if err := all.Err(); err != nil {
		t.Errorf("no mistake is the error %v", err)
	}
	all.Addf(userfile.Position{File: "b.yaml", Line: 3}, "text %d", 3)
	all.Merge("b.yaml", nil)
	all.Merge("b.yaml", userfile.Mistakes{{Position: userfile.Position{File: "b.yaml", Line: 2, Column: 5}, Message: "later in the line"}})
	all.Merge("b.yaml", userfile.Mistake{Position: userfile.Position{File: "b.yaml", Line: 2, Column: 1}, Message: "earlier"})
	all.Merge("a.yaml", errors.New("is not there"))
	all.Addf(userfile.Position{File: "b.yaml", Line: 3}, "text 3")
	err := fmt.Errorf("load: %w", all.Err())
	var got userfile.Mistakes
	if !errors.As(err, &got) {
		t.Fatalf("the error is a %T", err)
	}
	want := "a.yaml: is not there\nb.yaml:2: earlier\nb.yaml:2: later in the line\nb.yaml:3: text 3"
	if d := cmp.Diff(want, got.Error()); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
