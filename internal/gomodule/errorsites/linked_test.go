package errorsites_test

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
)

// TestLinked: a program that is built with -cover knows for each input which blocks of its validators were
// executed, and which sites never were. A block of the program itself calls the validator.
func TestLinked(t *testing.T) {
	const packages = "./testdata/linked"
	run := exec.Command("go", "run", "-cover", "-covermode=atomic", "-coverpkg="+packages+"/...", packages, "1", "1", "-1", "1", "-1")
	run.Env = append(os.Environ(), "GOCOVERDIR="+t.TempDir())
	output, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	want := `1: 4 executed, 4 of them for the first time
1: 4 executed, 0 of them for the first time
-1: 5 executed, 1 of them for the first time
1: 4 executed, 0 of them for the first time
-1: 5 executed, 0 of them for the first time
1 of 2 error sites and 15 of 21 branches of the validator reached
never reached: github.com/diffrun/diffrun/internal/gomodule/errorsites/testdata/linked/limits/limits.go:13: Validate: Forbidden n "is taken"
`
	if string(output) != want {
		t.Errorf("got:\n%s\nwant:\n%s", output, want)
	}
}

// TestThisProgram: a test without -cover, and one whose counted packages are those of diffrun, has no counters.
func TestThisProgram(t *testing.T) {
	if _, err := errorsites.ThisProgram(); !errors.Is(err, errorsites.ErrNoCounters) {
		t.Errorf("the error is %v", err)
	}
}
