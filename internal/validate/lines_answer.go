package validate

import (
	"context"
	"errors"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/parallel"
	"github.com/diffrun/diffrun/internal/text/errorjson"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// lineAnswer is the answer to a line. It has either a fault or a verdict.
type lineAnswer struct {
	ID    string `json:"id"`
	Valid bool   `json:"valid"`
	// Object is the decoded object, and Dropped are its pruned fields, if objects are pruned or
	// defaulted.
	Object  *any               `json:"object,omitempty"`
	Dropped []string           `json:"dropped,omitempty"`
	Errors  []*errorjson.Error `json:"errors"`
	Fault   string             `json:"fault,omitempty"`
}

// answers are the encoded answers to a batch of lines. err ended the batch after them.
type answers struct {
	text   []byte
	result LinesResult
	err    error
}

// answers answers a batch of lines until ctx ends.
func (l *Lines) answers(ctx context.Context, batch []line) (all answers) {
	ctx, stop := parallel.WithWorkers(ctx)
	defer stop()
	for _, line := range batch {
		answer := l.answer(ctx, line)
		if all.err = context.Cause(ctx); all.err != nil {
			return all // which may have cut the answer short
		}
		encoded, err := plaintext.JSON(answer)
		if err != nil {
			all.err = err
			return all
		}
		all.text = append(append(all.text, encoded...), '\n')
		all.result.Lines++
		if answer.Fault != "" {
			all.result.Faults++
		}
	}
	return all
}

// answerWriter writes answers and counts them.
type answerWriter struct {
	out    *plaintext.Printer
	result LinesResult
}

func (w *answerWriter) write(all answers) error {
	w.result.Lines += all.result.Lines
	w.result.Faults += all.result.Faults
	w.out.Printf("%s", plaintext.Text(all.text))
	return all.err
}

func (l *Lines) answer(ctx context.Context, read line) lineAnswer {
	request, err := read.parse()
	answer := lineAnswer{ID: request.ID, Errors: []*errorjson.Error{}}
	if err != nil {
		answer.Fault = fmt.Sprintf("line %d: %v", read.number, err)
		return answer
	}
	if request.Subresource == "" {
		request.Subresource = l.options.Subresource
	}
	outcome, made := l.validate(ctx, request)
	if outcome.Fault != nil {
		answer.Fault = fmt.Sprintf("line %d: %s", read.number, faultText(outcome.Fault, l.options.Verbose))
		return answer
	}
	if made != nil {
		answer.Object = &made.Value
		if l.options.ReportDropped {
			answer.Dropped = made.Dropped
		}
	}
	answer.Valid = len(outcome.Errors) == 0
	for _, err := range outcome.Errors {
		said := errorjson.New(err)
		said.Detail = metadataDetail(err)
		answer.Errors = append(answer.Errors, said)
	}
	return answer
}

// validate returns the outcome of the backend of a line, and the object if it was pruned or defaulted.
func (l *Lines) validate(ctx context.Context, r lineRequest) (harness.Outcome, *apiresource.Read) {
	in := &harness.Input{
		Request: harness.Request{Version: versionOf(r.Object), Operation: admissionv1.Create, Subresource: r.Subresource},
		Object:  contract.NewView(r.Object),
	}
	if r.OldObject != nil {
		in.Operation, in.Old = admissionv1.Update, contract.NewView(r.OldObject)
	}
	var checker *lineChecker
	backend := &foundBackend{name: string(l.options.Engine), find: func() (harness.Backend, error) {
		found, err := l.find(r)
		checker = &lineChecker{compiled: found}
		return checker, err
	}}
	outcome := harness.Ask(ctx, backend, in, l.options.Timeout)
	if outcome.Fault != nil {
		return outcome, nil // the backend may still be at work
	}
	return outcome, checker.received
}

// find returns the backend of a line, or an error if the line has no schema.
func (l *Lines) find(r lineRequest) (*compiled, error) {
	switch {
	case !isNull(r.Schema):
		as, err := r.role()
		if err != nil {
			return nil, err
		}
		return l.cache.get(r.Schema).in(as)
	case l.fallback != nil:
		return l.fallback.find(r)
	}
	return nil, errors.New("the line has no schema, and neither --crd nor --schema names one; accepted: one of these three " +
		"(the built-in schemas of Kubernetes kinds are for manifests, with -f)")
}
