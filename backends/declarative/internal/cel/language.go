package cel

import (
	"fmt"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/functions"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/parse"
)

// Language is all that does not depend on a schema: functions, macros, types. It is dear
// to make and safe for use by many goroutines.
type Language struct {
	formats   Formats
	base      *cel.Env
	functions *checker.Env
	crossType bool // numbers of different types can be compared
	syntax    *parse.Language
	overloads map[string]*functions.Overload // that plans call
	// functionTable is what this package knows of functions, by name.
	functionTable map[string]function
	// strict says that nothing is checked after the types that isPlain does not know.
	strict bool
}

// NewLanguage makes the language of a version of Kubernetes, with formats that isFormat
// knows. Without a version rules may use every library, as rules that the API server has
// stored.
func NewLanguage(v *version.Version, formats Formats) (*Language, error) {
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
	options := slices.Concat(formatLibrary(formats), selectorLibrary(), networkLibrary(), []cel.EnvOption{utf8Library()})
	base, err := base.Extend(options...)
	if err != nil {
		return nil, fmt.Errorf("CEL environment: %w", err)
	}
	l := &Language{formats: formats, base: base, functionTable: functionTable()}
	l.overloads = libraryOverloads(base, l.functionTable)
	_, issues := base.Compile("1 < 1.0")
	l.crossType = issues.Err() == nil
	l.strict = !slices.ContainsFunc(base.Validators(), func(v cel.ASTValidator) bool { return !slices.Contains(knownValidators(), v.Name()) })
	if l.syntax, err = parse.NewLanguage(base); err != nil {
		return nil, fmt.Errorf("CEL environment: %w", err)
	}
	if l.functions, err = checker.NewEnv(base.Container, base.CELTypeProvider()); err != nil {
		return nil, fmt.Errorf("CEL environment: %w", err)
	}
	if err := l.functions.AddIdents(base.Variables()...); err != nil {
		return nil, fmt.Errorf("CEL environment: %w", err)
	}
	for _, f := range base.Functions() {
		if f.IsDeclarationDisabled() {
			continue
		}
		if err := l.functions.AddFunctions(f); err != nil {
			return nil, fmt.Errorf("CEL environment: %w", err)
		}
	}
	return l, nil
}

// NewEnv makes an Env for the rules of one schema. perCall bounds the cost of one
// evaluation.
func (l *Language) NewEnv(perCall uint64) *Env {
	return &Env{language: l, perCall: perCall, provider: newProvider(l.base.CELTypeProvider()), work: newWork()}
}
