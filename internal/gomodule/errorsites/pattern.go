package errorsites

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// scope is the place of an expression. In a function that a site calls, the call has the values of the
// parameters.
type scope struct {
	info     *types.Info
	declared *ast.FuncDecl // nil: the expression is outside functions
	call     *ast.CallExpr // nil: the parameters are not known
	outer    *scope        // of the call
}

// typeOf returns the type of the errors of a constructor; empty: unknown.
func typeOf(constructor string) field.ErrorType {
	switch constructor {
	case "Invalid":
		return field.ErrorTypeInvalid
	case "Required":
		return field.ErrorTypeRequired
	case "Forbidden":
		return field.ErrorTypeForbidden
	case "NotSupported":
		return field.ErrorTypeNotSupported
	case "Duplicate":
		return field.ErrorTypeDuplicate
	case "NotFound":
		return field.ErrorTypeNotFound
	case "TypeInvalid":
		return field.ErrorTypeTypeInvalid
	case "InternalError":
		return field.ErrorTypeInternal
	case "TooLong", "TooLongCharacters", "TooLongMaxLength":
		return field.ErrorTypeTooLong
	case "TooShort":
		return field.ErrorTypeTooShort
	case "TooMany":
		return field.ErrorTypeTooMany
	case "TooFew":
		return field.ErrorTypeTooFew
	}
	return ""
}

// patternOf returns what the source says about the errors of a call or literal. It ignores fields that
// are assigned afterwards.
func (f *finder) patternOf(s scope, e ast.Expr) pattern {
	p := f.patternOfCall(s, e)
	for _, name := range s.setLater(e) {
		switch name {
		case "Type":
			p.errorType = ""
		case "Field":
			p.path, p.whole = nil, false
		case "Detail":
			p.detail = nil
		}
	}
	return p
}

// setLater returns the fields that are assigned to the variable of an error.
func (s *scope) setLater(e ast.Expr) []string {
	if s.declared == nil {
		return nil
	}
	var variable types.Object
	var names []string
	for node := range ast.Preorder(s.declared) {
		assign, ok := node.(*ast.AssignStmt)
		if !ok {
			continue
		}
		for i, to := range assign.Lhs {
			selector, ok := to.(*ast.SelectorExpr)
			if name, is := to.(*ast.Ident); is && i < len(assign.Rhs) && assign.Rhs[i].Pos() <= e.Pos() && e.End() <= assign.Rhs[i].End() {
				variable = s.info.ObjectOf(name)
			} else if of, is := selectorOf(selector); ok && is && variable != nil && s.info.Uses[of] == variable {
				names = append(names, selector.Sel.Name)
			}
		}
	}
	return names
}

// selectorOf returns the variable whose field is selected.
func selectorOf(e *ast.SelectorExpr) (*ast.Ident, bool) {
	if e == nil {
		return nil, false
	}
	of, ok := ast.Unparen(e.X).(*ast.Ident)
	return of, ok
}

func (f *finder) patternOfCall(s scope, e ast.Expr) pattern {
	call, isCall := e.(*ast.CallExpr)
	if !isCall {
		return patternOfLiteral(s, e.(*ast.CompositeLit))
	}
	function := callee(s.info, call)
	if made := f.made[function]; made != nil {
		inner := scope{f.packages[function.Pkg()].TypesInfo, f.declared[function], call, &s}
		return f.patternOf(inner, ast.Unparen(made))
	}
	if !isConstructor(function) {
		return s.patternOfOther(call, function)
	}
	p := pattern{errorType: typeOf(function.Name())}
	if len(call.Args) > 0 {
		p.path, p.whole = s.path(call.Args[0])
	}
	switch parameters := function.Signature().Params(); {
	case parameters.Len() > 0 && parameters.At(parameters.Len()-1).Name() == "detail" && len(call.Args) == parameters.Len():
		p.detail = s.text(call.Args[len(call.Args)-1])
	case p.errorType == field.ErrorTypeDuplicate || p.errorType == field.ErrorTypeNotFound:
		p.detail = []string{""}
	}
	return p
}

func patternOfLiteral(s scope, made *ast.CompositeLit) pattern {
	p := pattern{}
	if literal(s.info, made) != nil {
		p.detail = []string{""}
	}
	for _, element := range made.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return pattern{} // without names of the fields
		}
		switch name, _ := pair.Key.(*ast.Ident); {
		case name == nil:
		case name.Name == "Type":
			if value := s.info.Types[pair.Value].Value; value != nil && value.Kind() == constant.String && literal(s.info, made) != nil {
				p.errorType = field.ErrorType(constant.StringVal(value))
			}
		case name.Name == "Detail", name.Name == "Message":
			p.detail = s.text(pair.Value)
		case name.Name == "Field":
			if call, ok := ast.Unparen(pair.Value).(*ast.CallExpr); ok { // path.String()
				if selector, ok := call.Fun.(*ast.SelectorExpr); ok && selector.Sel.Name == "String" {
					p.path, p.whole = s.path(selector.X)
				}
			}
		}
	}
	return p
}

// path returns the end of the path of an expression, and whether that is the whole path.
func (s *scope) path(e ast.Expr) (end []step, whole bool) {
	e = ast.Unparen(e)
	if name, ok := e.(*ast.Ident); ok {
		if value, in := s.value(name); value != nil {
			return in.path(value)
		}
		return nil, false
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	function := callee(s.info, call)
	if function == nil || function.Pkg() == nil || function.Pkg().Path() != fieldPackage {
		return nil, false
	}
	switch function.Name() {
	case "NewPath":
		return s.named(nil, true, call.Args)
	case "Child", "Index", "Key":
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return nil, false
		}
		end, whole = s.path(selector.X)
		if function.Name() == "Child" {
			return s.named(end, whole, call.Args)
		}
		return append(slices.Clone(end), step{index: true}), whole
	}
	return nil, false
}

// named adds names to a path.
func (s *scope) named(end []step, whole bool, names []ast.Expr) ([]step, bool) {
	end = slices.Clone(end)
	for _, name := range names {
		text := s.text(name)
		if len(text) != 1 {
			end, whole = nil, false
			continue
		}
		if text[0] == "" {
			end = append(end, step{index: true}) // as package field writes it
		}
		end = append(end, stepsOf(text[0])...)
	}
	return end, whole
}

// verb is what fmt replaces in a format.
var verb = regexp.MustCompile(`%[-+# 0]*(\[\d+\])?[\d*]*(\.[\d*]+)?(\[\d+\])?[a-zA-Z]`)

// text returns the known parts of a text, in order; nil: nothing is known.
func (s *scope) text(e ast.Expr) []string {
	e = ast.Unparen(e)
	if value := s.info.Types[e].Value; value != nil && value.Kind() == constant.String {
		return []string{constant.StringVal(value)}
	}
	switch e := e.(type) {
	case *ast.Ident:
		if value, in := s.value(e); value != nil {
			return in.text(value)
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return joined(s.text(e.X), s.text(e.Y))
		}
	case *ast.CallExpr:
		if function := callee(s.info, e); function != nil && function.FullName() == "fmt.Sprintf" && len(e.Args) > 0 {
			if format := s.text(e.Args[0]); len(format) == 1 {
				return formatted(format[0])
			}
		}
	}
	return nil
}

// joined concatenates texts.
func joined(one, other []string) []string {
	if one == nil {
		one = []string{"", ""}
	}
	if other == nil {
		other = []string{"", ""}
	}
	all := append(slices.Clone(one[:len(one)-1]), one[len(one)-1]+other[0])
	all = append(all, other[1:]...)
	if !slices.ContainsFunc(all, func(part string) bool { return part != "" }) {
		return nil
	}
	return all
}

// formatted returns the parts of a format of fmt between its verbs.
func formatted(format string) []string {
	const percent = "\x00"
	parts := verb.Split(strings.ReplaceAll(format, "%%", percent), -1)
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], percent, "%")
	}
	return joined(parts, []string{""})
}

// value returns the value of a variable that is assigned once, or the argument for a parameter, and
// the scope of the value; nil: unknown.
func (s *scope) value(name *ast.Ident) (ast.Expr, *scope) {
	variable, ok := s.info.Uses[name].(*types.Var)
	if !ok || s.declared == nil {
		return nil, nil
	}
	if at := parameter(s.info, s.declared, variable); at >= 0 {
		if s.call == nil || at >= len(s.call.Args) || s.assigned(variable) != nil {
			return nil, nil
		}
		return s.call.Args[at], s.outer
	}
	values := s.assigned(variable)
	if len(values) != 1 || values[0] == nil {
		return nil, nil
	}
	return values[0], s
}

// parameter returns the index of a parameter, or -1 if the variable is none.
func parameter(info *types.Info, declared *ast.FuncDecl, variable *types.Var) int {
	at := 0
	for _, names := range declared.Type.Params.List {
		for _, name := range names.Names {
			if info.Defs[name] == variable {
				return at
			}
			at++
		}
		if len(names.Names) == 0 {
			at++
		}
	}
	return -1
}

// assigned returns all values that the function assigns to a variable. A value that is not one
// expression, as in a range, is nil.
func (s *scope) assigned(variable *types.Var) []ast.Expr {
	var values []ast.Expr
	is := func(e ast.Expr) bool {
		name, ok := e.(*ast.Ident)
		return ok && (s.info.Defs[name] == variable || s.info.Uses[name] == variable)
	}
	for node := range ast.Preorder(s.declared) {
		switch node := node.(type) {
		case *ast.AssignStmt:
			for i, to := range node.Lhs {
				if !is(to) {
					continue
				}
				if len(node.Rhs) == len(node.Lhs) && (node.Tok == token.ASSIGN || node.Tok == token.DEFINE) {
					values = append(values, node.Rhs[i])
				} else {
					values = append(values, nil)
				}
			}
		case *ast.ValueSpec:
			for i, name := range node.Names {
				if is(name) && i < len(node.Values) {
					values = append(values, node.Values[i])
				} else if is(name) {
					values = append(values, nil)
				}
			}
		case *ast.RangeStmt:
			if node.Key != nil && is(node.Key) || node.Value != nil && is(node.Value) {
				values = append(values, nil)
			}
		case *ast.UnaryExpr:
			if node.Op == token.AND && is(node.X) {
				values = append(values, nil) // anything may set it
			}
		}
	}
	return values
}

// String returns the known part of the pattern as text.
func (p *pattern) String() string {
	const longest = 60
	var path strings.Builder
	for i, step := range p.path {
		switch {
		case step.index:
			path.WriteString("[*]")
		case i > 0:
			path.WriteString("." + step.name)
		default:
			path.WriteString(step.name)
		}
	}
	detail := []rune(strings.Join(p.detail, "…"))
	if len(detail) > longest {
		detail = append(detail[:longest-1], '…')
	}
	if len(detail) == 0 {
		return path.String()
	}
	return strings.TrimPrefix(path.String()+" ", " ") + `"` + string(detail) + `"`
}
