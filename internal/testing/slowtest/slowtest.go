// Package slowtest is for tests that take minutes. They check this project rather than an input of
// its users: that generated files are fresh, that the action of GitHub works, that other modules can
// be captured. `go test ./...` leaves them out, so that a newcomer's second command ends soon;
// `make slow` and the gate run all of them.
package slowtest

import (
	"os"
	"testing"
)

// Variable is the environment variable that turns slow tests on when it is not empty.
const Variable = "DIFFRUN_SLOW_TESTS"

// Enabled reports whether slow tests run. A test that asks only to look at more of its inputs looks
// at some of them without it.
func Enabled() bool { return os.Getenv(Variable) != "" }

// Skip skips a test unless slow tests run.
func Skip(t testing.TB) {
	t.Helper()
	if !Enabled() {
		t.Skipf("slow: `make slow` runs this test, or set %s=1", Variable)
	}
}
