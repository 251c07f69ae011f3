package casefile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

// requests turns recorded requests into cases: events of an audit log of the API server (audit.k8s.io/v1) and
// AdmissionReviews (admission.k8s.io). Many requests in a log have no object; their fault is a
// NotACaseError.
type requests struct {
	// stored are the last objects in the log by their keys, for updates: the log of an update has
	// only the object of the request.
	stored map[string]map[string]any
	// order has the keys of stored, the oldest first.
	order []string
}

// maxStored is the number of objects of a log that are stored.
const maxStored = 1000

// NotACaseError says why a recorded request is not a case. The reason is empty if another event is
// about the same request.
type NotACaseError struct{ Reason string }

func (e *NotACaseError) Error() string { return e.Reason }

// recordedRequest is the part of both kinds of records that is read.
type recordedRequest struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`

	// The fields of an audit event.
	AuditID        string         `json:"auditID"`
	Stage          string         `json:"stage"`
	Level          string         `json:"level"`
	Verb           string         `json:"verb"`
	RequestObject  map[string]any `json:"requestObject"`
	ResponseObject map[string]any `json:"responseObject"`
	ObjectRef      struct {
		Resource    string `json:"resource"`
		Namespace   string `json:"namespace"`
		Name        string `json:"name"`
		APIGroup    string `json:"apiGroup"`
		APIVersion  string `json:"apiVersion"`
		Subresource string `json:"subresource"`
	} `json:"objectRef"`

	// The field of an AdmissionReview.
	Request *struct {
		UID         string         `json:"uid"`
		Operation   string         `json:"operation"`
		Name        string         `json:"name"`
		Namespace   string         `json:"namespace"`
		SubResource string         `json:"subResource"`
		Object      map[string]any `json:"object"`
		OldObject   map[string]any `json:"oldObject"`
	} `json:"request"`
}

// mayBeRequest reports whether a line may be a recorded request, without decoding it.
func mayBeRequest(line []byte) bool {
	return bytes.Contains(line, []byte(`"AdmissionReview"`)) || bytes.Contains(line, []byte(`"audit.k8s.io/`))
}

// read returns the case of a line. found is false if the line is not a recorded request. The error is a
// *NotACaseError or a mistake in the line.
func (r *requests) read(line []byte) (c harness.Case, found bool, err error) {
	if !mayBeRequest(line) {
		return c, false, nil
	}
	var record recordedRequest
	unread := kjson.UnmarshalCaseSensitivePreserveInts(line, &record)
	isReview := isReviewType(record.APIVersion, record.Kind)
	isEvent := record.Kind == "Event" && strings.HasPrefix(record.APIVersion, "audit.k8s.io/")
	switch {
	case !isReview && !isEvent:
		return c, false, nil // the reader of cases reports it
	case unread != nil:
		return c, true, fmt.Errorf("the %s cannot be read: %w", record.Kind, jsonerrors.In(line, unread, "the line"))
	case isReview:
		c, err = record.review()
	default:
		c, err = r.event(&record)
	}
	return c, true, err
}

// Review returns the case of an AdmissionReview; see cases.Review. If the request has no object, the
// fault is a NotACaseError.
func Review(review []byte) (c harness.Case) {
	err := error(nil)
	func() {
		defer contract.Recover(&err)
		found := false
		if c, found, err = (&requests{}).read(review); !found && err == nil {
			err = errors.New("it is not an AdmissionReview")
		}
	}()
	c.Source, c.ExactNumbers = "a request", true
	c.ID = cmp.Or(c.ID, c.Source)
	if panicked := (*contract.Fault)(nil); errors.As(err, &panicked) {
		c.Fault = panicked
	} else if err != nil {
		c.Fault = Faultf("%w", err)
	} else {
		c.Fault = bounded(&c)
	}
	return c
}

func isReviewType(apiVersion, kind string) bool {
	return kind == "AdmissionReview" && strings.HasPrefix(apiVersion, "admission.k8s.io/")
}

// isReview reports whether the object of a manifest is an AdmissionReview.
func isReview(object map[string]any) bool {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	return isReviewType(apiVersion, kind)
}

// reviewed returns the case of an AdmissionReview in a manifest. People write them by hand, for gator, and
// leave out the old object of an update: it is then an update that changes nothing.
func reviewed(c harness.Case, review map[string]any) harness.Case {
	if request, _ := review["request"].(map[string]any); request["operation"] == string(admissionv1.Update) && request["oldObject"] == nil {
		request = maps.Clone(request)
		request["oldObject"] = request["object"]
		review = maps.Clone(review)
		review["request"] = request
	}
	line, err := json.Marshal(review)
	of, _, unread := (&requests{}).read(line)
	if err = cmp.Or(err, unread); err != nil {
		of.Fault = Faultf("%w", err)
	}
	of.ID, of.Source = cmp.Or(of.ID, c.ID), c.Source
	return of
}

// review returns the case of an AdmissionReview.
func (record *recordedRequest) review() (harness.Case, error) {
	request := record.Request
	if request == nil {
		return harness.Case{}, errors.New("the AdmissionReview has no request")
	}
	c := harness.Case{ID: request.UID, Subresource: request.SubResource}
	switch request.Operation {
	case string(admissionv1.Create), string(admissionv1.Update):
		c.Object = present(request.Object)
		if request.OldObject != nil {
			c.Old = request.OldObject
		}
	case string(admissionv1.Delete):
		c.Object, c.Deletes = present(request.OldObject), true
	case string(admissionv1.Connect):
		c.Object, c.Connects = present(request.Object), true
		c.RequestName, c.RequestNamespace = request.Name, request.Namespace
	default:
		return c, &NotACaseError{Reason: fmt.Sprintf("the operation %q is not CREATE, UPDATE, DELETE or CONNECT", request.Operation)}
	}
	switch {
	case c.Object == nil:
		return c, &NotACaseError{Reason: "the request has no object"}
	case request.Operation == string(admissionv1.Update) && c.Old == nil:
		return c, &NotACaseError{Reason: "the update has no old object"}
	}
	return c, nil
}

// event returns the case of an audit event, and stores the object in it.
func (r *requests) event(record *recordedRequest) (harness.Case, error) {
	c := harness.Case{ID: record.AuditID, Subresource: record.ObjectRef.Subresource}
	if record.Stage != "ResponseComplete" {
		return c, &NotACaseError{} // each request has an event of that stage
	}
	key := record.objectKey()
	old := r.stored[key]
	if isObject(record.ResponseObject) && (c.Subresource == "" || c.Subresource == subresource.StatusName) {
		r.store(key, record.ResponseObject)
	}
	switch record.Verb {
	case "create":
		if record.ObjectRef.Name != "" && c.Subresource != "" {
			return c, &NotACaseError{Reason: fmt.Sprintf("a create of the subresource %q", c.Subresource)}
		}
	case "update":
		if old == nil {
			return c, &NotACaseError{Reason: "the log does not show the object before the update; audit level RequestResponse does, " +
				"from its last change on"}
		}
		c.Old = old
	default:
		return c, &NotACaseError{Reason: "the verb is not create or update"}
	}
	if record.RequestObject == nil {
		return c, &NotACaseError{Reason: "the event has no requestObject; audit levels Request and RequestResponse do"}
	}
	c.Object = named(record.RequestObject, record.ObjectRef.Namespace, record.ObjectRef.Name)
	return c, nil
}

// objectKey returns a key of the object of an audit event. If the API server generated its name, only the
// response has it.
func (record *recordedRequest) objectKey() string {
	ref, name := record.ObjectRef, record.ObjectRef.Name
	if name == "" && isObject(record.ResponseObject) {
		name = (&unstructured.Unstructured{Object: record.ResponseObject}).GetName()
	}
	return strings.Join([]string{ref.APIGroup, ref.APIVersion, ref.Resource, ref.Namespace, name}, "/")
}

// store stores an object of the log.
func (r *requests) store(key string, object map[string]any) {
	if r.stored == nil {
		r.stored = map[string]map[string]any{}
	}
	if _, known := r.stored[key]; !known {
		if r.order = append(r.order, key); len(r.order) > maxStored {
			delete(r.stored, r.order[0])
			r.order = r.order[1:]
		}
	}
	r.stored[key] = object
}

// isObject reports whether a response is an object and not the refusal of a request.
func isObject(response map[string]any) bool {
	return response != nil && response["kind"] != "Status"
}

// named returns an object with the namespace and name in the path of its request.
func named(object map[string]any, namespace, name string) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	object, metadata = maps.Clone(object), maps.Clone(metadata)
	if metadata == nil {
		metadata = map[string]any{}
	}
	for key, value := range map[string]string{"namespace": namespace, "name": name} {
		if _, said := metadata[key]; !said && value != "" && (key != "name" || metadata["generateName"] == nil) {
			metadata[key] = value
		}
	}
	object["metadata"] = metadata
	return object
}

// present returns an object, or nil without a type.
func present(object map[string]any) any {
	if object == nil {
		return nil
	}
	return object
}
