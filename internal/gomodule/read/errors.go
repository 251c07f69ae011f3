package read

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// errorFunctions make a new error of a text, which is their first argument.
var errorFunctions = []string{"errors.New", "fmt.Errorf", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf"}

// makesError returns the error that a constructor of a library makes; nil: the function is none.
func (c *call) makesError(f *types.Func) value {
	if f.Pkg() == nil {
		return nil
	}
	site := Site{Pos: c.made(), Type: f.Name()}
	c.relocate()
	switch {
	case f.FullName() == fieldPackage+".InternalError" && c.wrapped() != nil:
		return *c.wrapped()
	case f.Pkg().Path() == fieldPackage && f.Signature().Recv() == nil && isErrors(f.Signature().Results().At(0).Type()):
		path, ok := c.args[0].(fieldPath)
		if ok {
			site.Field = path.text
		}
		site.Text = c.detail(f)
	case slices.Contains(errorFunctions, f.FullName()):
		if wrapped := c.wrapped(); wrapped != nil {
			return *wrapped
		}
		site.Type = "error"
		site.Text = c.formatted(c.args)
	case strings.HasPrefix(f.FullName(), "k8s.io/apimachinery/pkg/api/errors.New"):
		if wrapped := c.wrapped(); wrapped != nil {
			return *wrapped
		}
		site.Text = shown(c.args[len(c.args)-1])
	case f.Pkg().Path() == admissionPackage && (f.Name() == "Denied" || f.Name() == "Errored"):
		if wrapped := c.wrapped(); wrapped != nil {
			return *wrapped
		}
		site.Text = shown(c.args[len(c.args)-1])
	default:
		field, text, ok := c.knativeError(f)
		if !ok {
			return nil
		}
		site.Field, site.Text = field, text
	}
	return c.fail(c.s, site, yes)
}

// made returns the place that an error belongs to: the call that makes it; or, in a function that only makes an error for
// others, the call of that function.
func (c *call) made() token.Position {
	n := len(c.calls)
	if n == 0 || c.entry == nil || c.activation.results.Len() != 1 || !isErrors(c.activation.results.At(0).Type()) ||
		!c.s.path.withoutPanics().equal(c.entry.withoutPanics()) {
		return c.at(c.expr.Pos())
	}
	return c.calls[n-1]
}

// detail returns the text of an error of package field.
func (c *call) detail(f *types.Func) string {
	parameters := f.Signature().Params()
	last := len(c.args) - 1
	switch name := parameters.At(parameters.Len() - 1).Name(); {
	case name == "detail" && last >= 0:
		return shown(c.args[last])
	case f.Name() == "NotSupported":
		return "supported values: …"
	}
	return ""
}

// wrapped returns the errors that a call wraps; nil: it wraps none. Those that are made where nothing is read, by
// libraries, are made by the call, and so is an error if it is not known that there is one to wrap.
func (c *call) wrapped() *failures {
	all := c.gathered()
	if all == nil || !all.areThere(c.s.path) ||
		!slices.ContainsFunc(all.all, func(one failure) bool { return one.site == nil || !one.site.ofLibrary }) {
		return nil
	}
	return all
}

// relocate gives an error that is made as an argument of the call the place of the call.
func (c *call) relocate() {
	all := c.gathered()
	if all == nil || len(all.all) != 1 || all.all[0].site == nil {
		return
	}
	from, to := c.at(c.expr.Pos()), c.at(c.expr.End())
	site := all.all[0].site
	if site.Pos.Filename == from.Filename && site.Pos.Offset > from.Offset && site.Pos.Offset < to.Offset {
		site.Pos = from
	}
}

// gathered returns the errors among the arguments of a call; nil: there are none.
func (c *call) gathered() *failures {
	var all *failures
	for i, arg := range c.args {
		items := []value{arg}
		if l, ok := arg.(list); ok {
			items = l.items
		}
		isOpen := len(c.args) == len(c.expr.Args) && isErrors(c.info.TypeOf(c.expr.Args[i]))
		for _, item := range items {
			if !hasErrors(item) && !isOpen {
				continue
			}
			if all == nil {
				all = &failures{}
			}
			*all = all.and(c.failuresOf(c.s, item, c.expr.Pos()))
		}
	}
	return all
}

// hasErrors reports whether a value may be an error that was read.
func hasErrors(v value) bool {
	switch x := v.(type) {
	case failures, oneOf:
		return true
	case choice:
		return hasErrors(x.then) || hasErrors(x.otherwise)
	}
	return false
}

// literalError returns the error that a literal makes; nil: the type is no error.
func (a *activation) literalError(s *state, x *ast.CompositeLit, t types.Type) *failures {
	if _, isStruct := elem(t).Underlying().(*types.Struct); !isStruct || !isErrors(t) {
		return nil
	}
	site := Site{Pos: a.at(x.Pos()), Type: "Error"}
	for _, e := range x.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		switch name, _ := pair.Key.(*ast.Ident); name.Name {
		case "Detail", "Message":
			site.Text = shown(a.eval(s, pair.Value))
		case "Field":
			site.Field = shown(a.eval(s, pair.Value))
		case "Paths":
			if paths, ok := a.eval(s, pair.Value).(list); ok && len(paths.items) > 0 {
				site.Field = shown(paths.items[0])
			}
		}
	}
	made := a.fail(s, site, yes)
	return &made
}

// addErrorModels adds the models of functions that gather, change or show errors.
func addErrorModels() {
	gather := func(c *call) value {
		if all := c.gathered(); all != nil {
			return *all
		}
		return failures{}
	}
	same := func(c *call) value { return c.of }
	models["errors.As"] = func(c *call) value {
		if to, ok := ast.Unparen(c.expr.Args[1]).(*ast.UnaryExpr); ok {
			c.assign(c.s, to.X, c.args[0])
		}
		return truth{yes}
	}
	models["k8s.io/apimachinery/pkg/api/errors.IsNotFound"] = func(c *call) value {
		u := c.unreadAt(c.expr.Pos(), "what the cluster has")
		u.unread.Class = Cluster
		return u
	}
	models["errors.Join"] = gather
	models["k8s.io/apimachinery/pkg/util/errors.NewAggregate"] = gather
	models["("+fieldPackage+".ErrorList).ToAggregate"] = same
	models["(*"+fieldPackage+".Error).WithOrigin"] = same
	models["("+fieldPackage+".ErrorList).WithOrigin"] = same
	models["(*"+fieldPackage+".Error).MarkCoveredByDeclarative"] = same
	models["("+fieldPackage+".ErrorList).MarkCoveredByDeclarative"] = same
	models["(error).Error"] = func(*call) value { return text{"…"} }
	models["(*"+fieldPackage+".Error).Error"] = func(*call) value { return text{"…"} }
}
