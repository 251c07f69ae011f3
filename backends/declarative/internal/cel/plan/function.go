package plan

import (
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/library"
	"github.com/diffrun/diffrun/internal/text/lang"
)

// function is everything that the engine knows about a function or operator of CEL.
type function struct {
	name string
	// plan plans a call; args begin with the target. nil: a library function, or one that plans do not know.
	plan func(p *planner, call ast.Expr, args []ast.Expr) planned
	// library: a plan may call the implementation of cel-go. It costs at most the size of its
	// arguments (see library/cost.go of k8s.io/apiserver/pkg/cel; others cost one).
	library bool
	// product: a library function costs at most the product of the sizes of its arguments.
	product bool
	// converts: cel-go calls the function on a literal when it makes a program, and makes no
	// program if that fails (interpreter/decorators.go).
	converts bool
	// to is the kind that the function converts to. A value of that kind stays as it is.
	to operandKind
	// wants reports whether a call passes the checks that the environment of cel-go makes after
	// types. nil: every call passes.
	wants func(l Literals, call ast.CallExpr) bool
}

// Literals checks literals of rules.
type Literals struct {
	Pattern func(text string) *lang.Pattern // nil: it is not a regular expression
	Format  func(name string) bool          // whether there is a format of this name
}

// Functions are the functions of a language. They never change.
type Functions struct {
	table     map[string]function            // by name
	overloads map[string]*functions.Overload // of libraries, which plans call (see library.go)
}

// NewFunctions returns the functions of an environment.
func NewFunctions(env *cel.Env) *Functions {
	table := map[string]function{}
	for _, row := range slices.Concat(operatorRows(), textRows(), listRows(), libraryRows()) {
		table[row.name] = row
	}
	return &Functions{table: table, overloads: libraryOverloads(env, table)}
}

// Plain reports whether a call passes the checks of the environment of cel-go.
func (f *Functions) Plain(call ast.CallExpr, l Literals) bool {
	wants := f.table[call.FunctionName()].wants
	return wants == nil || wants(l, call)
}

func operatorRows() []function {
	return []function{
		{name: operators.LogicalAnd, plan: (*planner).logical},
		{name: operators.LogicalOr, plan: (*planner).logical},
		{name: operators.LogicalNot, plan: (*planner).not},
		{name: operators.Conditional, plan: (*planner).conditional},
		{name: operators.Equals, plan: (*planner).equals},
		{name: operators.NotEquals, plan: (*planner).equals},
		{name: operators.Less, plan: (*planner).ordered},
		{name: operators.LessEquals, plan: (*planner).ordered},
		{name: operators.Greater, plan: (*planner).ordered},
		{name: operators.GreaterEquals, plan: (*planner).ordered},
		{name: operators.In, plan: (*planner).in},
		{name: operators.Index, plan: (*planner).index},
		{name: operators.Add, plan: (*planner).add, library: true},
		{name: operators.Subtract, library: true},
		{name: operators.Multiply, library: true},
		{name: operators.Divide, library: true},
		{name: operators.Modulo, library: true},
		{name: operators.Negate, library: true},
		{name: operators.OptSelect, plan: (*planner).optionalSelect},
		{name: operators.OptIndex, plan: (*planner).optionalIndex},
		{name: "hasValue", plan: (*planner).hasValue},
		{name: "orValue", plan: (*planner).orValue},
		{name: "value", plan: (*planner).valueOf},
		{name: "optional.of", plan: (*planner).optionalOf},
		{name: "optional.none", plan: (*planner).optionalOf},
	}
}

func textRows() []function {
	return []function{
		{name: "size", plan: (*planner).size},
		{name: "matches", plan: (*planner).matches, library: true, product: true, wants: wantsPattern}, // of a label selector, too
		{name: "labelSelector", library: true},
		{name: "startsWith", plan: texts(strings.HasPrefix)},
		{name: "endsWith", plan: texts(strings.HasSuffix)},
		{name: "contains", plan: texts(strings.Contains)},
		{name: "validate", plan: (*planner).validate},
		{name: "trim", library: true},
		{name: "lowerAscii", library: true},
		{name: "string", library: true, converts: true, to: aText},
		{name: "int", library: true, converts: true, to: anInt},
		{name: "double", library: true, converts: true, to: aDouble},
		{name: "bytes", library: true, converts: true},
		{name: "duration", library: true, converts: true, wants: leftToCEL},
		{name: "timestamp", library: true, converts: true, wants: leftToCEL},
		{name: library.IsFormat, wants: wantsFormat},
		{name: library.ValidateFormat, wants: wantsFormat},
		{name: "format", wants: leftToCEL},
		{name: "isValid", wants: leftToCEL},
		{name: "isPrint", wants: leftToCEL},
		{name: "isControl", wants: leftToCEL},
	}
}

func listRows() []function {
	return []function{
		{name: "distinct", plan: (*planner).distinct, wants: leftToCEL},
		{name: "flatten", plan: (*planner).flatten, wants: leftToCEL},
		{name: "join", library: true},
		{name: "sum", plan: (*planner).sum, library: true},
		{name: "isSorted", library: true},
		{name: "slice", library: true, wants: leftToCEL},
		{name: "split", library: true},
		{name: "lists.range", wants: leftToCEL},
		{name: "reverse", wants: leftToCEL},
		{name: "sort", wants: leftToCEL},
		{name: "sortBy", wants: leftToCEL},
		{name: "@sortByAssociatedKeys", wants: leftToCEL},
		{name: "sets.contains", wants: leftToCEL},
		{name: "sets.intersects", wants: leftToCEL},
		{name: "sets.equivalent", wants: leftToCEL},
	}
}

// libraryRows are functions of Kubernetes' and cel-go's libraries that plans call.
func libraryRows() []function {
	rows := []function{
		{name: "quantity", library: true},
		{name: "isQuantity", library: true},
		{name: "ip", library: true},
		{name: "isIP", library: true},
		{name: "cidr", library: true},
		{name: "isCIDR", library: true},
	}
	for _, name := range []string{
		"sign", "isInteger", "asInteger", "asApproximateFloat", "compareTo", "isGreaterThan", "isLessThan",
		"upperAscii", "substring", "indexOf", "lastIndexOf", "replace",
		"masked", "prefixLength", "family", "containsIP", "containsCIDR",
		"isUnspecified", "isLoopback", "isLinkLocalMulticast", "isLinkLocalUnicast", "isGlobalUnicast",
		"getHours", "getMinutes", "getSeconds", "getMilliseconds", "getFullYear",
	} {
		rows = append(rows, function{name: name, library: true})
	}
	return rows
}

// leftToCEL leaves a call to the environment of cel-go, which checks literals or is the only one to know
// the cost of the call.
func leftToCEL(Literals, ast.CallExpr) bool { return false }

// wantsPattern reports whether a literal first argument is a regular expression. In a call of the
// global function, cel-go takes the text for the pattern.
func wantsPattern(l Literals, call ast.CallExpr) bool {
	arg := call.Args()[0]
	if arg.Kind() != ast.LiteralKind {
		return true
	}
	text, ok := arg.AsLiteral().(types.String)
	return ok && l.Pattern(string(text)) != nil
}

// wantsFormat reports whether the format of a literal name exists.
func wantsFormat(l Literals, call ast.CallExpr) bool {
	arg := call.Args()[len(call.Args())-1]
	if arg.Kind() != ast.LiteralKind {
		return true
	}
	name, ok := arg.AsLiteral().(types.String)
	return ok && l.Format(string(name))
}
