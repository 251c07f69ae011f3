package words

// StoredRequest is a request that an object must survive once it is stored. If it is refused, the
// object cannot be repaired, or cannot be deleted.
type StoredRequest string

// The requests on stored objects.
const (
	NoOpUpdate       StoredRequest = "no-op update"
	LabelChange      StoredRequest = "label change"      // adds one
	FinalizerRemoval StoredRequest = "finalizer removal" // all finalizers of an object that is being deleted
	StatusUpdate     StoredRequest = "status update"     // changes nothing
	Deletion         StoredRequest = "deletion"
)

// StoredRequests lists all requests on stored objects, in the order in which a schema is asked about
// them.
func StoredRequests() []StoredRequest {
	return []StoredRequest{NoOpUpdate, LabelChange, FinalizerRemoval, StatusUpdate, Deletion}
}
