package cel

import (
	"fmt"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/decls"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/plan"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/internal/text/lang"
)

// Env compiles the rules of one schema. It belongs to one goroutine; its Programs are safe for
// many.
type Env struct {
	// ListMessages allows a messageExpression to return a list of texts, each of which is an error
	// (KEP-4153, "CEL Validation": messageExpression: "self.validateFormat('ipv6')").
	ListMessages bool
	// AnyMessages allows messages with line breaks and of more than 5 KiB, which custom resources may not
	// have: a hand-written error that quotes a value does.
	AnyMessages bool

	language *Language
	perCall  uint64
	provider *types.Provider
	work     *work
	late     sync.Mutex // held when programs are made after Release
}

// work is only needed while rules are compiled.
type work struct {
	checkers map[string]*checker.Env // by the types of the variables
	slow     map[string]*cel.Env     // for expressions that are left to cel-go
	patterns map[string]*lang.Pattern
	programs map[compiled]*Program
}

func newWork() *work {
	return &work{
		checkers: map[string]*checker.Env{}, slow: map[string]*cel.Env{},
		patterns: map[string]*lang.Pattern{}, programs: map[compiled]*Program{},
	}
}

// variables returns the types of self and oldSelf in rules on values of a type, and a key for
// them.
func (e *Env) variables(s *types.Type, optionalOld bool) (typ, old *cel.Type, key string) {
	s.Register(e.provider)
	typ = s.CEL()
	if !optionalOld {
		return typ, typ, typ.String()
	}
	return typ, cel.OptionalType(typ), typ.String() + " optional"
}

// checker returns the type checker of rules on values of a type. All these rules share it.
func (e *Env) checker(s *types.Type, optionalOld bool) (*checker.Env, error) {
	typ, old, key := e.variables(s, optionalOld)
	if made := e.work.checkers[key]; made != nil {
		return made, nil
	}
	l := e.language
	made, err := checker.NewEnv(l.base.Container, e.provider,
		checker.CrossTypeNumericComparisons(l.crossType), checker.ValidatedDeclarations(l.functions))
	if err != nil {
		return nil, err
	}
	if err := made.AddIdents(decls.NewVariable(plan.Self, typ), decls.NewVariable(plan.OldSelf, old)); err != nil {
		return nil, err
	}
	e.work.checkers[key] = made
	return made, nil
}

// forRule returns the environment of cel-go for a rule on values of a type. Making one is
// expensive, so only rules without a plan and mistakes need it.
func (e *Env) forRule(s *types.Type, optionalOld bool) (*cel.Env, error) {
	typ, old, key := e.variables(s, optionalOld)
	if e.work != nil && e.work.slow[key] != nil {
		return e.work.slow[key], nil
	}
	env, err := e.language.base.Extend(cel.CustomTypeProvider(e.provider), cel.Variable(plan.Self, typ), cel.Variable(plan.OldSelf, old))
	if err != nil {
		return nil, fmt.Errorf("CEL environment: %w", err)
	}
	if e.work != nil {
		e.work.slow[key] = env
	}
	return env, nil
}

// Release frees the memory that is only needed to compile rules.
func (e *Env) Release() { e.work = nil }
