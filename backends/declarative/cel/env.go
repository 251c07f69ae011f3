package cel

import (
	"fmt"
	"slices"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/functions"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/diffrun/diffrun/backends/declarative/internal/pattern"
)

// Names of the variables of a rule.
const (
	self    = "self"
	oldSelf = "oldSelf"
)

// Config says how rules are compiled.
type Config struct {
	// Version is the version of Kubernetes whose libraries rules may use. Nil: all
	// that there are, as the API server does for rules that it has stored.
	Version *version.Version
	// PerCall bounds the cost of one evaluation.
	PerCall uint64
	// Formats are those that isFormat knows.
	Formats Formats
}

// Env compiles the rules of one schema. It belongs to one goroutine; the Programs
// it makes do not.
type Env struct {
	config    Config
	base      *cel.Env
	provider  *provider
	byType    map[string]*cel.Env // extended by the variables
	patterns  map[string]*pattern.Pattern
	overloads map[string]*functions.Overload // that plans call
	programs  map[compiled]*Program
	late      sync.Mutex // held when programs are made after Release
}

// NewEnv makes an Env.
func NewEnv(config Config) (*Env, error) {
	v := config.Version
	if v == nil {
		v = environment.DefaultCompatibilityVersion()
	} else if len(v.Components()) < 2 {
		return nil, fmt.Errorf("compatibility version %s: must have a major and a minor component", v)
	}
	set := environment.MustBaseEnvSet(v)
	base := set.NewExpressionsEnv()
	if config.Version == nil {
		base = set.StoredExpressionsEnv()
	}
	p := &provider{Provider: base.CELTypeProvider(), objects: map[string]*Shape{}, seen: map[*Shape]bool{}}
	options := slices.Concat(formatLibrary(config.Formats), selectorLibrary(), networkLibrary())
	base, err := base.Extend(append(options, utf8Library(), cel.CustomTypeProvider(p))...)
	if err != nil {
		return nil, fmt.Errorf("CEL environment: %w", err)
	}
	return &Env{config: config, base: base, provider: p, byType: map[string]*cel.Env{}, patterns: map[string]*pattern.Pattern{}, overloads: libraryOverloads(base), programs: map[compiled]*Program{}}, nil
}

// forRule is the environment of a rule on values of a shape. Making one is dear,
// so all rules on values of a type share it.
func (e *Env) forRule(s *Shape, optionalOld bool) (*cel.Env, error) {
	s.register(e.provider)
	old := s.Type()
	if optionalOld {
		old = cel.OptionalType(old)
	}
	key := s.Type().String() + " " + old.String()
	if env, ok := e.byType[key]; ok {
		return env, nil
	}
	env, err := e.base.Extend(cel.Variable(self, s.Type()), cel.Variable(oldSelf, old))
	if err != nil {
		return nil, fmt.Errorf("CEL environment: %w", err)
	}
	if e.byType != nil {
		e.byType[key] = env
	}
	return env, nil
}

// Release lets go of what is only needed to compile more rules.
func (e *Env) Release() {
	e.byType, e.programs, e.patterns, e.overloads = nil, nil, nil, nil
}
