package cases

import (
	"io"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/userfile"
)

// PolicyLoader loads the policies that guard the objects of resources. Package cases/admissionpolicies has one;
// this package does not import the API server's library that evaluates them. The error has the mistakes in the
// files, or is a LeftOutError.
type PolicyLoader func(files PolicyFiles, resources []serving.Resource) (*Policies, error)

// PolicyFiles are the files with policies of a world, by the kind of the policies, or the match conditions of a webhook.
type PolicyFiles struct {
	Validating, Mutating []PolicyFile
	Conditions           []admissionregistrationv1.MatchCondition
}

// PolicyFile is a file with policies, in YAML or JSON by its name.
type PolicyFile struct {
	Name string
	Data []byte
}

// Policies are the policies of a world. Both kinds are nil without files of theirs.
type Policies struct {
	Validating world.Policies
	Mutating   world.Mutations
	// Conditions are those of the webhook; nil: none.
	Conditions contract.MatchConditions
	// Unreached returns a mistake for each bound policy whose rules do not match; why ends its text.
	Unreached func(matches func(rules []admissionregistrationv1.RuleWithOperations) bool, why string) userfile.Mistakes
	// Warnings are about expressions that do not fit the schema.
	Warnings userfile.Mistakes
	// Expressions are the match conditions, validations and messages.
	Expressions []PolicyExpression
}

// PolicyExpression is a match condition, a validation or the message of one.
type PolicyExpression struct {
	Text string
	// Variables are the expressions that it may use as "variables.name".
	Variables map[string]string
	// Decides is false if the expression only makes a message.
	Decides bool
	// Parameters are the objects that it may read as "params".
	Parameters []map[string]any
}

// ClusterOpener opens a cluster that validates. The error may be a LeftOutError.
type ClusterOpener func(ClusterOptions) (Cluster, error)

// ClusterOptions selects a cluster.
type ClusterOptions struct {
	// Kubeconfig is a file; if empty, $KUBECONFIG or ~/.kube/config.
	Kubeconfig string
	// Context is a context of that file; if empty, the current one.
	Context string
	// Namespace is the scratch namespace; if empty, nothing is created, updated or deleted.
	Namespace string
}

// Cluster validates with the API server of a cluster.
type Cluster interface {
	harness.Backend
	io.Closer
	// Intent describes what requests do, in one sentence.
	Intent() string
}

// LeftOutError is the error of a part that the program was built without.
type LeftOutError struct {
	// Advice says why, and how to get a program with it.
	Advice string
}

func (e *LeftOutError) Error() string { return e.Advice }
