package harness

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/diffrun/diffrun/internal/objectmeta"
)

// StoredRequest is a request that an object must survive once it is stored. If it is refused, nobody
// can repair the object, or nobody can delete it.
type StoredRequest string

const (
	noOpUpdate       StoredRequest = "no-op update"
	labelChange      StoredRequest = "label change"      // adds one
	finalizerRemoval StoredRequest = "finalizer removal" // all finalizers of an object that is being deleted
	statusUpdate     StoredRequest = "status update"     // changes nothing
	deletion         StoredRequest = "deletion"
)

// StoredRequests lists all requests on stored objects, in the order in which a schema is asked about
// them: "no-op update", "label change", "finalizer removal", "status update" without a change, and
// "deletion".
func StoredRequests() []StoredRequest {
	return []StoredRequest{noOpUpdate, labelChange, finalizerRemoval, statusUpdate, deletion}
}

// addStored asks the schema side about the stored objects of a case, whose results are those of versions: the old
// one, and the new one in each version in which the native side accepts it. It returns the results, and for each version that
// of the first object that is stuck. The native side is asked only about what the schema side refuses. A
// running API server on the schema side is not asked: each request would have to store the object first.
func (h *Harness) addStored(ctx context.Context, results []Result, versions []Version, decoded pair) []Result {
	if !h.options.Stored || h.options.Self != "" || !results[0].Case.hasStored() {
		return results
	}
	for i, version := range versions {
		if _, declarative := h.backends(version); declarative.can.RawDocuments {
			continue
		}
		for _, object := range h.storedObjects(&results[i], decoded) {
			if stuck, is := h.askStored(ctx, &results[i], object, version); is {
				results = append(results, stuck)
				break
			}
		}
	}
	return results
}

// hasStored reports whether the objects of a case are documents of the kind, which requests can be
// made of.
func (c *Case) hasStored() bool {
	_, isDocument := c.Object.(map[string]any)
	return isDocument && c.Fault == nil && c.Path == nil && (c.Subresource == "" || c.Subresource == statusName)
}

const statusName = "status"

// storedObject is an object that a cluster has.
type storedObject struct {
	document map[string]any
	decoded  any
}

// storedObjects returns the objects of a result that a cluster has, before or after the request. If nothing
// converts the objects, the native side drops and defaults fields itself, and says what it would store.
func (h *Harness) storedObjects(r *Result, decoded pair) (objects []storedObject) {
	if r.Fault != nil || r.Inexpressible != "" {
		return nil
	}
	if old, isDocument := r.Case.Old.(map[string]any); isDocument {
		objects = append(objects, storedObject{old, decoded.old})
	}
	accepted := r.Effect != "" && !r.Native.refuses() && r.Case.Subresource == ""
	object := storedObject{r.Case.Object.(map[string]any), decoded.object}
	if h.scheme.WrittenOnly && r.Native.stored != nil {
		object = storedObject{r.Native.stored, r.Native.stored}
	}
	if r.Case.Deletes || accepted {
		objects = append(objects, object)
	}
	return objects
}

// askStored returns the result of the first request on a stored object that only the schema side
// refuses; one that no exception accepts goes first. The result names all of these requests.
func (h *Harness) askStored(ctx context.Context, of *Result, object storedObject, version Version) (worst Result, is bool) {
	var stuck []Result
	var names []StoredRequest
	for _, request := range StoredRequests() {
		if result, is := h.checkStored(ctx, of, request, object, version); is {
			stuck, names = append(stuck, result), append(names, request)
		}
	}
	if len(stuck) == 0 {
		return Result{}, false
	}
	worst = slices.MaxFunc(stuck, func(a, b Result) int {
		return cmp.Compare(slices.Index(Verdicts(), a.Verdict), slices.Index(Verdicts(), b.Verdict))
	})
	worst.Stuck = names
	if h.options.Ledger != nil {
		h.options.Ledger.Record(worst.Pairs)
	}
	return worst, true
}

// checkStored asks the schema side about a request, and both sides if it refuses the request. It
// returns false if the native side refuses it too. A request without a verdict counts as accepted: the
// kind may have no status, and a webhook that is never called for a deletion may not know one.
func (h *Harness) checkStored(ctx context.Context, of *Result, request StoredRequest, object storedObject, version Version) (Result, bool) {
	c := request.on(of.Case, object.document)
	objects, fault := h.readStored(ctx, &c, object)
	if fault != nil {
		return Result{}, false
	}
	native, declarative := h.backends(version)
	ready, fault := guarded(ctx, h.options.guard(), "the objects were not converted", func(context.Context) (converted, error) {
		return h.convert(objects, version, &c, native)
	})
	if fault != nil {
		return Result{}, false
	}
	answer := h.options.guard().ask(ctx, declarative, ready.in)
	switch {
	case answer.Fault != nil:
		return Result{}, false
	case len(answer.Errors) == 0:
		h.noteRatcheting(ctx, of, &c, declarative, ready.in)
		return Result{}, false
	}
	again := &Harness{target: h.target, scheme: h.scheme, options: h.options, matchers: h.matchers}
	again.options.Ledger, again.options.Stored = nil, false
	results, err := again.check(ctx, c, []Version{version}, h.scheme.Complete)
	if err != nil {
		return Result{}, false
	}
	return results[0], results[0].Effect == Stuck
}

// noteRatcheting notes in the result of a refused create whether the schema side accepts a no-op
// update of the object because it ignores unchanged values.
func (h *Harness) noteRatcheting(ctx context.Context, of *Result, c *Case, declarative capableBackend, in *Input) {
	if c.stored != noOpUpdate || of.Effect != Refuses {
		return
	}
	errs, fault := h.withoutRatcheting(ctx, declarative, in)
	of.Ratcheted = fault == nil && len(errs) > 0
}

// readStored decodes and defaults the objects of a request on a stored object. If the stored object was decoded
// as a Go type that Default leaves as it is (SchemeCapabilities.Defaulted), the request changes it instead
// of the document, which takes a tenth of the time.
func (h *Harness) readStored(ctx context.Context, c *Case, of storedObject) (stages, *Fault) {
	typed, isTyped := of.decoded.(typedObject)
	if !isTyped || h.scheme.Defaulted == nil || !hasPlainMetadata(of.document) || h.target.fits(c) != nil {
		return h.prepare(ctx, c, h.scheme.Complete)
	}
	return h.read(ctx, c, h.scheme.Complete, func(*Case) (pair, error) {
		object, old := onObject(c.stored, typed, func(of typedObject, change func(metav1.Object)) typedObject {
			changed := of.DeepCopyObject().(typedObject)
			change(changed)
			return changed
		})
		if c.Old == nil {
			return pair{object: object}, nil
		}
		return pair{object, old}, nil
	})
}

// typedObject is an object of a Go type.
type typedObject interface {
	runtime.Object
	metav1.Object
}

// hasPlainMetadata reports whether requests on stored objects surely change the metadata of a document as that of
// its Go type. A document may also have null in place of a text, or a float64 in place of an integer, with which
// objectmeta.Change changes nothing.
func hasPlainMetadata(document map[string]any) bool {
	metadata, isObject := document["metadata"].(map[string]any)
	labels, hasLabels := metadata["labels"].(map[string]any)
	finalizers, hasFinalizers := metadata["finalizers"].([]any)
	if !isObject || !hasLabels && metadata["labels"] != nil || !hasFinalizers && metadata["finalizers"] != nil {
		return false
	}
	for _, name := range []string{"generation", "deletionGracePeriodSeconds"} {
		if _, isFloat := metadata[name].(float64); isFloat {
			return false
		}
	}
	for _, label := range labels {
		if _, isText := label.(string); !isText {
			return false
		}
	}
	return !slices.ContainsFunc(finalizers, func(item any) bool { _, isText := item.(string); return !isText })
}

// on returns the case of a request on a stored object of another case.
func (s StoredRequest) on(of *Case, document map[string]any) Case {
	object, old := onObject(s, document, func(document map[string]any, change func(metav1.Object)) map[string]any {
		return objectmeta.Change(document, func(o *unstructured.Unstructured) { change(o) })
	})
	c := Case{
		ID: of.ID + " (" + string(s) + ")", Source: of.Source, Number: of.Number, Version: of.Version, Object: object, Old: old,
		ExactNumbers: of.ExactNumbers, Cluster: of.Cluster, User: of.User, stored: s,
		Why: "the object is stored; " + string(s),
	}
	switch s {
	case statusUpdate:
		c.Subresource = statusName
	case deletion:
		c.Old, c.Deletes = nil, true
	}
	return c
}

// onObject returns the object of a request on a stored object, and the stored one. changed returns a changed
// copy of an object.
func onObject[Object any](s StoredRequest, object Object, changed func(Object, func(metav1.Object)) Object) (sent, stored Object) {
	stored = changed(object, func(o metav1.Object) {
		if o.GetResourceVersion() == "" {
			o.SetResourceVersion("1")
		}
		if o.GetName() == "" && o.GetGenerateName() != "" {
			o.SetName(objectmeta.GeneratedName(o.GetGenerateName()))
		}
	})
	switch s {
	case labelChange:
		return changed(stored, func(o metav1.Object) {
			labels := o.GetLabels()
			if labels == nil {
				labels = map[string]string{}
			}
			labels["changed"] = "yes"
			o.SetLabels(labels)
		}), stored
	case finalizerRemoval:
		stored = changed(stored, func(o metav1.Object) {
			deleted := deletedAt
			o.SetDeletionTimestamp(&deleted)
			o.SetDeletionGracePeriodSeconds(new(int64))
			if len(o.GetFinalizers()) == 0 {
				o.SetFinalizers([]string{"example.com/held"})
			}
		})
		return changed(stored, func(o metav1.Object) { o.SetFinalizers(nil) }), stored
	}
	return stored, stored
}

// OnStored returns the sentence of a result about stored objects: which requests only the schema side
// refuses, or that ratcheting keeps them editable. It is empty if there is nothing to say.
func (r *Result) OnStored() string {
	switch {
	case len(r.Stuck) > 0:
		names := make([]string, len(r.Stuck))
		for i, request := range r.Stuck {
			names[i] = string(request)
		}
		return "refused once the object is stored: " + strings.Join(names, ", ")
	case r.Effect == Stuck:
		return "refused once the object is stored: " + string(r.Stored)
	case r.Ratcheted && r.Effect == Refuses:
		return "a stored object stays editable: ratcheting accepts what an update does not change"
	}
	return ""
}

// deletedAt is when an object was deleted that waits for its finalizers, in the zone in which it is decoded.
var deletedAt = metav1.NewTime(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC).Local())

// storedRequestOf returns the request that an input is; empty: it changes more of the object than a
// stored one must survive.
func storedRequestOf(c *Case, in *Input) StoredRequest {
	switch {
	case c.stored != "":
		return c.stored
	case in.Operation == admissionv1.Delete:
		return deletion
	case in.Operation != admissionv1.Update || in.Subresource != "" && in.Subresource != statusName || in.Part != "":
		return ""
	}
	object, old, err := Read(in, (*View).Unstructured)
	if err != nil {
		return ""
	}
	rest, finalizers := withoutBookkeeping(object)
	before, held := withoutBookkeeping(old)
	switch {
	case !reflect.DeepEqual(rest, before):
		return ""
	case in.Subresource != "":
		return statusUpdate
	case len(finalizers) == 0 && len(held) > 0:
		return finalizerRemoval
	case slices.Equal(finalizers, held):
		return noOpUpdate
	}
	return ""
}

// withoutBookkeeping returns a document without the metadata that the server sets itself, and its
// finalizers apart.
func withoutBookkeeping(document map[string]any) (rest map[string]any, finalizers []string) {
	rest = objectmeta.Change(document, func(o *unstructured.Unstructured) {
		finalizers = o.GetFinalizers()
		for _, name := range append([]string{"finalizers"}, bookkeeping...) {
			unstructured.RemoveNestedField(o.Object, "metadata", name)
		}
	})
	return rest, finalizers
}
