package shadow

import (
	"context"
	"log/slog"
	"sync"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/redaction"
)

// maxSignatures limits the signatures in memory.
const maxSignatures = 10_000

// signatures is a bounded set of signatures of findings.
type signatures struct {
	mutex sync.Mutex
	known map[string]bool
}

// add adds a signature and reports whether it is new. If the set is full, it is emptied first if reset
// is true, and remains as it is otherwise.
func (s *signatures) add(signature string, reset bool) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.known[signature] || len(s.known) >= maxSignatures && !reset {
		return false
	}
	if s.known == nil || len(s.known) >= maxSignatures {
		s.known = map[string]bool{}
	}
	s.known[signature] = true
	return true
}

// log logs the findings of a result that are new, without the texts of its objects. Redaction takes
// time, so findings that were seen before are skipped before it. Their set is emptied when it is full,
// because an unquoted name makes the findings of each object different. Only metrics count findings
// beyond maxSignatures redacted ones.
func (s *Shadow) log(ctx context.Context, result harness.Result) {
	isNew := false
	for _, finding := range causes.Findings(&result) {
		isNew = s.seen.add(finding.Signature, true) || isNew
	}
	if !isNew {
		return
	}
	r := (&redaction.Redactor{}).Result(result)
	for _, finding := range causes.Findings(&r) {
		if !s.logged.add(finding.Signature, false) {
			continue
		}
		s.options.Logger.LogAttrs(ctx, slog.LevelError, "declarative validation: "+finding.Text,
			slog.String("signature", finding.Signature),
			slog.String("operation", string(r.Case.Operation())),
			slog.String("subresource", r.Case.Subresource),
			slog.String("native", finding.Native),
			slog.String("declarative", finding.Declarative),
		)
	}
}
