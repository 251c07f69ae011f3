package library

import (
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// Options adds the functions of this package to an environment.
func Options(formats Formats) []cel.EnvOption {
	return slices.Concat(formatLibrary(formats), selectorLibrary(), networkLibrary(), []cel.EnvOption{utf8Library()})
}

// Formats returns the violations of a format by a text. known is false if there is no such format.
type Formats func(format, text string) (violations []string, known bool)

// formatLibrary has the functions on formats:
//
//	<string>.isFormat(<string>) <bool>
//	<string>.validateFormat(<string>) <list<string>>
//
// The argument is the name of a format as the keyword "format" has it.
// validateFormat returns what is wrong, or an empty list:
//
//	self.name.isFormat('dns1123label')
//	messageExpression: self.name.validateFormat('dns1123label').join(', ')
//
// A literal name that is unknown is a mistake of the rule (see UnknownFormats);
// one that is only known when the rule runs ends it with an error.
func formatLibrary(formats Formats) []cel.EnvOption {
	function := func(name, overload string, result *cel.Type, of func(violations []string) ref.Val) cel.EnvOption {
		args := []*cel.Type{cel.StringType, cel.StringType}
		return cel.Function(name, cel.MemberOverload(overload, args, result, cel.BinaryBinding(func(text, format ref.Val) ref.Val {
			violations, err := check(formats, text, format)
			if err != nil {
				return err
			}
			return of(violations)
		})))
	}
	return []cel.EnvOption{
		function(IsFormat, "diffrun_string_is_format", cel.BoolType, func(violations []string) ref.Val {
			return types.Bool(len(violations) == 0)
		}),
		function(ValidateFormat, "diffrun_string_validate_format", cel.ListType(cel.StringType), func(violations []string) ref.Val {
			return types.NewStringList(types.DefaultTypeAdapter, violations)
		}),
	}
}

const (
	IsFormat       = "isFormat"
	ValidateFormat = "validateFormat"
)

func check(formats Formats, text, format ref.Val) ([]string, ref.Val) {
	t, ok := text.(types.String)
	name, isName := format.(types.String)
	if !ok || !isName {
		return nil, types.MaybeNoSuchOverloadErr(text)
	}
	violations, known := formats(string(name), string(t))
	if !known {
		return nil, types.NewErr("there is no format %q", string(name))
	}
	return violations, nil
}

// UnknownFormats returns the literal names of formats in a rule that do not exist.
func UnknownFormats(formats Formats, checked *ast.AST) []string {
	var unknown []string
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.CallKind {
			return
		}
		call := e.AsCall()
		if name := call.FunctionName(); name != IsFormat && name != ValidateFormat {
			return
		}
		for _, arg := range call.Args() {
			if arg.Kind() != ast.LiteralKind {
				continue
			}
			if name, ok := arg.AsLiteral().(types.String); ok {
				if _, known := formats(string(name), ""); !known {
					unknown = append(unknown, string(name))
				}
			}
		}
	}))
	return unknown
}
