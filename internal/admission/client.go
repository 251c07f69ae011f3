package admission

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// Client asks a webhook, wherever it is: a program, a server, a handler in this process.
type Client struct {
	// At names the webhook in errors; if empty, they do not name it.
	At string
	// Exchange sends the request of a question and reads the response with its Read. The
	// error is a fault of the webhook.
	Exchange func(context.Context, *Question) (Decision, error)
}

// Question is the request for an input.
type Question struct {
	Request
	// Case is the id of the case, for messages; it may be empty.
	Case string
	// Read reads the response of a validating or a mutating webhook.
	Read func(response []byte) (Decision, error)
}

// String names the case.
func (q *Question) String() string {
	if q.Case == "" {
		return fmt.Sprintf("the request %s", q.UID)
	}
	return fmt.Sprintf("the case %q", q.Case)
}

// Validate returns the errors of a validating webhook and records its warnings.
func (c Client) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	decision, err := c.ask(ctx, in, Request.Validated)
	return decision.Errors, err
}

// Mutate returns the object as changed by a mutating webhook; nil if unchanged. The errors refuse
// the object. The error may also be that the patch cannot be applied.
func (c Client) Mutate(ctx context.Context, in *harness.Input) (map[string]any, field.ErrorList, error) {
	decision, err := c.ask(ctx, in, Request.Mutated)
	if err != nil {
		return nil, nil, err
	}
	mutated, err := decision.Apply(in)
	if err != nil && c.At != "" {
		err = fmt.Errorf("%s: %w", c.At, err)
	}
	if err != nil {
		return nil, nil, err
	}
	return mutated, decision.Errors, nil
}

func (c Client) ask(ctx context.Context, in *harness.Input, read func(Request, []byte) (Decision, error)) (Decision, error) {
	request, err := NewRequest(in)
	if err != nil {
		return Decision{}, err
	}
	decision, err := c.Exchange(ctx,
		&Question{request, in.Case, func(response []byte) (Decision, error) { return read(request, response) }})
	contract.AddNotes(ctx, contract.Notes{
		Warnings:      decision.Warnings,
		Located:       decision.Located,
		Converted:     decision.Converted,
		AccessReviews: decision.AccessReviews,
	})
	return decision, err
}
