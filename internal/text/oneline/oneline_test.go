package oneline_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/cel-go/cel"

	"github.com/diffrun/diffrun/internal/text/oneline"
)

// The place in an error of cel-go about a rule is moved to the same line.
func TestRules(t *testing.T) {
	env, err := cel.NewEnv(cel.Variable("self", cel.StringType))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ why, rule, want string }{
		{"the place is where the rule continues", "size(self) > 1 && nothing == 'a'",
			`undeclared reference to 'nothing' (in container ''), at "nothing == 'a'"`},
		{"a rule that is cut off", "size(self) >", `Syntax error: it ends too early, at the end`},
		{"the second line", "self == 'a' &&\n  nothing", `undeclared reference to 'nothing' (in container ''), at "nothing" in line 2`},
		{"columns are characters", "'ääää' == nothing", `undeclared reference to 'nothing' (in container ''), at "nothing"`},
		{"two mistakes", "one == two", `undeclared reference to 'one' (in container ''), at "one == two"; undeclared reference ` +
			`to 'two' (in container ''), at "two"`},
		{"a long rest", "nothing == 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'",
			`undeclared reference to 'nothing' (in container ''), at "nothing == 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa…"`},
	} {
		t.Run(tc.why, func(t *testing.T) {
			_, issues := env.Compile(tc.rule)
			if got := oneline.Of(fmt.Errorf("does not compile: %w", issues.Err())); got != "does not compile: "+tc.want {
				t.Errorf("got  %s\nwant does not compile: %s", got, tc.want)
			}
		})
	}
}

func TestOtherErrors(t *testing.T) {
	for said, want := range map[string]string{
		// characters that encoding/json escapes are shown as written, and a backslash stays one
		`Invalid value: {"rule":"a \u003e b \u0026\u0026 b \u003c 1"}: no`: `Invalid value: {"rule":"a > b && b < 1"}: no`,
		`Invalid value: "\\u003e": no`:                                     `Invalid value: "\\u003e": no`,
		"one line":                                                         "one line",
		"one\ntwo\n":                                                       "one; two",
		"ERROR: <input>:1:99: far\n | short\n | ....^":                     "ERROR: <input>:1:99: far;  | short;  | ....^",
	} {
		if got := oneline.Of(errors.New(said)); got != want {
			t.Errorf("%q: got %q, want %q", said, got, want)
		}
	}
}
