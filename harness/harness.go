package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/parallel"
)

// Harness compares the two backends of a Target. It may be used by several goroutines at
// once.
type Harness struct {
	target  *Target
	scheme  contract.SchemeCapabilities
	options Options
	// matchers holds the matcher of each version.
	matchers map[schema.GroupVersionKind]*equivalence.Matcher
	// sinks receive the results of Test.
	sinks []func(Result)
	// advised holds the advice logged by each test.
	advised sync.Map
}

// New returns a Harness. The error says what is wrong with the target or the options.
func New(target *Target, options Options) (*Harness, error) {
	if err := target.validate(); err != nil {
		return nil, err
	}
	if err := options.validate(); err != nil {
		return nil, err
	}
	if options.Timeout == 0 {
		options.Timeout = contract.DefaultTimeout
	}
	if options.NoExceptions {
		options.Exceptions = nil
	}
	h := &Harness{
		target:   target,
		scheme:   target.schemeCapabilities(),
		options:  options,
		matchers: map[schema.GroupVersionKind]*equivalence.Matcher{},
	}
	for _, version := range target.Versions {
		h.matchers[version.GroupVersionKind] = options.matcher(version.GroupVersionKind)
	}
	return h, nil
}

// With returns a Harness of the same target with changed options.
func (h *Harness) With(change func(*Options)) (*Harness, error) {
	options := h.options
	change(&options)
	return New(h.target, options)
}

// Target returns the target of the harness.
func (h *Harness) Target() *Target { return h.target }

// Check validates a case with both backends in each version of the target, and returns a Result for
// each version, and those of stored objects that are stuck (Options.Stored) after them. If the case
// cannot be read or a backend cannot decide, the Result has a fault. Check returns an error only if ctx
// ended.
func (h *Harness) Check(ctx context.Context, c Case) ([]Result, error) {
	ctx, stop := parallel.WithWorkers(ctx)
	defer stop()
	versions := h.versionsOf(&c)
	results, objects, err := h.checkObjects(ctx, c, versions, h.scheme.Complete)
	if err != nil {
		return results, err
	}
	return h.addStored(ctx, results, versions, objects.decoded), ctx.Err()
}

// versionsOf returns the versions in which a case is compared.
func (h *Harness) versionsOf(c *Case) []Version {
	document, isDocument := c.Object.(map[string]any)
	if !h.scheme.WrittenOnly || !isDocument {
		return h.target.Versions
	}
	written, err := versionOf(c, document)
	at := slices.IndexFunc(h.target.Versions, func(v Version) bool { return v.GroupVersionKind == written })
	if err != nil || at < 0 {
		return h.target.Versions
	}
	return h.target.Versions[at : at+1]
}

// Unreadable returns why the objects of a case cannot be decoded and defaulted, which Check would
// report as a fault in each version. It returns nil if they can, or if the Scheme failed for a
// reason outside the case.
func (h *Harness) Unreadable(ctx context.Context, c Case) error {
	if absent(c.Old) {
		c.Old = nil
	}
	if _, fault := h.prepare(ctx, &c, h.scheme.Complete); fault != nil && fault.Reason == words.FaultInput {
		return fault
	}
	return nil
}

// completion is contract.SchemeCapabilities.Complete; nil: typed objects stay as they are.
type completion func(object, old any) (any, any, error)

// check checks a case in some versions.
func (h *Harness) check(ctx context.Context, c Case, versions []Version, complete completion) ([]Result, error) {
	results, _, err := h.checkObjects(ctx, c, versions, complete)
	return results, err
}

// checkObjects is check. It also returns the objects of the case.
func (h *Harness) checkObjects(ctx context.Context, c Case, versions []Version, complete completion) ([]Result, stages, error) {
	if absent(c.Old) {
		c.Old = nil
	}
	results := make([]Result, 0, len(versions))
	objects, fault := h.prepare(ctx, &c, complete)
	for _, version := range versions {
		result := Result{
			Suite:   h.target.Suite,
			Case:    &c,
			Version: version.GroupVersionKind,
			Fault:   fault,
			Sides:   h.sidesOf(version),
		}
		if fault == nil {
			h.compare(ctx, objects, version, &result)
		}
		if result.Fault != nil && result.Declared == nil {
			result.Declared = h.declaredWithout(version, &c)
		}
		result.Verdict, result.Effect = verdict(&result), h.effect(&result)
		result.Ratcheted = result.explainsAdmits()
		results = append(results, result)
	}
	return results, objects, ctx.Err()
}

// sidesOf names the two sides of a version.
func (h *Harness) sidesOf(version Version) Sides {
	sides := sidesOf(h.options.backends(version))
	sides.Called = h.target.Sides
	return sides
}

// declaredWithout returns what the schema of a version declares if no object could be read. A
// backend that needs an object declares nothing.
func (h *Harness) declaredWithout(version Version, c *Case) (declared difference.Declarations) {
	var panicked *contract.Fault
	defer catch(&panicked)
	_, declarative := h.options.backends(version)
	return capable(declarative).declarations(&Input{Request: c.request(version.GroupVersionKind)})
}

// prepare runs the stages that all versions share: decode and default.
func (h *Harness) prepare(ctx context.Context, c *Case, complete completion) (stages, *contract.Fault) {
	if c.Fault != nil {
		return stages{}, c.Fault
	}
	if fault := h.target.fits(c); fault != nil {
		return stages{}, fault
	}
	return h.read(ctx, c, complete, h.decode)
}

// read decodes the objects of a case and sets their defaults.
func (h *Harness) read(ctx context.Context, c *Case, complete completion, decode func(*Case) (pair, error)) (stages, *contract.Fault) {
	objects, fault := guarded(ctx, h.options.guard(), "the objects were not decoded and defaulted",
		func(ctx context.Context) (stages, error) {
			sent, err := h.asSent(*c)
			if err != nil {
				return stages{}, err
			}
			decoded, err := decode(&sent)
			if err != nil {
				return stages{}, err
			}
			defaulted, err := h.defaults(ctx, &sent, decoded, complete)
			return stages{pair{sent.Object, sent.Old}, decoded, defaulted}, err
		})
	return objects, ofInput(fault)
}

// ofInput turns an error of a Scheme into a fault of the case.
func ofInput(fault *contract.Fault) *contract.Fault {
	if fault != nil && fault.Reason == words.FaultError {
		fault.Reason = words.FaultInput
	}
	return fault
}

// compare runs the stages of one version on prepared objects.
func (h *Harness) compare(ctx context.Context, objects stages, version Version, result *Result) {
	defer catch(&result.Fault)
	native, declarative := h.backends(version)
	converted, fault := guarded(ctx, h.options.guard(), "the objects were not converted", func(context.Context) (converted, error) {
		ready, err := h.convert(objects, version, result.Case, native)
		if err == nil && h.scheme.Omitted != nil {
			ready.omitted = h.scheme.Omitted(objects.defaulted.object, version.GroupVersionKind)
		}
		return ready, err
	})
	if fault != nil {
		if inexpressible := (*contract.InexpressibleError)(nil); errors.As(fault.Err, &inexpressible) {
			result.Inexpressible = inexpressible.Reason
			if h.options.Self != contract.DeclarativeName {
				result.Unmet = unlooked(result)
			}
			return
		}
		result.Fault = ofInput(fault)
		return
	}
	in := converted.in
	result.Omitted = converted.omitted
	began := time.Now()
	at := placeOf(in, result.Case)
	result.Declared = declarative.declarations(in)
	declarative, err := at.forPart(declarative)
	if err != nil {
		result.Declarative.Fault = faultOf(err)
		return
	}
	// Ask the schema first: hand-written code may change its arguments, or run on after its
	// time-out.
	result.Declarative = h.ask(ctx, declarative, in)
	result.Native = h.ask(ctx, native, converted.native)
	result.OutsidePath = at.outsidePath(result.Native.Errors)
	if h.options.Self == "" && len(result.Native.Errors) > 0 {
		result.Declarative.addWithoutRatcheting(h.withoutRatcheting(ctx, declarative, in))
	}
	if !result.Native.refuses() && result.Declarative.refuses() {
		result.Stored = storedRequestOf(result.Case, in)
	}
	result.omittedByBoth()
	result.Unguarded = result.unguarded(h.backends(version))
	if result.Native.Fault == nil && result.Declarative.Fault == nil {
		result.Pairs = h.match(comparison{result.Native, result.Declarative, at, subject(in), result.Declared})
		result.Undefined = result.undefined(native.declarations(converted.native))
		h.locate(ctx, declarative, in, version, result)
		defaults, fault := h.compareDefaults(ctx, objects, version, in)
		result.Pairs, result.Fault = append(result.Pairs, defaults...), fault
		if h.comparesResults(native, declarative) {
			result.Pairs = append(result.Pairs, h.compareResults(in, result.Native, result.Declarative)...)
		}
		if h.options.Ledger != nil {
			h.options.Ledger.Record(result.Pairs)
		}
		if h.options.Self != contract.DeclarativeName { // else the native one was not asked
			result.Unmet = unmet(result)
		}
	}
	result.Elapsed = time.Since(began)
}

// backends returns the backends of a version with their current capabilities: those of a backend
// with feature gates change with the gates.
func (h *Harness) backends(version Version) (native, declarative capableBackend) {
	first, second := h.options.backends(version)
	return capable(first), capable(second)
}

// pair is the object and the old object of a case, at some stage.
type pair struct{ object, old any }

// stages are the objects of a case: as a client sends them, decoded into the types of the scheme, and
// defaulted as validation sees them.
type stages struct{ sent, decoded, defaulted pair }

// each applies a stage to both objects. The error says which of them failed.
func (p pair) each(stage func(any) (any, error)) (after pair, err error) {
	if after.object, err = stage(p.object); err != nil {
		return pair{}, fmt.Errorf("object: %w", err)
	}
	if p.old != nil {
		if after.old, err = stage(p.old); err != nil {
			return pair{}, fmt.Errorf("old object: %w", err)
		}
	}
	return after, nil
}

// asSent returns a case as a client sends it: as documents if the scheme takes only these, with
// numbers as written in JSON.
func (h *Harness) asSent(c Case) (Case, error) {
	objects, err := pair{c.Object, c.Old}.each(func(object any) (any, error) {
		if document, isDocument := object.(map[string]any); isDocument {
			return asWritten(document, c.ExactNumbers)
		}
		if h.scheme.Document == nil {
			return object, nil
		}
		return h.scheme.Document(object, h.target.versionOfTyped(c))
	})
	c.Object, c.Old = objects.object, objects.old
	return c, err
}

// decode decodes documents with the scheme; it leaves typed objects as they are.
func (h *Harness) decode(c *Case) (pair, error) {
	return pair{c.Object, c.Old}.each(func(object any) (any, error) {
		document, isDocument := object.(map[string]any)
		if !isDocument {
			return object, nil
		}
		version, err := versionOf(c, document)
		if err != nil {
			return nil, err
		}
		return h.target.Scheme.Decode(document, version)
	})
}

// versionOf returns the version of a case, or else of its document.
func versionOf(c *Case, document map[string]any) (schema.GroupVersionKind, error) {
	if !c.Version.Empty() {
		return c.Version, nil
	}
	apiVersion, _ := document["apiVersion"].(string)
	kind, _ := document["kind"].(string)
	if apiVersion == "" || kind == "" {
		return schema.GroupVersionKind{}, errors.New("the case names no target and the object has no apiVersion and kind")
	}
	return schema.FromAPIVersionAndKind(apiVersion, kind), nil
}

// defaults prepares documents as the API server does before it validates. In typed objects,
// complete sets the fields that the API server sets; nil: they stay as they are.
func (h *Harness) defaults(ctx context.Context, c *Case, objects pair, complete completion) (pair, error) {
	document, isDocument := c.Object.(map[string]any)
	if !isDocument {
		if complete != nil {
			object, old, err := complete(objects.object, objects.old)
			return pair{object, old}, err
		}
		return objects, nil
	}
	version, err := versionOf(c, document)
	if err != nil {
		return pair{}, err
	}
	request := c.request(version)
	object, old, err := h.target.Scheme.Default(ctx, request, objects.object, objects.old)
	return pair{object, old}, err
}

// converted is a case in one version.
type converted struct {
	in      *Input
	native  *Input              // for the native backend: in, or the objects as sent
	omitted []contract.Omission // the fields that the version lacks; compare sets them
}

// convert prepares the objects for the backends of one version.
func (h *Harness) convert(objects stages, version Version, c *Case, native capableBackend) (converted, error) {
	versioned, err := objects.defaulted.each(func(object any) (any, error) {
		return h.target.Scheme.Convert(object, version.GroupVersionKind)
	})
	if err != nil {
		return converted{}, err
	}
	part, err := h.partOf(c, version.GroupVersionKind)
	if err != nil {
		return converted{}, err
	}
	ready := converted{in: input(versioned, version, c)}
	ready.in.Part = part
	if ready.native = ready.in; native.can.RawDocuments && writtenIn(c, objects.sent, version.GroupVersionKind) {
		ready.native = input(objects.sent, version, c)
	}
	return ready, nil
}
