package library

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// utf8Library has the functions that KEP-4153 ("UTF8 Library") asks for. The KEP only names them; here
// they are members, like isFormat:
//
//	<string>.isValid() <bool>
//	<bytes>.isValid() <bool>
//	<string>.isPrint() <bool>
//	<string>.isControl() <bool>
//
// isValid reports whether all bytes are UTF-8 (unicode/utf8.Valid). Strings in JSON always are; bytes and
// the strings of typed objects may not be. isPrint reports whether every character can be printed
// (unicode.IsPrint, where the only white space is the space), and isControl whether there is a control
// character (unicode.IsControl). Hand-written validation makes these tests for each character, for
// example for a manager in managedFields and the deprecationWarning of a CustomResourceDefinition:
//
//	self.manager.isPrint()
//	self.deprecationWarning.isValid() && !self.deprecationWarning.isControl()
//
// The empty string is valid, printable and without control characters. A call costs as much as one pass
// over the string in Kubernetes' own libraries.
func utf8Library() cel.EnvOption { return cel.Lib(utf8Functions{}) }

type utf8Functions struct{}

// CompileOptions implements cel.Library.
func (utf8Functions) CompileOptions() []cel.EnvOption {
	text, data := []*cel.Type{cel.StringType}, []*cel.Type{cel.BytesType}
	options := []cel.EnvOption{
		cel.Function("isValid",
			cel.MemberOverload("diffrun_string_is_valid", text, cel.BoolType, onText(utf8.ValidString)),
			cel.MemberOverload("diffrun_bytes_is_valid", data, cel.BoolType, cel.UnaryBinding(validBytes))),
		cel.Function("isPrint", cel.MemberOverload("diffrun_string_is_print", text, cel.BoolType, onText(func(s string) bool {
			return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
		}))),
		cel.Function("isControl", cel.MemberOverload("diffrun_string_is_control", text, cel.BoolType, onText(func(s string) bool {
			return strings.IndexFunc(s, unicode.IsControl) >= 0
		}))),
	}
	for _, id := range utf8Overloads() {
		options = append(options, cel.CostEstimatorOptions(checker.OverloadCostEstimate(id, onePass)))
	}
	return options
}

// ProgramOptions implements cel.Library.
func (utf8Functions) ProgramOptions() []cel.ProgramOption {
	var options []cel.ProgramOption
	for _, id := range utf8Overloads() {
		options = append(options, cel.CostTrackerOptions(interpreter.OverloadCostTracker(id, passed)))
	}
	return options
}

func utf8Overloads() []string {
	return []string{"diffrun_string_is_valid", "diffrun_bytes_is_valid", "diffrun_string_is_print", "diffrun_string_is_control"}
}

// onePass estimates the cost of one pass over the target.
func onePass(estimator checker.CostEstimator, target *checker.AstNode, _ []checker.AstNode) *checker.CallEstimate {
	if target == nil {
		return nil
	}
	size := (*target).ComputedSize()
	if size == nil {
		size = estimator.EstimateSize(*target)
	}
	if size == nil {
		size = &checker.SizeEstimate{Min: 0, Max: math.MaxUint64}
	}
	return &checker.CallEstimate{CostEstimate: size.MultiplyByCostFactor(common.StringTraversalCostFactor)}
}

// passed returns the actual cost of one pass over the target.
func passed(args []ref.Val, _ ref.Val) *uint64 {
	size := 0
	switch target := args[0].(type) {
	case types.String:
		size = utf8.RuneCountInString(string(target))
	case types.Bytes:
		size = len(target)
	}
	cost := uint64(math.Ceil(float64(size) * common.StringTraversalCostFactor))
	return &cost
}

func validBytes(v ref.Val) ref.Val {
	b, ok := v.(types.Bytes)
	if !ok {
		return types.MaybeNoSuchOverloadErr(v)
	}
	return types.Bool(utf8.Valid(b))
}

func onText(is func(string) bool) cel.OverloadOpt {
	return cel.UnaryBinding(func(v ref.Val) ref.Val {
		s, ok := v.(types.String)
		if !ok {
			return types.MaybeNoSuchOverloadErr(v)
		}
		return types.Bool(is(string(s)))
	})
}
