package harness

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// addStored asks the schema side about the stored objects of a case, whose results are those of versions: the old
// one, and the new one in each version in which the native side accepts it. It returns the results, and for each version that
// of the first object that is stuck. The native side is asked only about what the schema side refuses. A
// running API server on the schema side is not asked: each request would have to store the object first.
func (h *Harness) addStored(ctx context.Context, results []Result, versions []Version, decoded pair) []Result {
	if !h.options.Stored || h.options.Self != "" || !results[0].Case.hasStored() {
		return results
	}
	for i, version := range versions {
		native, declarative := h.backends(version)
		if declarative.can.RawDocuments {
			continue
		}
		for _, object := range h.storedObjects(&results[i], decoded) {
			asked := storedAsker{Harness: h, object: object, of: &results[i], version: version, native: native, declarative: declarative}
			if stuck, is := asked.ask(ctx); is {
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

// storedAsker asks the schema side of one version about the requests on one stored object.
type storedAsker struct {
	*Harness
	object              storedObject
	of                  *Result
	version             Version
	native, declarative capableBackend
	// unchanged is the no-op update that was asked about, if other requests share its objects.
	unchanged *Input
}

// ask returns the result of the first request on a stored object that only the schema side
// refuses; one that no exception accepts goes first. The result names all of these requests.
func (a *storedAsker) ask(ctx context.Context) (worst Result, is bool) {
	var stuck []Result
	var names []words.StoredRequest
	for _, request := range words.StoredRequests() {
		if result, is := a.check(ctx, request); is {
			stuck, names = append(stuck, result), append(names, request)
		}
	}
	if len(stuck) == 0 {
		return Result{}, false
	}
	worst = slices.MaxFunc(stuck, func(a, b Result) int {
		return cmp.Compare(slices.Index(words.Verdicts(), a.Verdict), slices.Index(words.Verdicts(), b.Verdict))
	})
	worst.Stuck = names
	if a.options.Ledger != nil {
		a.options.Ledger.Record(worst.Pairs)
	}
	return worst, true
}

// check asks the schema side about a request, and both sides if it refuses the request. It
// returns false if the native side refuses it too. A request without a verdict counts as accepted: the
// kind may have no status, and a webhook that is never called for a deletion may not know one.
func (a *storedAsker) check(ctx context.Context, request words.StoredRequest) (Result, bool) {
	if request == words.Deletion && !a.declarative.can.ValidatesDeletes {
		return Result{}, false
	}
	in, fault := a.input(ctx, request)
	if fault != nil {
		return Result{}, false
	}
	answer := a.options.guard().ask(ctx, a.declarative, in)
	switch {
	case answer.Fault != nil:
		return Result{}, false
	case len(answer.Errors) == 0:
		a.noteRatcheting(ctx, request, in)
		return Result{}, false
	}
	again := &Harness{target: a.target, scheme: a.scheme, options: a.options, matchers: a.matchers}
	again.options.Ledger, again.options.Stored = nil, false
	results, err := again.check(ctx, onStored(request, a.of.Case, a.object.document), []Version{a.version}, a.scheme.Complete)
	if err != nil {
		return Result{}, false
	}
	return results[0], results[0].Effect == words.Stuck
}

// noteRatcheting notes in the result of a refused create whether the schema side accepts a no-op
// update of the object because it ignores unchanged values.
func (a *storedAsker) noteRatcheting(ctx context.Context, request words.StoredRequest, in *Input) {
	if request != words.NoOpUpdate || a.of.Effect != words.Refuses {
		return
	}
	errs, fault := a.withoutRatcheting(ctx, a.declarative, in)
	a.of.Ratcheted = fault == nil && len(errs) > 0
}

// input prepares a request for the schema side. If the stored object was decoded as a Go type that Default leaves
// as it is (contract.SchemeCapabilities.Defaulted), the request changes it instead of the document, which takes a tenth of the time.
func (a *storedAsker) input(ctx context.Context, request words.StoredRequest) (*Input, *contract.Fault) {
	if a.unchanged != nil && (request == words.LabelChange || request == words.FinalizerRemoval) {
		return a.sharing(request), nil
	}
	typed, isTyped := a.object.decoded.(typedObject)
	c := storedCase(request, a.of.Case, a.object.document, a.object.document)
	if !isTyped || a.scheme.Defaulted == nil || !hasPlainMetadata(a.object.document) || a.target.fits(&c) != nil {
		c = onStored(request, a.of.Case, a.object.document)
		objects, fault := a.prepare(ctx, &c, a.scheme.Complete)
		if fault != nil {
			return nil, fault
		}
		return a.converted(ctx, &c, func(context.Context) (stages, error) { return objects, nil })
	}
	in, fault := a.converted(ctx, &c, func(ctx context.Context) (objects stages, err error) {
		objects.decoded.object, objects.decoded.old = onObject(request, typed, changedCopy(deepCopy))
		if c.Old == nil {
			objects.decoded.old = nil
		}
		objects.defaulted, err = a.defaults(ctx, &c, objects.decoded, a.scheme.Complete)
		return objects, err
	})
	if fault == nil && request == words.NoOpUpdate && a.scheme.MetadataApart != nil && a.scheme.MetadataApart(typed) && areTyped(in) {
		a.unchanged = in
	}
	return in, fault
}

// areTyped reports whether the objects of an update are of Go types.
func areTyped(in *Input) bool {
	_, isTyped := in.Object.Go().(typedObject)
	_, wasTyped := in.Old.Go().(typedObject)
	return isTyped && wasTyped
}

// converted returns the input of a case whose objects are made and converted under one time-out.
func (a *storedAsker) converted(ctx context.Context, c *Case, objects func(context.Context) (stages, error)) (*Input, *contract.Fault) {
	ready, fault := guarded(ctx, a.options.guard(), "the objects were not prepared", func(ctx context.Context) (converted, error) {
		made, err := objects(ctx)
		if err != nil {
			return converted{}, err
		}
		return a.convert(made, a.version, c, a.native)
	})
	return ready.in, fault
}

// sharing returns the input of a request whose objects differ from those of the no-op update in their metadata alone.
func (a *storedAsker) sharing(request words.StoredRequest) *Input {
	object, old := a.unchanged.Object.Go().(typedObject), a.unchanged.Old.Go().(typedObject)
	sent, _ := changeOf(request, object, changedCopy(shallowCopy))
	_, stored := changeOf(request, old, changedCopy(shallowCopy))
	c := storedCase(request, a.of.Case, a.object.document, a.object.document)
	return input(pair{sent, stored}, a.version, &c)
}

// typedObject is an object of a Go type.
type typedObject interface {
	runtime.Object
	metav1.Object
}

// changedCopy returns a function that changes the metadata of a copy of an object.
func changedCopy(copied func(typedObject) typedObject) func(typedObject, func(metav1.Object)) typedObject {
	return func(of typedObject, change func(metav1.Object)) typedObject {
		changed := copied(of)
		change(changed)
		return changed
	}
}

func deepCopy(of typedObject) typedObject { return of.DeepCopyObject().(typedObject) }

// shallowCopy returns a copy that shares what fields refer to. It can be given other labels.
func shallowCopy(of typedObject) typedObject {
	copied := reflect.New(reflect.TypeOf(of).Elem())
	copied.Elem().Set(reflect.ValueOf(of).Elem())
	return copied.Interface().(typedObject)
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
