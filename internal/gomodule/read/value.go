package read

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// value is what an expression of Go may be: one of the types of this file, and nil for what a caller ignores.
type value any

// place is a value of the object: the expression if all of has hold, and else the zero value of its type. A pointer, a
// list or a map is nil if one of has does not hold.
type place struct {
	expr celexpr.Expr
	typ  types.Type
	has  *condition
	// of is the list or map of which it is an item, in that loop.
	of *loop
	// field is the field that it is; nil: it is another value.
	field *types.Var
	// inBytes is the length of a text as Go counts it, where expr counts characters; nil: it is no length of a text.
	inBytes celexpr.Expr
	// within is the whole numbers that it may be; nil: all of its type.
	within *interval
}

// term is a value that is computed from the object.
type term struct {
	expr celexpr.Expr
	typ  types.Type
	// text is what is known of a text, with … for the rest.
	text string
	// source is the text of which it was parsed, if it is an address; isNet: one with a length of its prefix.
	source celexpr.Expr
	isNet  bool
	// inBytes and within are as those of a place.
	inBytes celexpr.Expr
	within  *interval
}

// truth is a bool that is computed from the object.
type truth struct{ when *condition }

// known is a constant.
type known struct {
	value constant.Value
	typ   types.Type
}

// choice is one of two values.
type choice struct {
	when            *condition
	then, otherwise value
}

// nothing is nil.
type nothing struct{}

// unknown is a value that could not be read.
type unknown struct {
	unread Unread
	// call is the call in which it was.
	call int
	// part says what of it the value is: a result of a function, a field, an item. Others are other values, which must not be
	// taken for the same.
	part string
}

// of returns a part of the value, or what is asked of it, such as whether it is nil.
func (u unknown) of(part string) unknown {
	u.part += " " + part
	return u
}

// failures are errors, or texts of errors, each of which is made under a condition: a value of type error,
// field.ErrorList, []string and so on.
type failures struct{ all []failure }

// oneOf is an error that is one of some, in a loop over them.
type oneOf struct{ of failures }

// failure is an error and where it is made.
type failure struct {
	site *Site
	path path
	// when is a condition beside the path, such as that a function of a library finds a mistake.
	when *condition
}

// fieldPath is a *field.Path.
type fieldPath struct{ text string }

// text is a text of which parts are known: … stands for the others.
type text struct{ text string }

// closure is a function. Its variables are those of the state that calls it, as a variable is known by its declaration, or
// those that it captured.
type closure struct {
	literal *ast.FuncLit
	in      *packages.Package
	named   *types.Func
	// of is the receiver of a method.
	of value
	// captured are the variables of the function that returned it; nil: it was not returned.
	captured map[types.Object]value
}

// pointer points to a value that is no struct.
type pointer struct{ to value }

// list is a list of known length.
type list struct{ items []value }

// collection is a list, set or map that loops fill: what was put into it, and on which path.
type collection struct {
	entries []entry
	// of is the list of the object whose items it has, and nothing else; nil: there is none.
	of *place
}

// entry is a key or item of a collection.
type entry struct {
	path       path
	key, value value
}

// several are the results of a call.
type several []value

// position is the variable of a loop for the index.
type position struct{ of *loop }

// loopVariable is a variable that a loop assigns, as it was before an iteration.
type loopVariable struct {
	before value
	// now is what it is in an iteration, which earlier ones may have changed.
	now unknown
}

// increment is a loop variable and how often an iteration adds one to it.
type increment struct{ of loopVariable }

// zero returns the zero value of a type.
func zero(t types.Type) value {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return known{constant.MakeString(""), t}
		case u.Info()&types.IsBoolean != 0:
			return known{constant.MakeBool(false), t}
		case u.Info()&types.IsFloat != 0:
			return known{constant.ToFloat(constant.MakeInt64(0)), t}
		case u.Info()&types.IsNumeric != 0:
			return known{constant.MakeInt64(0), t}
		}
	case *types.Struct:
		return &made{typ: t}
	case *types.Slice:
		if isErrors(t) {
			return failures{}
		}
	case *types.Interface:
		if isErrors(t) {
			return failures{}
		}
	}
	return nothing{}
}

// literal returns a constant as CEL writes it; nil: it cannot.
func literal(v constant.Value) celexpr.Expr {
	switch v.Kind() {
	case constant.Bool:
		return celexpr.Literal(constant.BoolVal(v))
	case constant.String:
		return celexpr.Literal(constant.StringVal(v))
	case constant.Int:
		if n, exact := constant.Int64Val(v); exact {
			return celexpr.Literal(n)
		}
	case constant.Float:
		if n, exact := constant.Float64Val(v); exact {
			return celexpr.Literal(n)
		}
	}
	return nil
}

// unreadAt returns a value that could not be read.
func (r *reading) unreadAt(pos token.Pos, why string) unknown {
	if !pos.IsValid() {
		pos = r.where
	}
	return unknown{Unread{Pos: r.at(pos), Why: why}, r.inCall, ""}
}
