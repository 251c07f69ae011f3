package cel

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apilibrary "k8s.io/apiserver/pkg/cel/library"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/library"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel/plan"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
)

// Rule is an entry of x-kubernetes-validations, as far as CEL is concerned.
type Rule struct {
	Rule              string
	Message           string
	MessageExpression string
	// OptionalOldSelf makes oldSelf an optional that is empty on create, instead of
	// keeping the rule from running then.
	OptionalOldSelf bool
}

// text returns the name of a rule in an error: its message, or else its expression.
func (r Rule) text() string {
	if r.Message != "" {
		return strings.TrimSpace(r.Message)
	}
	return strings.TrimSpace(r.Rule)
}

// Program is a compiled rule. It is safe for use by many goroutines.
type Program struct {
	// UsesOldSelf is true for a transition rule. WantsOld is true if the rule or its message
	// uses oldSelf.
	UsesOldSelf, WantsOld bool
	// ListMessage is true if the messageExpression returns a list.
	ListMessage bool
	// MaxCost and MaxMessageCost are the estimated worst cases of one evaluation.
	MaxCost, MaxMessageCost uint64

	rule Rule
	self *types.Type

	// The programs of cel-go are made on first use, because a rule that its plan proves needs none,
	// and they are large.
	env     *Env
	once    sync.Once
	rules   cel.Program
	message cel.Program // nil without messageExpression
	err     error       // why there are none

	plan *plan.Plan // nil: the rule is left to cel-go
}

// OptionalOld reports whether the rule also runs without an old value.
func (p *Program) OptionalOld() bool { return p.rule.OptionalOldSelf }

// NeedsOld reports whether the rule does not apply where there is no old value.
func (p *Program) NeedsOld() bool { return p.UsesOldSelf && !p.OptionalOld() }

// Planned reports whether the rule has a plan, so cel-go only runs it if the plan does not prove it.
func (p *Program) Planned() bool { return p.plan != nil }

// ErrNoType is the mistake of a rule on a value that rules cannot see because its schema has no type.
var ErrNoType = errors.New("rules need a schema with a type: the type is missing here, or in the items or additionalProperties")

// Mistake is a mistake in a rule.
type Mistake struct {
	// Field is the field of the rule that is wrong: rule, messageExpression or
	// optionalOldSelf.
	Field  string
	Detail string
}

// Compile compiles a rule on values of a type. It returns no Program if the rule has mistakes.
func (e *Env) Compile(rule Rule, s *types.Type) (*Program, []Mistake) {
	if s.CEL() == nil {
		return nil, []Mistake{{"rule", ErrNoType.Error()}}
	}
	key := compiled{rule, s}
	if p := e.work.programs[key]; p != nil {
		return p, nil
	}
	p := &Program{rule: rule, self: s, env: e}
	var mistakes []Mistake
	var message expression
	known := rule.MessageExpression == "" // plans know everything in it
	checked, err := e.check(rule.Rule, s, rule.OptionalOldSelf, results{cel.BoolType})
	if err != nil {
		mistakes = append(mistakes, Mistake{"rule", err.Error()})
	} else {
		p.UsesOldSelf = uses(checked.AST, plan.OldSelf)
		p.WantsOld = p.UsesOldSelf
		if rule.OptionalOldSelf && !p.UsesOldSelf {
			mistakes = append(mistakes, Mistake{"optionalOldSelf", "may not be set if oldSelf is not used in rule"})
		}
		p.plan = plan.Make(e.planning(), s, rule.OptionalOldSelf, checked.AST)
		if p.MaxCost, err = e.estimate(checked, s, rule.OptionalOldSelf); err != nil {
			mistakes = append(mistakes, Mistake{"rule", err.Error()})
		}
	}
	if rule.MessageExpression != "" {
		message, err = e.check(rule.MessageExpression, s, rule.OptionalOldSelf, e.messages())
		if err == nil {
			known = plan.Knows(e.planning(), message.AST, rule.OptionalOldSelf)
			p.WantsOld = p.WantsOld || uses(message.AST, plan.OldSelf)
			p.ListMessage = message.GetType(message.Expr().ID()).Kind() == celtypes.ListKind
			p.MaxMessageCost, err = e.estimate(message, s, rule.OptionalOldSelf)
		}
		if err != nil {
			mistakes = append(mistakes, Mistake{"messageExpression", err.Error()})
		}
	}
	if len(mistakes) == 0 && !(p.plan.Whole() && known) {
		// Whatever a plan knows can be made a program; anything else must be tried. A program of cel-go
		// takes 150 KB, so otherwise it is made on first use.
		env, err := e.forRule(s, rule.OptionalOldSelf)
		if err != nil {
			return nil, []Mistake{{"rule", err.Error()}}
		}
		mistakes = p.complete(env)
	}
	if len(mistakes) > 0 {
		return nil, mistakes
	}
	e.work.programs[key] = p
	return p, nil
}

// compiled identifies a Program.
type compiled struct {
	rule Rule
	self *types.Type
}

// ready makes the programs of cel-go on first use.
func (p *Program) ready() error {
	p.once.Do(func() {
		if p.rules != nil {
			return
		}
		p.env.late.Lock()
		defer p.env.late.Unlock()
		env, err := p.env.forRule(p.self, p.rule.OptionalOldSelf)
		if err != nil {
			p.err = err
			return
		}
		for _, m := range p.complete(env) {
			p.err = errors.Join(p.err, fmt.Errorf("%s: %s", m.Field, m.Detail))
		}
	})
	return p.err
}

// complete makes the programs in an environment.
func (p *Program) complete(env *cel.Env) []Mistake {
	var mistakes []Mistake
	make := func(field, text string, want results) cel.Program {
		checked, err := p.env.compile(env, text, want)
		if err == nil {
			var made cel.Program
			if made, err = p.env.program(env, checked, p.self); err == nil {
				return made
			}
		}
		mistakes = append(mistakes, Mistake{field, err.Error()})
		return nil
	}
	p.rules = make("rule", p.rule.Rule, results{cel.BoolType})
	if p.rule.MessageExpression != "" {
		p.message = make("messageExpression", p.rule.MessageExpression, p.env.messages())
	}
	return mistakes
}

// results are the types that an expression may have.
type results []*cel.Type

func (r results) has(typ *cel.Type) bool {
	return slices.ContainsFunc(r, func(each *cel.Type) bool { return typ.IsExactType(each) })
}

func (r results) String() string {
	names := make([]string, len(r))
	for i, each := range r {
		names[i] = each.String()
	}
	return strings.Join(names, " or a ")
}

// messages returns the types that a messageExpression may have.
func (e *Env) messages() results {
	if e.ListMessages {
		return results{cel.StringType, cel.ListType(cel.StringType)}
	}
	return results{cel.StringType}
}

func (e *Env) compile(env *cel.Env, text string, want results) (*cel.Ast, error) {
	checked, issues := env.Compile(text)
	if issues != nil && issues.Err() != nil {
		return nil, fmt.Errorf("does not compile: %s", issues)
	}
	if !want.has(checked.OutputType()) {
		return nil, fmt.Errorf("must evaluate to a %s, not to a %s", want, checked.OutputType())
	}
	if unknown := library.UnknownFormats(e.language.formats, checked.NativeRep()); len(unknown) > 0 {
		return nil, fmt.Errorf("there is no format %q", unknown)
	}
	return checked, nil
}

func (e *Env) program(env *cel.Env, checked *cel.Ast, s *types.Type) (cel.Program, error) {
	p, err := env.Program(checked,
		cel.CostLimit(e.perCall),
		cel.CostTracking(&apilibrary.CostEstimator{SizeEstimator: types.SizeEstimator{Self: s}}),
		cel.InterruptCheckFrequency(celconfig.CheckFrequency),
	)
	if err != nil {
		return nil, fmt.Errorf("cannot be made a program: %w", err)
	}
	return p, nil
}

// planning returns what plans of the rules may use.
func (e *Env) planning() plan.Language {
	return plan.Language{Functions: e.language.calls, Literals: e.literals(), Objects: e.provider.Object, PerCall: e.perCall}
}

func uses(checked *ast.AST, variable string) bool {
	for _, r := range checked.ReferenceMap() {
		if r.Name == variable {
			return true
		}
	}
	return false
}
