package read

import (
	"go/ast"
	"go/token"
	"maps"
)

// target is where states go that leave a loop or a switch, or an iteration, by its label.
type target struct{ breaks, continues *[]*state }

// jump is a state that jumps to a label.
type jump struct {
	state *state
	label string
}

// labelled executes a statement that has a label.
func (a *activation) labelled(s *state, st *ast.LabeledStmt) {
	if a.labels == nil {
		a.labels, a.targets = map[*ast.BlockStmt]string{}, map[string]target{}
	}
	switch x := st.Stmt.(type) {
	case *ast.RangeStmt:
		a.labels[x.Body] = st.Label.Name
	case *ast.ForStmt:
		a.labels[x.Body] = st.Label.Name
	case *ast.SwitchStmt:
		a.labels[x.Body] = st.Label.Name
	case *ast.TypeSwitchStmt:
		a.labels[x.Body] = st.Label.Name
	}
	a.statement(st.Stmt, s)
}

// target notes where states go that leave a body by its label.
func (a *activation) target(body *ast.BlockStmt, breaks, continues *[]*state) {
	if label := a.labels[body]; label != "" {
		a.targets[label] = target{breaks, continues}
	}
}

// jumpTo leaves a loop by its label.
func (a *activation) jumpTo(left *state, st *ast.BranchStmt) {
	to := a.targets[st.Label.Name].breaks
	if st.Tok == token.CONTINUE {
		to = a.targets[st.Label.Name].continues
	}
	if to == nil {
		a.leaveOut(st.Pos(), "a jump to a label")
		return
	}
	*to = append(*to, left)
	a.jumps = append(a.jumps, jump{left, st.Label.Name})
}

// outer returns the jumps since a number of them that leave a loop for one that is around it, and forgets the others.
func (a *activation) outer(since int, body *ast.BlockStmt) []*state {
	var left []*state
	kept := a.jumps[:since:since]
	for _, one := range a.jumps[since:] {
		if one.label != a.labels[body] {
			left, kept = append(left, one.state), append(kept, one)
		}
	}
	a.jumps = kept
	return left
}

// leaveByJumps notes that the statements after a loop run if no jump left it for an outer one. The variables of the jumps become those
// outside of the loop.
func (a *activation) leaveByJumps(s *state, jumps []*state, slots []slot, pos token.Pos) {
	for _, one := range jumps {
		for _, changed := range slots {
			v, ok := changed.in(one.env)
			if !ok {
				continue
			}
			switch x := v.(type) {
			case failures, collection:
				continue
			case loopVariable:
				v = a.unreadAt(pos, "the variable "+changed.name()+", which a loop that is left changes")
			default:
				if v = outOf(x, one.path, s.path); v == nil || mayCarry(x) {
					v = a.unreadAt(pos, "the variable "+changed.name()+", which a loop that is left changes")
				}
			}
			changed.set(one.env, v)
		}
		s.path = s.path.with(not(one.path.beyond(s.path, true)), false)
	}
}

// leaveOutJumps notes that the jumps since a number of them, which leave a loop of another kind for an outer one, are not read.
func (a *activation) leaveOutJumps(since int, st *ast.RangeStmt) {
	if len(a.outer(since, st.Body)) > 0 {
		a.leaveOut(st.Pos(), "a jump out of this loop to a label")
	}
}

// withoutJumps executes a loop whose jumps do not count: it is executed once more.
func (a *activation) withoutJumps(execute func()) {
	jumps, targets := len(a.jumps), maps.Clone(a.targets)
	for label := range a.targets {
		a.targets[label] = target{&[]*state{}, &[]*state{}}
	}
	execute()
	a.jumps = a.jumps[:jumps]
	maps.Copy(a.targets, targets)
}
