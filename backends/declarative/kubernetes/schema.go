package kubernetes

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	openapiutil "k8s.io/kube-openapi/pkg/util"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/openapi"
)

//go:embed schemas/*.json gates/*.json tags
var files embed.FS

// ErrUnknownKind means that there is no schema of a kind. It is a contract.ErrNotOffered.
var ErrUnknownKind error = unknownKind{}

type unknownKind struct{}

func (unknownKind) Error() string { return "no built-in schema" }

func (unknownKind) Is(other error) bool { return other == contract.ErrNotOffered }

// A Library holds the schemas of Kubernetes' kinds. It parses the file of a Go package when a kind
// first needs it. It is safe for concurrent use. The schemas that it returns are shared and must not
// be changed.
type Library struct {
	served  []served
	folders []string // the files of the first have precedence
	mu      sync.Mutex
	parsed  map[string]map[string]*spec.Schema // by package prefix, then definition name
	answers map[question]answer
	gates   map[string]map[string]*spec.Schema // the definitions that another state of a gate changes, by gate
}

// question is a kind, and the gates that are not in their default state.
type question struct {
	schema.GroupVersionKind
	gates string
}

type answer struct {
	root        *spec.Schema
	definitions map[string]*spec.Schema
}

// NewLibrary returns a library that parses files on first use.
func NewLibrary() *Library {
	return newLibrary(allServed(), "schemas")
}

func newLibrary(of []served, folders ...string) *Library {
	return &Library{
		served:  of,
		folders: folders,
		parsed:  map[string]map[string]*spec.Schema{},
		answers: map[question]answer{},
		gates:   map[string]map[string]*spec.Schema{},
	}
}

// Schema returns the schema of a kind and the definitions of its $refs by name, without
// "#/definitions/". It returns ErrUnknownKind for a kind that [Kinds] does not list.
func (l *Library) Schema(gvk schema.GroupVersionKind) (*spec.Schema, map[string]*spec.Schema, error) {
	return l.SchemaWith(gvk, nil)
}

// SchemaWith is Schema for gates that are not in their default state; see [Gates].
func (l *Library) SchemaWith(gvk schema.GroupVersionKind, gates []string) (*spec.Schema, map[string]*spec.Schema, error) {
	goPackage := packageOf(l.served, gvk)
	if goPackage == "" {
		return nil, nil, fmt.Errorf("%s: %w; %s", gvk, ErrUnknownKind, instead(l.served, gvk))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	asked := question{gvk, joined(gates)}
	if found, ok := l.answers[asked]; ok {
		return found.root, found.definitions, nil
	}
	name := openapiutil.ToRESTFriendlyName(goPackage + "." + gvk.Kind)
	definitions := map[string]*spec.Schema{}
	if err := l.collect(name, definitions, gates...); err != nil {
		return nil, nil, fmt.Errorf("schema of %s: %w", gvk, err)
	}
	l.answers[asked] = answer{definitions[name], definitions}
	return definitions[name], definitions, nil
}

// Definition returns a definition that is not a kind, named as "v1 PodTemplateSpec" or by its
// published name, "io.k8s.api.core.v1.PodTemplateSpec". It returns ErrUnknownKind for a name that
// no kind reaches.
func (l *Library) Definition(gvk schema.GroupVersionKind, published string) (*spec.Schema, map[string]*spec.Schema, error) {
	candidates := []string{published}
	if published == "" {
		candidates = nil
		for _, goPackage := range packagesOf(gvk.GroupVersion()) {
			candidates = append(candidates, openapiutil.ToRESTFriendlyName(goPackage+"."+gvk.Kind))
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range candidates {
		definitions := map[string]*spec.Schema{}
		if !strings.Contains(name, ".") || l.collect(name, definitions) != nil {
			continue
		}
		return definitions[name], definitions, nil
	}
	return nil, nil, ErrUnknownKind
}

// collect adds a definition and all that it refers to.
func (l *Library) collect(name string, into map[string]*spec.Schema, gates ...string) error {
	if into[name] != nil {
		return nil
	}
	found, err := l.definition(name)
	for _, gate := range gates {
		changed, unread := l.changedBy(gate)
		if err = errors.Join(err, unread); changed[name] != nil {
			found = changed[name]
		}
	}
	if err != nil {
		return err
	}
	into[name] = found
	var failed error
	for other := range openapi.ReferencedDefinitions(found) {
		failed = errors.Join(failed, l.collect(other, into, gates...))
	}
	return failed
}

// definition finds one definition in the file of its Go package, whose name is
// all of the definition's but the last part.
func (l *Library) definition(name string) (*spec.Schema, error) {
	prefix := name[:strings.LastIndex(name, ".")]
	if l.parsed[prefix] == nil {
		data, err := l.read(prefix + ".json")
		if err != nil {
			return nil, err
		}
		var read map[string]*spec.Schema
		if err := json.Unmarshal(data, &read); err != nil {
			return nil, fmt.Errorf("%s.json: %w", prefix, err)
		}
		l.parsed[prefix] = read
	}
	found, ok := l.parsed[prefix][name]
	if !ok {
		return nil, fmt.Errorf("%s.json has no definition %s: run go generate", prefix, name)
	}
	return found, nil
}

// read reads a file from the first folder that has it.
func (l *Library) read(name string) (data []byte, err error) {
	for _, folder := range l.folders {
		if data, err = fs.ReadFile(files, folder+"/"+name); err == nil {
			return data, nil
		}
	}
	return nil, err
}

// instead returns a hint about the available schemas: those of the kind in other versions, or else
// those of the group.
func instead(of []served, asked schema.GroupVersionKind) string {
	var sameKind, sameGroup []string
	for _, gvk := range kindsOf(of) {
		name := gvk.GroupVersion().String() + " " + gvk.Kind
		if gvk.Kind == asked.Kind {
			sameKind = append(sameKind, name)
		}
		if gvk.Group == asked.Group {
			sameGroup = append(sameGroup, name)
		}
	}
	switch {
	case len(sameKind) > 0:
		return "there are " + strings.Join(sameKind, ", ")
	case len(sameGroup) > 0:
		return "of its group there are " + strings.Join(sameGroup, ", ")
	}
	return "docs/reference/kinds.md lists the kinds that have one"
}
