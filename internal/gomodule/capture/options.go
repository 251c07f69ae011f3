package capture

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/gomodule/capture/converter"
	"github.com/diffrun/diffrun/internal/gomodule/capture/instrument"
	"github.com/diffrun/diffrun/internal/gomodule/capture/recorder"
)

// Options are the options of Run.
type Options struct {
	// Command is a "go test" command with its arguments.
	Command []string
	// Dir is where it runs. The default is the working directory. Env is its environment.
	Dir string
	Env []string
	// Stdin, Stdout and Stderr are those of the command.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Functions are patterns of functions, "import/path.Function" or "import/path.Type.Method",
	// with "*" for any text. The default is the exported functions of the tested packages that
	// take API objects. Functions with other results than field errors are recorded only if they are named:
	// []metav1.StatusCause, *apis.FieldError, error and strings.
	Functions []string
	// Schemes are the names of schemes that convert objects to an external version, as
	// "import/path.Variable" or "import/path.AddToScheme". Objects of internal types need one.
	Schemes []string
	// InternalVersions are the versions that objects of internal types are converted to, by
	// group. The default is the version that the scheme prefers.
	InternalVersions map[string]string
	// Nested records calls inside recorded calls, too.
	Nested bool
	// Announce is called before anything is built, with the functions that will be recorded. It is optional.
	Announce func(*Recording)
}

// wanted returns a function that reports whether the patterns select a function. The second result has
// the first function that each pattern has matched so far.
func (o Options) wanted() (func(name string, exported bool) bool, map[string]string, error) {
	if len(o.Functions) == 0 {
		return func(_ string, exported bool) bool { return exported }, nil, nil
	}
	matched := map[string]string{}
	var patterns []*regexp.Regexp
	for _, pattern := range o.Functions {
		if !strings.Contains(pattern, ".") {
			return nil, nil, fmt.Errorf("--func %q: write import/path.Function or import/path.Type.Method; * matches any text", pattern)
		}
		text := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `.*`)
		patterns = append(patterns, regexp.MustCompile("^"+text+"$"))
		matched[pattern] = ""
	}
	return func(name string, _ bool) bool {
		found := false
		for i, pattern := range patterns {
			if pattern.MatchString(name) {
				found = true
				if matched[o.Functions[i]] == "" {
					matched[o.Functions[i]] = name
				}
			}
		}
		return found
	}, matched, nil
}

// exact reports whether Functions has the whole name of a function.
func (o Options) exact(name string) bool { return slices.Contains(o.Functions, name) }

// Recording is the result of Run.
type Recording struct {
	// Status is the exit status of the command.
	Status int
	// Functions are the instrumented functions. Refused could not be instrumented, and Near are not, because
	// the caller does not name them.
	Functions     []instrument.Function
	Refused, Near []instrument.Refusal
	// Lines are the recorded calls in any order. Their sources are relative to their module.
	Lines []recorder.Line
	// Skipped is the number of calls that were not recorded, by function and reason.
	Skipped map[Skip]int
	// Answers are the answers of the schemes to Lines, in the same order, or nil without schemes.
	Answers []converter.Answer
	// Cut is the number of incomplete lines, of processes that were killed.
	Cut int
	// Versions are the API versions of the Go types of objects, if their packages declare them.
	Versions map[string]schema.GroupVersionKind
}

// Skip is a reason why calls of a function were not recorded.
type Skip struct{ Function, Reason string }
