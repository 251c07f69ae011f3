package read

import (
	"fmt"
	"go/token"
	"go/types"
	gopath "path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// statements is how many statements are executed for one root, and partsOfAll how many parts the conditions of its sites
// may have together.
const (
	statements = 200_000
	partsOfAll = 2_000_000
)

// reading is the evaluation of a root.
type reading struct {
	program *Program
	root    Root
	sites   []*Site
	panics  []failure
	calls   []token.Position
	active  map[*types.Func]bool
	// variables are those of packages that were evaluated.
	variables map[*types.Var]value
	// opaques are the parts of conditions that could not be read, by number.
	opaques []Unread
	numbers map[unknown]int
	// inCall is the number of the call that is inlined, of all until now.
	inCall, inlined int
	// left are the parts of the source that sites say nothing of.
	left   []Unread
	loops  int
	budget int
	// semantic: values are compared as those of the API: a list or map without content is equal to none.
	semantic bool
	// now is the path of the statement that is executed.
	now path
	// where is its position.
	where token.Pos
	// asked are the feature gates that were asked for; flipped is one that does not have its default.
	asked map[string]bool
	// loopNames are the variables of loops.
	loopNames map[string]bool
	flipped   string
}

func (p *Program) newReading(flipped string) *reading {
	return &reading{
		program:   p,
		active:    map[*types.Func]bool{},
		variables: map[*types.Var]value{},
		numbers:   map[unknown]int{},
		budget:    statements,
		asked:     map[string]bool{},
		flipped:   flipped,
		loopNames: map[string]bool{},
	}
}

// read evaluates a root, with all gates but one as they are by default.
func (r *reading) read(root Root) (sites []Site, left []Unread) {
	r.root = root
	source := r.program.functions[root.Func]
	a := r.of(source, nil)
	c := &call{activation: a, s: &state{env: map[types.Object]value{}, path: path{{}}}, args: root.arguments(r), of: root.receiver(r)}
	c.results = root.Func.Signature().Results()
	inner := &state{env: map[types.Object]value{}, path: path{{}}}
	callee := r.of(source, c.results)
	callee.bindReceiver(inner, source.declared, c)
	callee.bindParameters(inner, source.declared.Type, c)
	result := a.inline(c, callee, inner, source.declared.Type, source.declared.Body)
	return r.returned(result), r.left
}

// leaveOut notes a part of the source that is not read, once.
func (r *reading) leaveOut(pos token.Pos, why string) {
	if one := (Unread{Pos: r.at(pos), Why: why}); !slices.Contains(r.left, one) && r.budget >= -1 {
		r.left = append(r.left, one)
	}
}

// returned returns the sites of the errors of results.
func (r *reading) returned(result value) []Site {
	all, ok := result.(several)
	if !ok {
		all = several{result}
	}
	errs := failures{r.panics}
	for _, one := range all {
		if f, ok := one.(failures); ok {
			errs = errs.and(f)
		}
	}
	conditions := map[*Site]*condition{}
	for _, one := range errs.all {
		if one.site == nil {
			continue
		}
		path, masks := one.path, one.site.Type == PanicType
		if !masks {
			path = one.without(errs)
		}
		condition := and(path.beyond(nil, masks), one.when)
		if before, ok := conditions[one.site]; ok {
			condition = or(before, condition)
		}
		conditions[one.site] = condition
	}
	var sites []Site
	parts := 0
	for _, site := range r.sites {
		if condition, ok := conditions[site]; ok && condition != no {
			if parts += condition.size; parts > partsOfAll {
				condition = tooLarge
			}
			site.Condition = simplified(condition.asExpr(), facts{})
			site.Unread = r.unreadIn(site.Condition)
			if r.escapes(site.Condition, nil) {
				site.Unread = append(site.Unread, Unread{Pos: site.Pos, Why: "an item of a loop after the loop"})
			}
			if uses(site.Condition, unreadLarge) {
				site.Unread = append(site.Unread, Unread{Pos: site.Pos, Why: tooLargeText(parts)})
			}
			if len(site.Unread) > 0 && site.implicit {
				continue
			}
			if len(site.Unread) == 0 {
				site.Rule = r.numbered(simplified(not(condition).asExpr(), facts{}))
			}
			site.Condition = r.numbered(site.Condition)
			sites = append(sites, *site)
			delete(conditions, site)
		}
	}
	return sites
}

// numbered returns an expression whose variables of loops have the numbers 1, 2 and so on, so that equal conditions in
// different functions are written alike.
func (r *reading) numbered(e celexpr.Expr) celexpr.Expr {
	numbers := map[string]int{}
	return celexpr.Replace(e, func(part celexpr.Expr) celexpr.Expr {
		if part.Kind() != ast.IdentKind || !r.loopNames[part.AsIdent()] {
			return nil
		}
		letter, number := part.AsIdent()[:1], part.AsIdent()[1:]
		if numbers[number] == 0 {
			numbers[number] = len(numbers) + 1
		}
		return celexpr.Name(fmt.Sprintf("%s%d", letter, numbers[number]))
	})
}

// tooLargeText says why the condition of a site is not read, by how many parts those of all sites have.
func tooLargeText(parts int) string {
	if parts > partsOfAll {
		return fmt.Sprintf("the conditions of all sites have more than %d parts", partsOfAll)
	}
	return fmt.Sprintf("the condition has more than %d parts", largest)
}

// escapes reports whether an expression has a variable of a loop outside of the loop.
func (r *reading) escapes(e celexpr.Expr, bound []string) bool {
	if e.Kind() == ast.IdentKind {
		return r.loopNames[e.AsIdent()] && !slices.Contains(bound, e.AsIdent())
	}
	inner := celexpr.PartsOf(e)
	if e.Kind() == ast.CallKind {
		if loop, ok := celexpr.LoopOf(e); ok {
			if inner = loop.Body; r.escapes(loop.Over, bound) {
				return true
			}
			bound = append(slices.Clip(bound), loop.Names...)
		}
	}
	return slices.ContainsFunc(inner, func(part celexpr.Expr) bool { return r.escapes(part, bound) })
}

// without returns the path of an error without the conditions that errors are there: that it is there itself, and that
// others, which are returned as well, are not. That an earlier statement did not panic counts for what it asks, too.
func (one failure) without(returned failures) path {
	made := slices.Clone(one.path)
	asked := and(one.path.beyond(nil, false), one.when)
	for i := range made {
		made[i].atoms = slices.Clone(made[i].atoms)
		for j, a := range made[i].atoms {
			if a.needed && a.masks && a.condition.expr != nil {
				used := celexpr.HasOf(a.condition.expr)
				if list, at := indexed(a.condition); list != nil {
					used = celexpr.Call(operators.Index, list, at)
				}
				made[i].atoms[j].masks = used == nil || !asked.has(used)
			}
		}
		made[i].atoms = slices.DeleteFunc(made[i].atoms, func(a atom) bool {
			of := a.condition.errors
			if of == nil || !a.condition.absent {
				return of != nil && of.hasSite(one.site)
			}
			return !slices.ContainsFunc(of.all, func(other failure) bool { return !returned.always(other, one.path) })
		})
	}
	return made
}

// at returns a position. Its file is named by the import path of the package.
func (r *reading) at(pos token.Pos) token.Position {
	if !pos.IsValid() {
		return token.Position{}
	}
	at := r.program.files.Position(pos)
	if of, ok := r.program.paths[at.Filename]; ok {
		at.Filename = gopath.Join(of, filepath.Base(at.Filename))
	}
	return at
}

// unreadName begins the names of the variables that stand in conditions for parts that could not be read.
const unreadName = "unread"

// opaque returns a condition, or another expression, that stands for what could not be read.
func (r *reading) opaque(u unknown) celexpr.Expr {
	if !u.unread.Pos.IsValid() {
		u.unread.Pos = r.at(r.where)
	}
	n, ok := r.numbers[u]
	if !ok {
		n = len(r.opaques)
		r.opaques = append(r.opaques, u.unread)
		r.numbers[u] = n
	}
	return celexpr.Name(fmt.Sprint(unreadName, n))
}

// unreadIn returns the parts of a condition that could not be read.
func (r *reading) unreadIn(condition celexpr.Expr) []Unread {
	var all []Unread
	seen := map[string]bool{}
	for part := range celexpr.Parts(condition) {
		if part.Kind() != ast.IdentKind || !strings.HasPrefix(part.AsIdent(), unreadName) || seen[part.AsIdent()] {
			continue
		}
		seen[part.AsIdent()] = true
		var n int
		if _, err := fmt.Sscanf(part.AsIdent(), unreadName+"%d", &n); err == nil && !slices.Contains(all, r.opaques[n]) {
			all = append(all, r.opaques[n])
		}
	}
	return all
}
