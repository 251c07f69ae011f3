package scaffold

import (
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// finish decides which functions register the webhooks, and which schemes these need.
func (g *goSource) finish() {
	g.finishFunctions()
	folders := slices.Sorted(maps.Keys(g.packages))
	if g.project.Module != "" {
		g.project.Production = g.commands.production(g.project.Module, g.uncallable())
		g.keepCommand()
	}
	for _, folder := range folders {
		g.addSetups(g.packages[folder])
	}
	if g.project.Production == nil && len(g.project.Setups) == 0 && g.project.Module != "" {
		g.project.Production = g.commands.listener(g.project.Module)
		g.keepCommand()
	}
	if len(g.project.Setups) == 0 && !slices.ContainsFunc(g.project.Functions, func(f Function) bool { return len(f.Clients) > 0 }) {
		return
	}
	add := func(s Scheme) {
		if s.Import != "k8s.io/client-go/kubernetes/scheme" && g.importable(s.Import) &&
			!slices.ContainsFunc(g.project.Schemes, func(o Scheme) bool { return o.Import == s.Import }) {
			g.project.Schemes = append(g.project.Schemes, s)
		}
	}
	for _, folder := range folders {
		of := g.packages[folder]
		if of.declares && of.name != "main" && !isTest(folder) {
			add(Scheme{g.importPath(of), "AddToScheme"})
		}
		for _, scheme := range of.schemes {
			if of.name == "main" && !isTest(folder) {
				add(scheme)
			}
		}
	}
}

// keepCommand leaves out a command that cannot be copied.
func (g *goSource) keepCommand() {
	of := g.project.Production
	if of == nil {
		return
	}
	if _, why := of.files(g.project.Module, ProgramFolder); why != "" {
		g.project.open("./%s registers webhooks, but cannot be copied: %s", of.Command, why)
		g.project.Production = nil
	}
}

// isTest reports whether a folder has tests or tools of developers.
func isTest(folder string) bool {
	return slices.ContainsFunc(strings.Split(folder, "/"), func(name string) bool {
		return name == "test" || name == "tests" || name == "hack" || strings.HasPrefix(name, "e2e")
	})
}

func (g *goSource) importPath(of *goPackage) string { return path.Join(g.project.Module, of.folder) }

// importable reports whether a program in a folder of the root may import a package.
func (g *goSource) importable(at string) bool {
	within, ours := strings.CutPrefix(at, g.project.Module+"/")
	if !ours {
		return !strings.Contains(at+"/", "/internal/")
	}
	return !strings.Contains(within+"/", "/internal/")
}

// addSetups adds the exported functions of a package that register webhooks themselves; for those that
// are not exported, the functions that call them.
func (g *goSource) addSetups(of *goPackage) {
	if isTest(of.folder) {
		return
	}
	added := map[*goFunction]int{} // indexes of setups
	for _, f := range of.functions {
		if !f.registers || !f.takesManager {
			continue
		}
		caller := of.usableCaller(f)
		switch {
		case (of.name == "main" || caller == nil) && g.project.Production.serves(of.folder):
			continue
		case of.name == "main" || caller == nil:
			g.project.open("%s: %s registers webhooks, but no exported function with a manager calls it: call it from diffrun/serve",
				f.source, f.name)
			continue
		case !g.importable(g.importPath(of)):
			g.project.open("%s: %s registers webhooks, but Go lets only %s import its package: call it from there", f.source,
				f.name, path.Dir(of.folder[:strings.LastIndex("/"+of.folder+"/", "/internal/")+1]))
			continue
		}
		i, known := added[caller]
		if !known {
			i = len(g.project.Setups)
			added[caller] = i
			g.project.Setups = append(g.project.Setups, Setup{
				Source:     caller.source,
				Import:     g.importPath(of),
				Receiver:   caller.receiver,
				Name:       caller.name,
				Parameters: caller.parameters,
			})
		}
		g.project.Setups[i].Kinds = append(g.project.Setups[i].Kinds, f.kinds...)
	}
}

// usableCaller returns the function itself or the next function that calls it, directly or not, which the program may call; nil:
// there is none.
func (of *goPackage) usableCaller(f *goFunction) *goFunction {
	callers := []*goFunction{f}
	for seen := map[*goFunction]bool{f: true}; len(callers) > 0; callers = callersOf(of, callers, seen) {
		if at := slices.IndexFunc(callers, (*goFunction).usable); at >= 0 {
			return callers[at]
		}
	}
	return nil
}

// uncallable returns the folders of packages with a function that registers webhooks and that the program cannot call: it is
// generic, takes no manager, or is not exported, and no other function of the package calls it.
func (g *goSource) uncallable() map[string]bool {
	all := map[string]bool{}
	for folder, of := range g.packages {
		for _, f := range of.functions {
			all[folder] = all[folder] || f.registers && of.usableCaller(f) == nil
		}
	}
	return all
}

// usable reports whether the program may call a function with a manager alone.
func (f *goFunction) usable() bool {
	return f.takesManager && !f.generic && ast.IsExported(f.name) && (f.receiver == "" || ast.IsExported(f.receiver))
}

// callersOf returns the functions with a manager that call one of the others and were not seen before.
func callersOf(of *goPackage, called []*goFunction, seen map[*goFunction]bool) (callers []*goFunction) {
	for _, f := range of.functions {
		calls := slices.ContainsFunc(called, func(c *goFunction) bool { return slices.Contains(f.calls, c.name) })
		if calls && f.takesManager && !seen[f] {
			seen[f] = true
			callers = append(callers, f)
		}
	}
	return callers
}

// readPolicyLiteral reports expressions of policies that are written as Go values.
func (g *goSource) readPolicyLiteral(literal *ast.CompositeLit, imports map[string]string) {
	selector, is := literal.Type.(*ast.SelectorExpr)
	if !is || selector.Sel.Name != "ValidatingAdmissionPolicySpec" {
		return
	}
	pkg, is := selector.X.(*ast.Ident)
	if !is || !strings.HasPrefix(imports[pkg.Name], "k8s.io/api/admissionregistration/") {
		return
	}
	var read, unread []string
	ast.Inspect(literal, func(node ast.Node) bool {
		pair, is := node.(*ast.KeyValueExpr)
		if key, named := pairKey(pair, is); named && (key == "Expression" || key == "MessageExpression") {
			if text, constant := constantText(pair.Value); constant {
				read = append(read, text)
			} else {
				unread = append(unread, g.place(pair.Value))
			}
		}
		return true
	})
	if len(read)+len(unread) == 0 {
		return
	}
	if len(unread) > 0 {
		g.project.open("%s: this policy is a Go value; expressions that are made at run time cannot be read: %s",
			g.place(literal), strings.Join(unread, ", "))
		return
	}
	g.project.open("%s: this policy is a Go value with %d constant expressions: print it as YAML and name the file under policies",
		g.place(literal), len(read))
}

func pairKey(pair *ast.KeyValueExpr, is bool) (string, bool) {
	if !is {
		return "", false
	}
	key, named := pair.Key.(*ast.Ident)
	if !named {
		return "", false
	}
	return key.Name, true
}

// constantText returns the text of a literal, or of several that are joined.
func constantText(expr ast.Expr) (string, bool) {
	switch expr := expr.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(expr.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, ok := constantText(expr.X)
		right, also := constantText(expr.Y)
		return left + right, ok && also && expr.Op == token.ADD
	case *ast.ParenExpr:
		return constantText(expr.X)
	}
	return "", false
}
