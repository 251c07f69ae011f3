// Package slowtest is for tests that take minutes. They check this project rather than an input of
// its users: that generated files are fresh, that the GitHub action works, that other modules can
// be captured. `go test ./...` leaves them out, to be fast for newcomers; `make slow` and CI run
// all of them.
package slowtest

import (
	"os"
	"testing"
)

// Variable is the environment variable that turns slow tests on when it is not empty.
const Variable = "DIFFRUN_SLOW_TESTS"

// Enabled reports whether slow tests run. A fast test may call it to check more of its inputs.
func Enabled() bool { return os.Getenv(Variable) != "" }

// Skip skips a test unless slow tests run.
func Skip(t testing.TB) {
	t.Helper()
	if !Enabled() {
		t.Skipf("slow: `make slow` runs this test, or set %s=1", Variable)
	}
}
