package validate

import (
	"errors"
	"strings"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/text/oneline"
)

// onOneLine returns an error on one line, for the answer to a line.
func onOneLine(err error) error {
	return errors.New(oneline.Of(err))
}

// faultText returns on one line why there is no verdict. If verbose is true, the stack of a panic follows
// on further lines.
func faultText(err error, verbose bool) string {
	text := oneline.Of(err)
	if fault := (*contract.Fault)(nil); verbose && errors.As(err, &fault) && fault.Stack != "" {
		text += "\n" + strings.TrimRight(fault.Stack, "\n")
	}
	return text
}
