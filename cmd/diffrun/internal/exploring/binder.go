package exploring

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
)

// binder binds cases of a suite, and has the schemas that were compiled for them.
type binder struct {
	bind    func(harness.Case) ([]cases.Event, error)
	schemas map[schema.GroupVersionKind]cases.CompiledSchema
}

func newBinder(suite *cases.Suite, options cases.JobOptions) *binder {
	options.SkipMissing, options.Schemas = false, true
	return &binder{bind: suite.Binder(options), schemas: map[schema.GroupVersionKind]cases.CompiledSchema{}}
}

// job returns the job of a case.
func (b *binder) job(c harness.Case) (job harness.Job, err error) {
	defer contract.Recover(&err)
	events, err := b.bind(c)
	for _, event := range events {
		switch event := event.(type) {
		case cases.CompiledSchema:
			b.schemas[event.Version] = event
		case cases.BrokenSchema:
			err = errors.Join(err, event.Err)
		case cases.Job:
			job = event.Job
		}
	}
	if err == nil && job.Harness == nil {
		err = errors.New("the suite does not compare it")
	}
	return job, err
}

// schema returns the schema of a version, which it compiles if needed. Compiling all bundled
// schemas at the start would take a minute.
func (b *binder) schema(version schema.GroupVersionKind) (cases.CompiledSchema, error) {
	if compiled, is := b.schemas[version]; is {
		return compiled, nil
	}
	if _, err := b.job(harness.Case{ID: "schema", Version: version, Object: map[string]any{}}); err != nil {
		return cases.CompiledSchema{}, err
	}
	compiled, is := b.schemas[version]
	if !is {
		return compiled, fmt.Errorf("%s has %w to make objects from", apiname.Target(version), errNoSchema)
	}
	return compiled, nil
}

// isDefinition reports whether the schema of a version is that of a CustomResourceDefinition.
func (b *binder) isDefinition(version schema.GroupVersionKind) bool {
	compiled, err := b.schema(version)
	return err == nil && compiled.Definition
}

// hasStatus reports whether a version has a status that is updated alone.
func (b *binder) hasStatus(version schema.GroupVersionKind) bool {
	object := map[string]any{}
	object["apiVersion"], object["kind"] = version.ToAPIVersionAndKind()
	compiled, err := b.schema(version)
	if err != nil || compiled.Document.Root == nil {
		return false
	}
	if _, declared := compiled.Document.Root.Properties["status"]; !declared {
		return false
	}
	job, err := b.job(harness.Case{ID: "status", Version: version, Subresource: "status", Object: object, Old: object})
	return err == nil && job.Case.Fault == nil
}
