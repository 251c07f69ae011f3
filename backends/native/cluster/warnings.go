package cluster

import (
	"context"

	"github.com/diffrun/diffrun/harness/contract"
)

// warnings passes the warnings in answers to the harness, with the case that they belong to.
// client-go would log them.
type warnings struct{}

// HandleWarningHeaderWithContext implements rest.WarningHandlerWithContext.
func (warnings) HandleWarningHeaderWithContext(ctx context.Context, code int, _, text string) {
	const miscellaneous = 299 // the only code that clients must heed
	if code == miscellaneous && text != "" {
		contract.AddNotes(ctx, contract.Notes{Warnings: []string{text}})
	}
}
