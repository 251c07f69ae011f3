package cel

import (
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/plan"
)

// Joined are rules on the same values whose plans are one (see plan.Join). It may be used by many
// goroutines at once.
type Joined struct {
	// WantsOld is true if one of the rules, or its message, uses oldSelf.
	WantsOld bool

	rules []*Program
	once  sync.Once
	plan  *plan.Plan // made when it is first needed; nil if the rules cannot be joined
}

// Joins reports whether two rules may be joined. They may be the same.
func (p *Program) Joins(q *Program) bool {
	joins := func(p *Program) bool { return p.plan != nil && !p.NeedsOld() }
	return joins(p) && joins(q) && p.env == q.env && p.self == q.self
}

// Join joins rules of which each Joins the others.
func Join(rules []*Program) *Joined {
	j := &Joined{rules: rules}
	for _, p := range rules {
		j.WantsOld = j.WantsOld || p.WantsOld
	}
	return j
}

// ready makes the plan on first use. The rules are checked again, because what they were checked
// as takes more memory than their plans.
func (j *Joined) ready() bool {
	j.once.Do(func() {
		e, self := j.rules[0].env, j.rules[0].self
		e.late.Lock()
		defer e.late.Unlock()
		e.work = newWork()
		defer e.Release()
		var checked []*ast.AST
		for _, p := range j.rules {
			again, err := e.check(p.rule.Rule, self, p.rule.OptionalOldSelf, results{cel.BoolType})
			if err != nil {
				return // cannot be: it was compiled before
			}
			checked = append(checked, again.AST)
		}
		j.plan = plan.Join(e.planning(), checked, self)
	})
	return j.plan != nil
}
