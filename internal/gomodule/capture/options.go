package capture

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/gomodule/capture/converter"
	"github.com/diffrun/diffrun/internal/gomodule/capture/instrument"
	"github.com/diffrun/diffrun/internal/gomodule/capture/recorder"
)

// Options say what to record.
type Options struct {
	// Command is a "go test" command with its arguments.
	Command []string
	// Dir is where it runs; empty: here. Env is its environment, as os.Environ gives one.
	Dir string
	Env []string
	// Stdin, Stdout and Stderr are those of the command.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Functions are patterns of functions, "import/path.Function" or
	// "import/path.Type.Method", in which "*" stands for any text. None: the exported
	// functions of the packages that are tested, with objects of an API.
	Functions []string
	// Schemes name schemes, as "import/path.Variable" or "import/path.AddToScheme", that
	// convert objects to an external version. Objects of internal types need one.
	Schemes []string
	// InternalVersions are the versions that objects of internal types are converted to, by
	// groups; the others are converted to the version that the scheme prefers.
	InternalVersions map[string]string
	// Nested records calls on behalf of recorded calls, too.
	Nested bool
	// Temporary is the folder for files that are removed in the end; empty: that of the
	// system.
	Temporary string
}

// wanted gives what the patterns select. The second result has the first function that each
// pattern has matched; empty: none so far.
func (o Options) wanted() (func(name string, exported bool) bool, map[string]string, error) {
	if len(o.Functions) == 0 {
		return func(_ string, exported bool) bool { return exported }, nil, nil
	}
	matched := map[string]string{}
	var patterns []*regexp.Regexp
	for _, pattern := range o.Functions {
		if !strings.Contains(pattern, ".") {
			return nil, nil, fmt.Errorf("--func %q: write import/path.Function or import/path.Type.Method; * stands for any text", pattern)
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

// Recording is what a run gives.
type Recording struct {
	// Status is the exit status of the command.
	Status int
	// Functions are instrumented; Refused could not be.
	Functions []instrument.Function
	Refused   []instrument.Refusal
	// Lines are the recorded calls, in no order. Their sources are relative to their
	// module.
	Lines []recorder.Line
	// Skipped counts the calls that were not recorded, by function and reason.
	Skipped map[Skip]int
	// Answers are what a scheme made of Lines, in their order; nil: no scheme is named.
	Answers []converter.Answer
	// Cut counts the lines that were not written to their end, because a process was
	// killed.
	Cut int
	// Versions are the API versions of the Go types of objects, as far as their packages
	// declare them.
	Versions map[string]schema.GroupVersionKind
}

// Skip is a reason for which calls of a function were not recorded.
type Skip struct{ Function, Reason string }
