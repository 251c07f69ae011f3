package celexpr

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// Loop is a macro that binds names in its last arguments: list.all(x, body).
type Loop struct {
	Function string
	// Over is the value whose items, keys or content the names are.
	Over  Expr
	Names []string
	// Body is what is evaluated with the names. A map and a transformation may have a condition before it.
	Body []Expr
}

// bound has the number of names that macros bind; 0: all arguments but the last.
var bound = map[string]int{
	operators.All: 0, operators.Exists: 0, operators.ExistsOne: 0, "existsOne": 0,
	operators.Filter: 1, operators.Map: 1, "optMap": 1, "optFlatMap": 1, "sortBy": 1,
	"transformList": 2, "transformMap": 2, "transformMapEntry": 2,
}

// LoopOf returns the macro that an expression is, if it is one that binds names.
func LoopOf(e Expr) (Loop, bool) {
	call := e.AsCall()
	if !call.IsMemberFunction() {
		return Loop{}, false
	}
	loop := Loop{Function: call.FunctionName(), Over: call.Target(), Body: call.Args()}
	names, is := bound[loop.Function]
	switch {
	case loop.Function == "bind" && loop.Over.AsIdent() == "cel" && len(loop.Body) == 3:
		loop.Names, loop.Over, loop.Body = []string{loop.Body[0].AsIdent()}, loop.Body[1], loop.Body[2:]
		return loop, true
	case names == 0:
		names = len(loop.Body) - 1
	}
	if !is || names < 1 || len(loop.Body) <= names {
		return Loop{}, false
	}
	for _, name := range loop.Body[:names] {
		if name.Kind() != ast.IdentKind {
			return Loop{}, false
		}
		loop.Names = append(loop.Names, name.AsIdent())
	}
	loop.Body = loop.Body[names:]
	return loop, true
}
