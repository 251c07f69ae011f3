package gotypes

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
)

// ConstantsOf returns the string constants of a type, sorted as gengo publishes them for +enum.
func (s *Sources) ConstantsOf(t *Type, leaveOut func([]marker.Line) bool) ([]any, error) {
	var values []string
	for name, constant := range t.Package.Consts {
		if constant.typeName != t.Spec.Name.Name || leaveOut(constant.Lines) {
			continue
		}
		value, err := s.textOf(t.Package, constant.File, constant.value, 0)
		if err != nil {
			return nil, fmt.Errorf("constant %s: %w", name, err)
		}
		values = append(values, value)
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("+enum: the package has no constant of type %s", t.Spec.Name.Name)
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
func (s *Sources) textOf(in *Package, file *ast.File, expr ast.Expr, depth int) (string, error) {
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
		if constant, ok := in.Consts[expr.Name]; ok {
			return s.textOf(in, constant.File, constant.value, depth+1)
		}
		return "", fmt.Errorf("package %s has no constant %s", in.Path, expr.Name)
	case *ast.SelectorExpr:
		if name, ok := expr.X.(*ast.Ident); ok {
			other, err := s.Imported(in, file, name.Name)
			if err != nil {
				return "", err
			}
			return s.textOf(other, nil, expr.Sel, depth+1)
		}
	}
	return "", fmt.Errorf("only string constants can be read from the source; write the value instead")
}

// Constant returns the value of a string constant in +default=ref(…), which is written in a file.
func (s *Sources) Constant(in *Package, file *ast.File, name string) (string, error) {
	slash := strings.LastIndex(name, "/")
	dot := strings.Index(name[slash+1:], ".")
	if slash < 0 || dot < 0 {
		return s.textOf(in, file, parsedIdent(name), 0)
	}
	path, constant := name[:slash+1+dot], name[slash+2+dot:]
	other, err := s.byPath(path)
	if err != nil {
		return "", err
	}
	return s.textOf(other, nil, ast.NewIdent(constant), 0)
}

func parsedIdent(name string) ast.Expr {
	if in, selected, ok := strings.Cut(name, "."); ok {
		return &ast.SelectorExpr{X: ast.NewIdent(in), Sel: ast.NewIdent(selected)}
	}
	return ast.NewIdent(name)
}
