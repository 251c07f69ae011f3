package cel

import (
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/plan"
)

// Proof proves several rules on the same values at once. It is safe for use by many goroutines.
type Proof struct {
	// NeedsOld is true if the rules do not apply where there is no old value. WantsOld is true if
	// one of them uses oldSelf.
	NeedsOld, WantsOld bool

	rules []*Program
	once  sync.Once
	plan  *plan.Plan // made on first use; nil if there is none
}

// ProvenWith reports whether one Proof may prove two rules, which may be the same.
func (p *Program) ProvenWith(q *Program) bool {
	return p.plan != nil && q.plan != nil && p.env == q.env && p.self == q.self && p.NeedsOld() == q.NeedsOld()
}

// NewProof makes the Proof of rules that are all ProvenWith each other.
func NewProof(rules []*Program) *Proof {
	made := &Proof{NeedsOld: rules[0].NeedsOld(), rules: rules}
	for _, p := range rules {
		made.WantsOld = made.WantsOld || p.UsesOldSelf
	}
	return made
}

// ready makes the plan on first use. The rules are checked again, because keeping their checked
// expressions takes more memory than their plans.
func (p *Proof) ready() {
	p.once.Do(func() {
		if len(p.rules) == 1 {
			p.plan = p.rules[0].plan
			return
		}
		e, self := p.rules[0].env, p.rules[0].self
		e.late.Lock()
		defer e.late.Unlock()
		e.work = newWork()
		defer e.Release()
		var checked []*ast.AST
		for _, r := range p.rules {
			again, err := e.check(r.rule.Rule, self, r.rule.OptionalOldSelf, results{cel.BoolType})
			if err != nil {
				return // cannot be: it was compiled before
			}
			checked = append(checked, again.AST)
		}
		p.plan = plan.Make(e.planning(), self, !p.NeedsOld, checked...)
	})
}
