package shadow

import (
	"context"
	"log/slog"
	"sync"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/redaction"
)

// maxSaid is how many signatures are remembered. Further ones are not logged; metrics count
// them.
const maxSaid = 10_000

// said remembers what was logged.
type said struct {
	mutex      sync.Mutex
	signatures map[string]bool
}

// first says whether a signature is new.
func (s *said) first(signature string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.signatures[signature] || len(s.signatures) >= maxSaid {
		return false
	}
	if s.signatures == nil {
		s.signatures = map[string]bool{}
	}
	s.signatures[signature] = true
	return true
}

// seen remembers findings as they are before the texts of objects are left out, which takes time. When
// it is full, it begins anew: an unquoted name makes each object's finding another one.
type seen struct {
	mutex      sync.Mutex
	signatures map[string]bool
}

// add says whether one of the findings is new, and remembers all.
func (s *seen) add(findings []causes.Finding) (isNew bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.signatures == nil || len(s.signatures) >= maxSaid {
		s.signatures = map[string]bool{}
	}
	for _, finding := range findings {
		isNew = isNew || !s.signatures[finding.Signature]
		s.signatures[finding.Signature] = true
	}
	return isNew
}

// log tells what a result shows for the first time, without the texts of its objects.
func (s *Shadow) log(ctx context.Context, result harness.Result) {
	if !s.seen.add(causes.Findings(&result)) {
		return
	}
	r := (&redaction.Redactor{}).Result(result)
	for _, finding := range causes.Findings(&r) {
		if !s.said.first(finding.Signature) {
			continue
		}
		s.options.Logger.LogAttrs(ctx, slog.LevelError, "declarative validation: "+finding.Text,
			slog.String("signature", finding.Signature),
			slog.String("operation", string(r.Case.Operation())),
			slog.String("subresource", r.Case.Subresource),
			slog.String("native", words(finding.Cause.Native)),
			slog.String("declarative", words(finding.Cause.Declarative)),
		)
	}
}

// words are what one side says, without the values of an object.
func words(err causes.CauseError) string {
	if err == (causes.CauseError{}) {
		return ""
	}
	return err.Type.String() + ": " + err.Detail
}
