package equivalence

import (
	"sync/atomic"

	"github.com/diffrun/diffrun/userfile"
)

// FindingKind is the kind of a Finding.
type FindingKind string

const (
	// UnusedRule: a rule of a user's file that made no pair equivalent.
	UnusedRule FindingKind = "unused-rule"
	// UnusedException: an exception that accepted no difference.
	UnusedException FindingKind = "unused-exception"
	// ExpiredException: an exception past its last day.
	ExpiredException FindingKind = "expired-exception"
	// OverHit: an exception that accepted more differences than maxHits.
	OverHit FindingKind = "over-hit"
)

// Finding is a rule or an exception that fails a full run.
type Finding struct {
	Kind     FindingKind
	Name     string // of the rule, or id of the exception
	Position userfile.Position
	Message  string // what is wrong and what to do, without the position
}

// String returns "file:line: message".
func (f Finding) String() string { return f.Position.String() + ": " + f.Message }

// Ledger counts which rules and exceptions explained the pairs of a run. It is safe for concurrent use.
type Ledger struct {
	rules      []*Rule
	exceptions []*Exception
	ruleHits   map[*Rule]*atomic.Int64
	hits       map[*Exception]*atomic.Int64
}

// NewLedger returns a ledger for the rules and exceptions of a run; both may be nil. Pass the exceptions
// of all suites.
func NewLedger(rules *RuleSet, exceptions ...*Exceptions) *Ledger {
	l := &Ledger{rules: rules.All(), ruleHits: map[*Rule]*atomic.Int64{}, hits: map[*Exception]*atomic.Int64{}}
	for _, rule := range l.rules {
		l.ruleHits[rule] = new(atomic.Int64)
	}
	for _, list := range exceptions {
		for _, exception := range list.All() {
			l.exceptions = append(l.exceptions, exception)
			l.hits[exception] = new(atomic.Int64)
		}
	}
	return l
}

// Record counts the rules and exceptions of the pairs of one input. It ignores those that NewLedger did
// not get.
func (l *Ledger) Record(pairs []Pair) {
	for _, pair := range pairs {
		for _, rule := range []*Rule{pair.Rule, pair.Repeats} {
			if hits, ok := l.ruleHits[rule]; ok {
				hits.Add(1)
			}
		}
		if hits, ok := l.hits[pair.Exception]; ok {
			hits.Add(1)
		}
	}
}

// RuleHits returns how many pairs a rule has made equivalent.
func (l *Ledger) RuleHits(rule *Rule) int64 { return load(l.ruleHits[rule]) }

// ExceptionHits returns how many differences an exception has accepted.
func (l *Ledger) ExceptionHits(exception *Exception) int64 { return load(l.hits[exception]) }

func load(hits *atomic.Int64) int64 {
	if hits == nil {
		return 0
	}
	return hits.Load()
}

// Report returns the rules and exceptions that must be changed or removed, sorted by position. Call it
// only after a full run: some of the cases may not use all rules.
func (l *Ledger) Report() []Finding { return Findings(l.Usages()) }
