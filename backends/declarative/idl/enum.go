package idl

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
)

// enumValues is the argument of +enum. It is empty for the bare form.
type enumValues []any

// ParseMarker implements the hook of the parser of controller-tools. Without an argument, the
// values are the constants of the type.
func (e *enumValues) ParseMarker(_, name, argument string) error {
	if argument == "" {
		return nil
	}
	list, err := markers.MakeDefinition("enum", markers.DescribesField, []any{})
	if err != nil {
		return err
	}
	values, err := list.Parse("+enum=" + argument)
	if err != nil {
		return fmt.Errorf("write +enum=A;B or +enum={\"A\",\"B\"}: %s", strings.Join(scannerMessages(err), "; "))
	}
	*e = values.([]any)
	return e.check(argument)
}

// check reports values that are not what they look like: brackets, a hole between two semicolons,
// and a value that stands twice.
func (e *enumValues) check(argument string) error {
	if strings.HasPrefix(argument, "[") || strings.HasPrefix(argument, "(") {
		return fmt.Errorf("write +enum=A;B or +enum={\"A\",\"B\"}: a bracket is a part of a value here")
	}
	if strings.Contains(argument, ";;") && !strings.ContainsAny(argument, "\"`") {
		return fmt.Errorf("there is no value between two semicolons; the empty text is \"\"")
	}
	for i, value := range *e {
		if slices.Contains((*e)[:i], value) {
			return fmt.Errorf("the value %v stands twice", value)
		}
	}
	return nil
}

func applyEnum(t *Target, value any) error {
	values := []any(value.(enumValues))
	if len(values) == 0 {
		if t.constants == nil {
			return fmt.Errorf("a bare +enum needs a type with constants; write the values here: +enum=A;B")
		}
		constants, err := t.constants(func([]marker.Line) bool { return false })
		if err != nil {
			return err
		}
		values = constants
	}
	for _, each := range values {
		if err := fits(t.Kind(), each); err != nil {
			return fmt.Errorf("+enum: %w", err)
		}
	}
	current := t.Schema().Enum
	if !slices.Equal(current, values) {
		t.conjoin(current != nil, func(s *spec.Schema) { s.Enum = values })
	}
	return nil
}

// fits reports whether a target can have a value at all.
func fits(kind Kind, value any) error {
	ok := true
	switch value.(type) {
	case string:
		ok = kind == KindText || kind == KindIntOrString || kind == KindAny
	case int, int64, float64:
		ok = kind == KindNumber || kind == KindIntOrString || kind == KindAny
	case bool:
		ok = kind == KindBool || kind == KindAny
	}
	if !ok {
		return fmt.Errorf("%#v is not %s", value, article(kind))
	}
	return nil
}

// constantsOf returns the string constants of a type, sorted as gengo publishes them for +enum.
func (s *sources) constantsOf(t *goType, leaveOut func([]marker.Line) bool) ([]any, error) {
	var values []string
	for name, constant := range t.in.consts {
		if constant.typeName != t.spec.Name.Name || leaveOut(constant.lines) {
			continue
		}
		value, err := s.textOf(t.in, constant.file, constant.value, 0)
		if err != nil {
			return nil, fmt.Errorf("constant %s: %w", name, err)
		}
		values = append(values, value)
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("+enum: the package has no constant of type %s", t.spec.Name.Name)
	}
	slices.Sort(values)
	var list []any
	for _, value := range slices.Compact(values) {
		list = append(list, value)
	}
	return list, nil
}

// maxConstDepth limits how many constants may refer to each other in a chain. Go rejects a cycle,
// but the parser does not.
const maxConstDepth = 100

// textOf evaluates an expression of literals, conversions, sums and other constants.
func (s *sources) textOf(in *goPackage, file *ast.File, expr ast.Expr, depth int) (string, error) {
	if depth > maxConstDepth {
		return "", fmt.Errorf("its definition refers to itself")
	}
	switch expr := expr.(type) {
	case *ast.BasicLit:
		if expr.Kind == token.STRING {
			return strconv.Unquote(expr.Value)
		}
	case *ast.ParenExpr:
		return s.textOf(in, file, expr.X, depth+1)
	case *ast.CallExpr:
		if len(expr.Args) == 1 {
			return s.textOf(in, file, expr.Args[0], depth+1)
		}
	case *ast.BinaryExpr:
		left, err := s.textOf(in, file, expr.X, depth+1)
		if err != nil {
			return "", err
		}
		right, err := s.textOf(in, file, expr.Y, depth+1)
		return left + right, err
	case *ast.Ident:
		if constant, ok := in.consts[expr.Name]; ok {
			return s.textOf(in, constant.file, constant.value, depth+1)
		}
		return "", fmt.Errorf("package %s has no constant %s", in.path, expr.Name)
	case *ast.SelectorExpr:
		if name, ok := expr.X.(*ast.Ident); ok {
			other, err := s.imported(in, file, name.Name)
			if err != nil {
				return "", err
			}
			return s.textOf(other, nil, expr.Sel, depth+1)
		}
	}
	return "", fmt.Errorf("only string constants can be read from the source; write the value instead")
}
