package equivalence

import (
	"sync/atomic"
)

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

func load(hits *atomic.Int64) int64 {
	if hits == nil {
		return 0
	}
	return hits.Load()
}
