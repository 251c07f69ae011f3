package harness

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness/contract"
)

func subject(in *Input) equivalence.Subject {
	return equivalence.Subject{GroupVersionKind: in.Version, Operation: string(in.Operation), Subresource: in.Subresource}
}

// writtenIn reports whether a case is a document of a version.
func writtenIn(c *Case, sent pair, version schema.GroupVersionKind) bool {
	document, isDocument := sent.object.(map[string]any)
	if !isDocument {
		return false
	}
	written, err := versionOf(c, document)
	return err == nil && written == version
}

// InputOf returns a case for a backend of one version, with its objects as they are.
func (c *Case) InputOf(version Version) *Input { return input(pair{c.Object, c.Old}, version, c) }

// input returns the Input of objects in one version.
func input(objects pair, version Version, c *Case) *Input {
	in := &Input{
		Request: c.request(version.GroupVersionKind),
		Case:    c.ID,
		Stored:  c.stored,
		Object:  contract.NewView(objects.object),
		Cluster: c.Cluster,
	}
	in.Resource = version.resource()
	if objects.old != nil {
		in.Old = contract.NewView(objects.old)
	}
	if c.Deletes {
		in.Object, in.Old = nil, in.Object
	}
	return in
}
