package read

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// state is what is known before a statement.
type state struct {
	env  map[types.Object]value
	path path
	// over: the statement is never reached. failed: because an error was returned before.
	over, failed bool
}

func (s *state) with(condition *condition, masks bool) *state {
	return &state{env: maps.Clone(s.env), path: s.path.with(condition, masks)}
}

// activation is a call of a function.
type activation struct {
	*reading
	in      *function
	info    *types.Info
	results *types.Tuple
	named   []types.Object // the results, if they have names
	// parameters are those that were bound, and the receiver.
	parameters map[types.Object]bool
	returns    []exit
	// entry is the path on which the function was called; nil: nothing called it.
	entry *path
	// left are the states that leave the innermost loop or switch: by break, and by continue.
	breaks, continues *[]*state
	// labels are those of the bodies of loops and switches, and targets the states that leave what has a label.
	labels  map[*ast.BlockStmt]string
	targets map[string]target
	// starts are the indexes at which loops begin, by their bodies, if it is not zero.
	starts map[*ast.BlockStmt]ast.Expr
	// jumps are the states that jump to a label.
	jumps []jump
}

// of returns an activation of a function.
func (r *reading) of(f *function, results *types.Tuple) *activation {
	return &activation{reading: r, in: f, info: f.in.TypesInfo, results: results, parameters: map[types.Object]bool{}}
}

// exit is what a function returns on a path.
type exit struct {
	path   path
	values []value
	env    map[types.Object]value
}

func (a *activation) block(all []ast.Stmt, s *state) {
	for _, one := range all {
		if s.over {
			return
		}
		if a.budget--; a.budget < 0 {
			a.leaveOut(one.Pos(), fmt.Sprintf("all after %d statements", statements))
			s.over = true
			return
		}
		a.statement(one, s)
	}
}

// statement executes a statement.
func (a *activation) statement(one ast.Stmt, s *state) {
	a.now, a.where = s.path, one.Pos()
	switch st := one.(type) {
	case *ast.BlockStmt:
		a.block(st.List, s)
	case *ast.ExprStmt:
		a.eval(s, st.X)
	case *ast.AssignStmt:
		a.assignment(s, st)
	case *ast.IncDecStmt:
		a.increment(s, st)
	case *ast.DeclStmt:
		a.declaration(s, st)
	case *ast.IfStmt:
		a.ifElse(s, st)
	case *ast.SwitchStmt:
		a.switchCases(s, st)
	case *ast.TypeSwitchStmt:
		a.typeSwitch(s, st)
	case *ast.RangeStmt:
		a.rangeLoop(s, st)
	case *ast.ForStmt:
		a.forLoop(s, st)
	case *ast.ReturnStmt:
		a.returned(s, st)
	case *ast.BranchStmt:
		a.jump(s, st)
	case *ast.LabeledStmt:
		a.labelled(s, st)
	case *ast.DeferStmt:
		if literal, ok := st.Call.Fun.(*ast.FuncLit); ok && len(a.named) > 0 && !recovers(literal.Body) {
			a.leaveOut(st.Pos(), "a deferred function, which may change the results")
		}
	case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt:
		a.leaveOut(st.Pos(), "a statement about goroutines")
	}
	s.path = s.path.panicsMasked()
}

// recovers reports whether a deferred function makes an error of a panic, which is a site of its own.
func recovers(body *ast.BlockStmt) bool {
	for node := range ast.Preorder(body) {
		if name, ok := node.(*ast.Ident); ok && name.Name == "recover" {
			return true
		}
	}
	return false
}

// jump leaves a loop or an iteration.
func (a *activation) jump(s *state, st *ast.BranchStmt) {
	if st.Tok == token.FALLTHROUGH {
		return // as the clause does
	}
	left := &state{env: maps.Clone(s.env), path: s.path}
	switch {
	case st.Tok == token.GOTO:
		a.leaveOut(st.Pos(), "a jump by goto")
	case st.Label != nil:
		a.jumpTo(left, st)
	case st.Tok == token.BREAK && a.breaks != nil:
		*a.breaks = append(*a.breaks, left)
	case st.Tok == token.CONTINUE && a.continues != nil:
		*a.continues = append(*a.continues, left)
	}
	s.over = true
}

func (a *activation) returned(s *state, st *ast.ReturnStmt) {
	var values []value
	switch {
	case len(st.Results) == 0:
		for _, o := range a.named {
			values = append(values, s.env[o])
		}
	case len(st.Results) == 1 && a.results.Len() > 1:
		if all, ok := a.eval(s, st.Results[0]).(several); ok {
			values = all
		}
	default:
		for _, e := range st.Results {
			values = append(values, a.eval(s, e))
		}
	}
	for len(values) < a.results.Len() {
		values = append(values, a.unreadAt(st.Pos(), "a result"))
	}
	a.ofErrors(s, values, a.results, st.Pos())
	a.returns = append(a.returns, exit{s.path, values, s.env})
	s.over = true
	for _, v := range values {
		if f, ok := v.(failures); ok && len(f.all) > 0 && f.any(s.path) == yes {
			s.failed = true
		}
	}
}

func (a *activation) ifElse(s *state, st *ast.IfStmt) {
	if st.Init != nil {
		a.statement(st.Init, s)
	}
	condition := a.condition(a.eval(s, st.Cond))
	a.branch(s, condition, func(s *state) { a.block(st.Body.List, s) }, func(s *state) {
		if st.Else != nil {
			a.statement(st.Else, s)
		}
	})
}

// branch executes one of two things.
func (a *activation) branch(s *state, condition *condition, then, otherwise func(*state)) {
	condition = s.path.decided(condition)
	if condition == yes {
		then(s)
		return
	}
	if condition == no {
		otherwise(s)
		return
	}
	one := s.with(condition, false)
	then(one)
	other := s.with(not(condition), one.over && one.failed)
	otherwise(other)
	s.join(condition, one, other)
}

// join is the state after one of two.
func (s *state) join(condition *condition, one, other *state) {
	switch {
	case one.over && other.over:
		s.over, s.failed = true, one.failed && other.failed
	case one.over:
		*s = *other
	case other.over:
		masks := other.failed
		base := s.path
		*s = *one
		if masks {
			s.path = base.with(one.path.beyond(base, true), true)
		}
	default:
		before := s.path
		s.env = mergedEnvs(condition, one.env, other.env)
		if one.path.goesOn(before.with(condition, false)) && other.path.goesOn(before.with(not(condition), false)) {
			return // both go on
		}
		either := or(one.path.beyond(before, true), other.path.beyond(before, true))
		s.path = before.with(either, onlyMasks(one.path, before) && onlyMasks(other.path, before))
	}
}

// onlyMasks reports whether a path has no other conditions beyond another one, but for its first.
func onlyMasks(p, before path) bool {
	last := len(before) - 1
	atoms := p[last].atoms
	for i := len(before[last].atoms) + 1; i < len(atoms); i++ {
		if !atoms[i].masks {
			return false
		}
	}
	return true
}

func mergedEnvs(condition *condition, one, other map[types.Object]value) map[types.Object]value {
	merged := maps.Clone(one)
	for o, v := range other {
		if before, ok := merged[o]; ok {
			merged[o] = mergedVariables(condition, before, v)
		} else {
			merged[o] = v
		}
	}
	return merged
}

// mergedVariables returns what a variable has that is one or another. Of which of several variables it shares something is not read.
func mergedVariables(condition *condition, one, other value) value {
	_, isReference := one.(reference)
	_, also := other.(reference)
	if (isReference || also) && !same(one, other) {
		return unknown{unread: Unread{Why: "a pointer to one of several variables"}}
	}
	return merge(condition, one, other)
}

// merge returns the value that is one or another.
func merge(condition *condition, one, other value) value {
	if same(one, other) {
		return one
	}
	if c, ok := one.(loopVariable); ok {
		if _, isCollection := other.(collection); isCollection {
			return merge(condition, c.before, other)
		}
	}
	if first, second, ok := errorsAmong(one, other); ok {
		return first.orElse(condition, second)
	}
	if _, isNil := one.(nothing); isNil {
		if c, ok := other.(collection); ok {
			return c
		}
	}
	if items := mergedItems(condition, one, other); items != nil {
		return items
	}
	if merged := mergedStructs(condition, one, other); merged != nil {
		return merged
	}
	switch x := one.(type) {
	case list:
		if y, ok := other.(collection); ok {
			return union(filledIf(condition, x), y)
		}
	case collection:
		if y, ok := other.(list); ok {
			return union(x, filledIf(not(condition), y))
		}
		if y, ok := asCollection(other); ok {
			return union(x, y)
		}
		return x
	case several:
		if y, ok := other.(several); ok && len(x) == len(y) {
			merged := make(several, len(x))
			for i := range x {
				merged[i] = merge(condition, x[i], y[i])
			}
			return merged
		}
	}
	made := choice{condition, one, other}
	if alternatives(made, most) > most {
		return unknown{unread: Unread{Why: fmt.Sprintf("a value with more than %d alternatives", most)}}
	}
	return made
}

// alternatives returns how many values a value may be, up to one more than a limit.
func alternatives(v value, limit int) int {
	c, ok := v.(choice)
	if !ok {
		return 1
	}
	then := alternatives(c.then, limit)
	if then > limit {
		return then
	}
	return then + alternatives(c.otherwise, limit-then)
}

// newEntries returns the entries of a collection that another one, with which it begins, does not have.
func newEntries(of, more collection) []entry {
	if len(more.entries) >= len(of.entries) {
		return more.entries[len(of.entries):]
	}
	return nil
}
