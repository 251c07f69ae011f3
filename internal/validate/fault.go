package validate

import (
	"errors"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/oneline"
)

// onOneLine gives an error as one line, as the answer to a line has room for.
func onOneLine(err error) error {
	return errors.New(oneline.Of(err))
}

// faultText is why there is no verdict, on one line. If it is verbose, the stack of a
// panic follows on lines of its own.
func faultText(err error, verbose bool) string {
	text := oneline.Of(err)
	if fault := (*harness.Fault)(nil); verbose && errors.As(err, &fault) && fault.Stack != "" {
		text += "\n" + strings.TrimRight(fault.Stack, "\n")
	}
	return text
}
