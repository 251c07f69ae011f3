package cel

import (
	"fmt"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/library"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel/parse"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel/plan"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
)

// Language is everything that does not depend on a schema: functions, macros, types. It is expensive to
// make and safe for use by many goroutines.
type Language struct {
	formats   library.Formats
	base      *cel.Env
	functions *checker.Env
	crossType bool // numbers of different types can be compared
	syntax    *parse.Language
	calls     *plan.Functions
	// strict is true if isPlain knows all checks after the type check.
	strict bool
}

// NewLanguage makes the language of a version of Kubernetes, with the formats of isFormat. Without a
// version, rules may use every library, like rules that the API server has stored.
func NewLanguage(v *version.Version, formats library.Formats) (*Language, error) {
	stored := v == nil
	if stored {
		v = environment.DefaultCompatibilityVersion()
	} else if len(v.Components()) < 2 {
		return nil, fmt.Errorf("compatibility version %s: must have a major and a minor component", v)
	}
	set := environment.MustBaseEnvSet(v)
	base := set.NewExpressionsEnv()
	if stored {
		base = set.StoredExpressionsEnv()
	}
	base, err := base.Extend(library.Options(formats)...)
	if err != nil {
		return nil, fmt.Errorf("CEL environment: %w", err)
	}
	l := &Language{formats: formats, base: base, calls: plan.NewFunctions(base)}
	if err := l.complete(); err != nil {
		return nil, fmt.Errorf("CEL environment: %w", err)
	}
	return l, nil
}

// complete derives the language from its environment.
func (l *Language) complete() (err error) {
	base := l.base
	_, issues := base.Compile("1 < 1.0")
	l.crossType = issues.Err() == nil
	l.strict = !slices.ContainsFunc(base.Validators(),
		func(v cel.ASTValidator) bool { return !slices.Contains(knownValidators(), v.Name()) })
	if l.syntax, err = parse.NewLanguage(base); err != nil {
		return err
	}
	if l.functions, err = checker.NewEnv(base.Container, base.CELTypeProvider()); err != nil {
		return err
	}
	if err := l.functions.AddIdents(base.Variables()...); err != nil {
		return err
	}
	for _, f := range base.Functions() {
		if f.IsDeclarationDisabled() {
			continue
		}
		if err := l.functions.AddFunctions(f); err != nil {
			return err
		}
	}
	return nil
}

// NewEnv makes an Env for the rules of one schema. perCall limits the cost of one evaluation.
func (l *Language) NewEnv(perCall uint64) *Env {
	return &Env{language: l, perCall: perCall, provider: types.NewProvider(l.base.CELTypeProvider()), work: newWork()}
}
