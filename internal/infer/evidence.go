package infer

import (
	"context"
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/parallel"
)

// sample is an input with the answer of the native validator.
type sample struct {
	explore.Input
	// object and old are the objects as validation sees them: pruned, and with defaults.
	decoded, decodedOld map[string]any
	// accepted reports whether the native validator accepts the input, and masked whether the schema
	// already refuses it, so that more errors do not matter.
	accepted, masked bool
	// size is about the length of the input as JSON.
	size     int
	reported []reported
	// reviews are the rights that the native validator asked for.
	reviews []harness.AccessReview
}

// onlyReports reports whether a sample has one error, which is of a site.
func (s *sample) onlyReports(of siteKey) bool {
	return len(s.reported) == 1 && s.reported[0].site == of && !s.masked
}

// reported is an error of the native validator, of a site.
type reported struct {
	site siteKey
	err  *field.Error
	// lacking is true if the schema has no such error, and stored if the error is about a value that an
	// update leaves as it is: the API server tolerates these (KEP-4008).
	missing, stored bool
	// likelyPath is the path of what the error is about if it has none itself; nil: it was not looked for.
	likelyPath steps
}

// evidence is what is known about a target.
type evidence struct {
	target  *Target
	options *Options
	scheme  harness.Scheme
	// today is the schema without proposed rules.
	today    validate
	storable map[string]bool // by the JSON of an object
	samples  []*sample
	known    map[string]*sample // by the JSON of their input
	sites    []*site
	bySite   map[siteKey]*site
	details  map[siteKey][]string // texts of the errors with this place, type and general text
	// general are the forms of texts that are one site each, because they have too many values.
	general map[siteKey]bool
	forms   map[siteKey][]siteKey // those without a source that says it, by their keys without text
	words   map[string]bool       // the values of enums of the schema
	values  map[string]*values    // by scope
	// beginnings are those of errors without a path that were reported alone.
	beginnings map[string]bool
	// faults are those of the validators; nil: there were none.
	faults *Faults
	// panics are the places where the native validator panicked, and panicAt the same by their keys.
	panics  []*panicSite
	panicAt map[string]*panicSite
	// undecoded counts the errors of decoders.
	undecoded int
	// acceptedValues are values of accepted samples, and made those that the schema describes, by place.
	acceptedValues map[string]*accepted
	made           map[string]any
	// accepted counts the kept samples that the native validator accepts.
	accepted int
	// work is what was done for the current site.
	work work
	// answers are those of the native validator.
	answers tally
	// asked counts the inputs that probes asked about.
	asked int
	// absentInStored are the required fields, by their places, that objects in the cluster do not have.
	absentInStored map[string]bool
	// requests is set if the objects are requests; nil: objects of the kind.
	requests *requests
}

// validate returns the errors of a schema in an object, or in an update.
type validate func(ctx context.Context, object, old map[string]any) field.ErrorList

// Limits of the samples that are kept. Probes are always kept: they are few.
const (
	mostAccepted = 1_000
	mostOfASite  = 300
)

func newEvidence(target *Target, scheme harness.Scheme, today validate, options *Options) *evidence {
	return &evidence{
		target: target, options: options, scheme: scheme, today: today, storable: map[string]bool{}, absentInStored: map[string]bool{},
		known: map[string]*sample{}, panicAt: map[string]*panicSite{}, beginnings: map[string]bool{}, bySite: map[siteKey]*site{}, details: map[siteKey][]string{}, general: map[siteKey]bool{}, forms: map[siteKey][]siteKey{}, values: map[string]*values{},
		acceptedValues: map[string]*accepted{}, made: map[string]any{},
	}
}

// canBeStored reports whether the old object of an input is one that the schema accepts. Updates of
// other objects say little: the API server tolerates what is wrong with them already.
func (e *evidence) canBeStored(in explore.Input) bool {
	if e.requests != nil {
		return e.requests.canBeStored(in)
	}
	if !in.IsUpdate() {
		return true
	}
	key := keyOf(explore.Input{Object: in.Old})
	storable, known := e.storable[key]
	if !known {
		// As an update, because the API server drops the status of a new object.
		s := &sample{Input: explore.Input{Object: in.Old, Old: in.Old}}
		storable = e.decode(s) && len(e.today(context.Background(), s.decoded, nil)) == 0
		if len(e.storable) < mostStorable {
			e.storable[key] = storable
		}
	}
	return storable
}

// createdToday reports whether the native validator accepts an object as a new one. Updates of other
// objects compare ratcheting, not rules.
func (e *evidence) createdToday(old map[string]any) bool {
	if old == nil || e.target.Like.Subresource != "" {
		return true
	}
	key := "created" + keyOf(explore.Input{Object: old})
	created, known := e.storable[key]
	if known {
		return created
	}
	results, err := e.target.Harness.Check(context.Background(), asking.Case(e.target.Like, explore.Input{Object: old}))
	for n := range results {
		if r := &results[n]; err == nil && r.Version == e.target.Version {
			created = len(r.Native.Errors) == 0
		}
	}
	e.storable[key] = created
	return created
}

// refusedToday reports whether the schema refuses an input without the proposed rules.
func (e *evidence) refusedToday(in explore.Input) bool { return len(e.mistakes(in)) > 0 }

const mostStorable = 100_000

// keeping says which samples are kept as evidence.
type keeping int

const (
	keepNeeded   keeping = iota // those that a site needs, and some accepted ones
	keepAll                     // probes are few
	keepAccepted                // accepted ones, and those with an error that is new
)

// see takes the results of an input. It returns nil if the input has no verdict or, unless keepAccepted, is not kept.
func (e *evidence) see(in explore.Input, results []harness.Result, keep keeping) *sample {
	for i := range results {
		r := &results[i]
		if r.Version == e.target.Version {
			e.answers.count(e.operationOf(in), r)
			e.noteFault(in, r)
		}
		if r.Version != e.target.Version || r.Effect == "" || r.Fault != nil || !e.canBeStored(in) {
			continue
		}
		s := &sample{Input: in, accepted: len(r.Native.Errors) == 0 && len(r.Native.Unstable) == 0, masked: len(r.Declarative.Errors) > 0, size: sizeOf(in), reviews: r.Native.AccessReviews}
		if s.accepted && (e.accepted < mostAccepted || keep == keepAccepted) && !e.createdToday(in.Old) {
			s.accepted = false // an update may keep what is wrong with its object
		}
		sites := len(e.sites)
		kept := e.read(s, r)
		switch keep {
		case keepNeeded:
			kept = kept || s.accepted && e.accepted < mostAccepted
		case keepAll:
			kept = true
		case keepAccepted:
			if kept = s.accepted || len(e.sites) > sites; !kept {
				return s
			}
		}
		if !kept || !e.decode(s) {
			return nil
		}
		if s.accepted {
			e.accepted++
		}
		e.samples = append(e.samples, s)
		return s
	}
	return nil
}

// read reads the native errors of a result. It reports whether a site needs the sample.
func (e *evidence) read(s *sample, r *harness.Result) (needed bool) {
	parts := e.partsOf(r)
	for _, pair := range r.Pairs {
		if pair.Native == nil || pair.Class.OfValues() || e.ofMachinery(pair.Native.Field) {
			continue
		}
		if e.notePanic(s.Input, &pair) {
			continue
		}
		if e.ofDecoder(s.Input, pair.Native) {
			e.undecoded++
			continue
		}
		stored := unchanged(s.Input, pair.Native.Field)
		lacking := pair.Class == equivalence.TooLoose && !pair.Explained() && !stored
		for _, part := range parts[pair.Native] {
			err := e.placed(part.err)
			key := e.siteOf(err, s.Input, part)
			s.reported = append(s.reported, reported{site: key, err: err, missing: lacking, stored: stored})
			needed = e.note(s, key, err, lacking) || needed
			if of := e.bySite[key]; of != nil && part.origin != nil {
				of.constants = part.origin.Constants
			}
		}
	}
	return needed
}

// note adds an error to its site. It reports whether the site needs the sample.
func (e *evidence) note(s *sample, key siteKey, err *field.Error, lacking bool) bool {
	of := e.bySite[key]
	if of == nil && !lacking {
		return false
	}
	if of == nil {
		of = &site{key: key, field: mendField(e.target.Document.Root, err.Field)}
		e.bySite[key] = of
		e.sites = append(e.sites, of)
	}
	of.reported++
	of.alone = of.alone || lacking && !s.masked
	if e.general[key] {
		of.fill(err.Detail)
	}
	if of.first == nil || s.size < of.size {
		of.first, of.example, of.size = err, s.Input, s.size
	}
	return of.reported <= mostOfASite
}

// placed returns an error with its place in a request, if the objects are requests.
func (e *evidence) placed(err *field.Error) *field.Error {
	if e.requests == nil {
		return err
	}
	copied := *err
	copied.Field = e.requests.subjectField()
	if path := fieldpath.Canonical(err.Field); path != "" && path != "<nil>" {
		copied.Field += "." + path
	}
	return &copied
}

// ofMachinery reports whether the API machinery reports an error, for all built-in kinds: it validates their metadata. The
// metadata of custom resources are not part of their definitions, but their validators may ask for more.
func (e *evidence) ofMachinery(path string) bool {
	return e.target.GoPackage != "" && inMetadata(placeOf(path))
}

// unchanged reports whether an update leaves the value at the path of an error as it is.
func unchanged(in explore.Input, path string) bool {
	if !in.IsUpdate() {
		return false
	}
	at := stepsOf(path)
	now, has := at.at(in.Object)
	before, had := at.at(in.Old)
	return has == had && equal(now, before)
}

// decode prunes and defaults the objects of a sample.
func (e *evidence) decode(s *sample) bool {
	if e.requests != nil {
		return e.requests.decode(s)
	}
	request := harness.Request{Version: e.target.Version, Operation: (&harness.Case{}).Operation(), Subresource: e.target.Like.Subresource}
	object, err := e.scheme.Decode(s.Object, e.target.Version)
	if err != nil {
		return false
	}
	var old any
	if s.IsUpdate() {
		request.Operation = (&harness.Case{Old: s.Old}).Operation()
		if old, err = e.scheme.Decode(s.Old, e.target.Version); err != nil {
			return false
		}
	}
	if object, old, err = e.scheme.Default(context.Background(), request, object, old); err != nil {
		return false
	}
	if s.decoded, err = e.document(object); err != nil {
		return false
	}
	if old != nil {
		s.decodedOld, err = e.document(old)
	}
	return err == nil
}

func (e *evidence) document(object any) (map[string]any, error) {
	converted, err := e.scheme.Convert(object, e.target.Version)
	if err != nil {
		return nil, err
	}
	return harness.NewView(converted).Unstructured()
}

// ask asks the native validator about inputs, and returns a sample for each; nil if it has no
// verdict. Inputs that were asked about before are not asked again.
func (e *evidence) ask(ctx context.Context, inputs []explore.Input) ([]*sample, error) {
	return e.asking(ctx, inputs, keepAll)
}

// askForNew is ask without keeping the samples that say nothing new.
func (e *evidence) askForNew(ctx context.Context, inputs []explore.Input) ([]*sample, error) {
	return e.asking(ctx, inputs, keepAccepted)
}

func (e *evidence) asking(ctx context.Context, inputs []explore.Input, keep keeping) ([]*sample, error) {
	if err := e.work.spent(); err != nil {
		return nil, err
	}
	type answer struct {
		in      explore.Input
		key     string
		results []harness.Result
	}
	samples := make([]*sample, 0, len(inputs))
	queue := parallel.Queue[explore.Input, answer]{
		Parallel: e.options.Parallel,
		Do: func(ctx context.Context, in explore.Input) (answer, error) {
			key := keyOf(in)
			if _, known := e.known[key]; known || !e.isRequest(in) {
				return answer{in: in, key: key}, nil
			}
			results, err := e.target.Harness.Check(ctx, e.caseOf(in))
			return answer{in, key, results}, err
		},
	}
	var all []answer
	queue.Take = func(a answer) error { all = append(all, a); return nil }
	err := queue.Run(ctx, func(yield func(explore.Input, error) bool) {
		for _, in := range inputs {
			if !yield(in, nil) {
				return
			}
		}
	})
	for _, a := range all {
		s, known := e.known[a.key]
		if !known {
			e.asked++
			e.work.asked++
			s = e.see(a.in, a.results, keep)
			if keep == keepAll || s != nil && s.decoded != nil { // what is not kept may be asked about again
				e.known[a.key] = s
			}
		}
		samples = append(samples, s)
	}
	return samples, err
}

// keyOf returns a text that is the same for equal inputs.
func keyOf(in explore.Input) string {
	data, err := json.Marshal([]any{in.Object, in.Old})
	if err != nil {
		return ""
	}
	return string(data)
}

func sizeOf(in explore.Input) int { return len(keyOf(in)) }
