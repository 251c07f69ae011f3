package exec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/diffrun/diffrun/internal/admission"
	"github.com/diffrun/diffrun/internal/process"
	"github.com/diffrun/diffrun/internal/text/oneline"
)

// child is a running validator.
type child struct {
	*process.Child
	of   *Backend
	last *admission.Question // the last one answered; nil: none
	// logsNoStack is true after a panic whose stack it did not log.
	logsNoStack bool
	// counters count what it executes; nil: it does not count.
	counters *counters
}

// ask asks a question, reads the answer and notes what was executed for it. After an error the child cannot be used
// again.
func (c *child) ask(ctx context.Context, q *admission.Question) (admission.Decision, error) {
	err := c.counters.clear()
	var answer admission.Decision
	if err == nil {
		answer, err = c.answer(ctx, q)
	}
	if err == nil {
		err = c.counters.note(ctx)
	}
	return answer, err
}

func (c *child) answer(ctx context.Context, q *admission.Question) (admission.Decision, error) {
	logged := c.Stderr.Written()
	wrote := c.Send(q.Body)
	response, err := c.Next(ctx)
	if err != nil {
		return admission.Decision{}, err
	}
	c.of.startUp.answer()
	answer, err := q.Read(response.Text)
	if other := (*admission.OtherRequestError)(nil); errors.As(err, &other) && c.last != nil && c.last.UID == other.UID {
		c.recordUnasked(response)
		return admission.Decision{}, process.ErrStale
	}
	select {
	case err := <-wrote:
		if err != nil {
			return admission.Decision{}, fmt.Errorf("it answered before it had read the request, and reads no more: %w", err)
		}
	case <-ctx.Done():
		return admission.Decision{}, fmt.Errorf("it answered before it had read the request: %w", context.Cause(ctx))
	}
	switch {
	case err == nil:
		if after := c.After(response); after != nil {
			err = fmt.Errorf("it printed more than its answer: %s", oneline.Beginning(after))
		}
	case !bytes.HasPrefix(bytes.TrimSpace(response.Text), []byte("{")): // a banner or a log
		err = fmt.Errorf("%w; a program prints only its answers to stdout, and everything else to stderr", err)
	}
	if err != nil {
		return admission.Decision{}, err
	}
	c.last = q
	if answer.Panicked() {
		answer.PanickedAt(c.panicPlace(ctx, logged))
	}
	return answer, nil
}

// recordUnasked records that the child printed a line after its last answer, so it is unclear which of the two was
// meant. Close reports it.
func (c *child) recordUnasked(unasked process.Line) {
	if c.last == nil {
		return
	}
	why := unasked.Err
	if why == nil {
		why = fmt.Errorf("it printed more: %s", oneline.Beginning(unasked.Text))
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.of.unreliable = append(c.of.unreliable, fmt.Errorf("%s: after its answer to %v, which is in doubt, %w", c.of.program, c.last, why))
}

// stackTimeout is how long the stack of a panic, which is written before the answer, may take from one pipe to this
// process.
const stackTimeout = time.Second

// panicPlace returns the place of the panic that the child logged since its stderr had so many bytes; empty: it logs none.
func (c *child) panicPlace(ctx context.Context, since int64) string {
	if c.logsNoStack {
		return ""
	}
	for began := time.Now(); ; {
		if place := admission.LoggedPanic(c.Stderr.Since(since)); place != "" {
			return place
		}
		if time.Since(began) > stackTimeout || process.Sleep(ctx, 5*time.Millisecond) != nil {
			c.logsNoStack = true
			return ""
		}
	}
}

// stderr returns the end of the stderr of a killed child, for a fault.
func (c *child) stderr() string {
	text := c.Stderr.String()
	if text == "" {
		return "; it printed nothing on stderr"
	}
	return "; on stderr:\n" + text
}
