package evidence

import (
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
)

// Target is a version of a kind whose native validator knows more than its schema.
type Target struct {
	Version schema.GroupVersionKind
	// Harness compares both validators, and HarnessOptions are its options. Like is a case of it
	// without objects.
	Harness        *harness.Harness
	HarnessOptions harness.Options
	Like           harness.Case
	// Sides are the names of the two sides for people.
	Sides contract.SideNames
	// Document is the schema, and Props the same without references.
	Document tally.Document
	Props    *apiextensionsv1.JSONSchemaProps
	// File is the file with the definition, and Data its text. Instead, GoPackage is the package of the Go type that
	// the schema is from: the rules become an overlay.
	File      string
	Data      []byte
	GoPackage string
	// Policies reads the text of ValidatingAdmissionPolicies, with which the harness compares; nil: none are proposed, because
	// the target is no world.
	Policies func(data []byte) (world.Policies, error)
	// Starts are the inputs of the cases.
	Starts []explore.Input
	// Cases are those of the suite, with who sends them and what else is in the cluster. What is proposed must agree with them.
	Cases []harness.Case
	// Readings are what the source of the native validator says, if it is in reach.
	Readings []*Reading
	// Object is the identity of objects that are made where the cases have none.
	Object generate.ObjectOptions
}

// Options control Run.
type Options struct {
	Seed     uint64
	Parallel int
	// Inputs is how many inputs each exploration asks about at most; zero: 20,000.
	Inputs int
	// Origins returns for each error of an answer the place in the source that made it; nil: unknown. Executed is what the
	// input executed (harness.Outcome). It is errorsites.Counter.Sites, or nil.
	Origins func(executed map[int]int, errs field.ErrorList) []*errorsites.Site
	// Progress is called with what is done now. Optional.
	Progress func(text string)
	// Deadline is when to stop; zero: never. The report says that the time was over.
	Deadline time.Time
	// SavedRun is a file that keeps what a run found that did not end, for the next one; empty: nothing is kept.
	SavedRun string
}

// Example is an input.
type Example struct {
	Object map[string]any `json:"object"`
	Old    map[string]any `json:"oldObject,omitempty"`
	// User sends it, if that matters, and Cluster are other objects in the cluster.
	User    *harness.User    `json:"user,omitempty"`
	Cluster []map[string]any `json:"cluster,omitempty"`
}

func ExampleOf(in explore.Input) *Example { return &Example{Object: in.Object, Old: in.Old} }
