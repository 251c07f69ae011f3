package cluster

import (
	"context"

	"github.com/diffrun/diffrun/harness"
)

// warnings hands the warnings in answers on to the harness, with the case that they belong
// to. client-go would log them.
type warnings struct{}

// HandleWarningHeaderWithContext takes a warning.
func (warnings) HandleWarningHeaderWithContext(ctx context.Context, code int, _, text string) {
	const miscellaneous = 299 // the only code that clients must heed
	if code == miscellaneous && text != "" {
		harness.AddWarning(ctx, text)
	}
}
