package evidence

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/object"
	"github.com/diffrun/diffrun/internal/parallel"
)

// Sample is an input with the answer of the native validator.
type Sample struct {
	explore.Input
	// Decoded and DecodedOld are the objects as validation sees them: mutated, pruned, and with defaults.
	Decoded, DecodedOld map[string]any
	// Accepted reports whether the native validator accepts the input, and masked whether the schema
	// already refuses it, so that more errors do not matter.
	Accepted, Masked bool
	// Size is about the length of the input as JSON.
	Size     int
	Reported []Reported
	// Reviews are the rights that the native validator asked for.
	Reviews []contract.AccessReview
}

// OnlyReports reports whether a sample has one error, which is of a site.
func (s *Sample) OnlyReports(of SiteKey) bool {
	return len(s.Reported) == 1 && s.Reported[0].Site == of && !s.Masked
}

// Reported is an error of the native validator, of a site.
type Reported struct {
	Site SiteKey
	Err  *field.Error
	// Missing is true if the schema has no such error, and Stored if the error is about a value that an
	// update leaves as it is: the API server tolerates these (KEP-4008).
	Missing, Stored bool
	// LikelyPath is the path of what the error is about if it has none itself; nil: it was not looked for.
	LikelyPath object.Path
}

// Evidence is what is known about a target.
type Evidence struct {
	Target  *Target
	Options *Options
	scheme  harness.Scheme
	// Today is the schema without proposed rules.
	Today    Validate
	storable map[string]bool // by the JSON of an object
	Samples  []*Sample
	Known    map[string]*Sample // by the JSON of their input
	Sites    []*Site
	bySite   map[SiteKey]*Site
	details  map[SiteKey][]string // texts of the errors with this place, type and general text
	// general are the forms of texts that are one site each, because they have too many values.
	general map[SiteKey]bool
	forms   map[SiteKey][]SiteKey // those without a source that says it, by their keys without text
	Words   map[string]bool       // the values of enums of the schema
	Values  map[string]*Values    // by scope
	// beginnings are those of errors without a path that were reported alone.
	beginnings map[string]bool
	// Faults are those of the validators; nil: there were none.
	Faults *Faults
	// Panics are the places where the native validator panicked, and panicAt the same by their keys.
	Panics  []*PanicSite
	panicAt map[string]*PanicSite
	// Undecoded counts the errors of decoders.
	Undecoded int
	// acceptedValues are values of accepted samples, and made those that the schema describes, by place.
	acceptedValues map[string]*accepted
	made           map[string]any
	// Accepted counts the kept samples that the native validator accepts.
	Accepted int
	// Work is what was done for the current site.
	Work Work
	// Answers are those of the native validator.
	Answers Tally
	// Asked counts the inputs that probes asked about.
	Asked int
	// AbsentInStored are the required fields, by their places, that objects in the cluster do not have.
	AbsentInStored map[string]bool
	// Requests is set if the objects are requests; nil: objects of the kind.
	Requests *Requests
}

// Validate returns the errors of a schema in an object, or in an update.
type Validate func(ctx context.Context, object, old map[string]any) field.ErrorList

// Limits of the samples that are kept. Probes are always kept: they are few.
const (
	mostAccepted = 1_000
	MostOfASite  = 300
)

func New(target *Target, scheme harness.Scheme, today Validate, options *Options) *Evidence {
	return &Evidence{
		Target: target, Options: options, scheme: scheme, Today: today, storable: map[string]bool{}, AbsentInStored: map[string]bool{},
		Known: map[string]*Sample{}, panicAt: map[string]*PanicSite{}, beginnings: map[string]bool{}, bySite: map[SiteKey]*Site{},
		details: map[SiteKey][]string{}, general: map[SiteKey]bool{}, forms: map[SiteKey][]SiteKey{}, Values: map[string]*Values{},
		acceptedValues: map[string]*accepted{}, made: map[string]any{},
	}
}

// Native returns the native side for sentences.
func (e *Evidence) Native() string { return e.Target.Sides.Title(contract.NativeName) }

// Schema returns the declarative side for sentences.
func (e *Evidence) Schema() string { return e.Target.Sides.Title(contract.DeclarativeName) }

// CanBeStored reports whether the old object of an input is one that the schema accepts. Updates of
// other objects say little: the API server tolerates what is wrong with them already.
func (e *Evidence) CanBeStored(in explore.Input) bool {
	if e.Requests != nil {
		return e.Requests.canBeStored(in)
	}
	if !in.IsUpdate() {
		return true
	}
	key := KeyOf(explore.Input{Object: in.Old})
	storable, known := e.storable[key]
	if !known {
		// As an update, because the API server drops the status of a new object.
		s := &Sample{Input: explore.Input{Object: in.Old, Old: in.Old}}
		storable = e.DecodeUnmutated(s) && len(e.Today(context.Background(), s.Decoded, nil)) == 0
		if len(e.storable) < mostStorable {
			e.storable[key] = storable
		}
	}
	return storable
}

// CreatedToday reports whether the native validator accepts an object as a new one. Updates of other
// objects compare ratcheting, not rules.
func (e *Evidence) CreatedToday(old map[string]any) bool {
	if old == nil || e.Target.Like.Subresource != "" {
		return true
	}
	key := "created" + KeyOf(explore.Input{Object: old})
	created, known := e.storable[key]
	if known {
		return created
	}
	results, err := e.Target.Harness.Check(context.Background(), asking.Case(e.Target.Like, explore.Input{Object: old}))
	for n := range results {
		if r := &results[n]; err == nil && r.Version == e.Target.Version {
			created = len(r.Native.Errors) == 0
		}
	}
	e.storable[key] = created
	return created
}

// RefusedToday reports whether the schema refuses an input without the proposed rules.
func (e *Evidence) RefusedToday(in explore.Input) bool { return len(e.mistakes(in)) > 0 }

const mostStorable = 100_000

// keeping says which samples are kept as evidence.
type keeping int

const (
	KeepNeeded   keeping = iota // those that a site needs, and some accepted ones
	KeepAll                     // probes are few
	keepAccepted                // accepted ones, and those with an error that is new
)

// See takes the results of an input. It returns nil if the input has no verdict or, unless keepAccepted, is not kept.
func (e *Evidence) See(in explore.Input, results []harness.Result, keep keeping) *Sample {
	for i := range results {
		r := &results[i]
		if r.Version == e.Target.Version {
			e.Answers.Count(e.operationOf(in), r)
			e.NoteFault(in, r)
		}
		if r.Version != e.Target.Version || r.Effect == "" || r.Fault != nil || !e.CanBeStored(in) {
			continue
		}
		s := &Sample{
			Input:    in,
			Accepted: len(r.Native.Errors) == 0 && len(r.Native.Unstable) == 0,
			Masked:   len(r.Declarative.Errors) > 0,
			Size:     SizeOf(in),
			Reviews:  r.Native.AccessReviews,
		}
		if s.Accepted && (e.Accepted < mostAccepted || keep == keepAccepted) && !e.CreatedToday(in.Old) {
			s.Accepted = false // an update may keep what is wrong with its object
		}
		sites := len(e.Sites)
		kept := e.read(s, r)
		switch keep {
		case KeepNeeded:
			kept = kept || s.Accepted && e.Accepted < mostAccepted
		case KeepAll:
			kept = true
		case keepAccepted:
			if kept = s.Accepted || len(e.Sites) > sites; !kept {
				return s
			}
		}
		if !kept || !e.Decode(s) {
			return nil
		}
		if s.Accepted {
			e.Accepted++
		}
		e.Samples = append(e.Samples, s)
		return s
	}
	return nil
}

// read reads the native errors of a result. It reports whether a site needs the sample.
func (e *Evidence) read(s *Sample, r *harness.Result) (needed bool) {
	parts := e.PartsOf(r)
	for _, pair := range r.Pairs {
		if pair.Native == nil || pair.Class.OfValues() || e.OfMachinery(pair.Native.Field) {
			continue
		}
		if e.NotePanic(s.Input, &pair) {
			continue
		}
		if e.OfDecoder(s.Input, pair.Native) {
			e.Undecoded++
			continue
		}
		stored := Unchanged(s.Input, pair.Native.Field)
		lacking := pair.Class == difference.TooLoose && !pair.Explained() && !stored
		for _, part := range parts[pair.Native] {
			err := e.Placed(part.Err)
			key := e.SiteOf(err, s.Input, part)
			s.Reported = append(s.Reported, Reported{Site: key, Err: err, Missing: lacking, Stored: stored})
			needed = e.note(s, key, err, lacking) || needed
			if of := e.bySite[key]; of != nil && part.origin != nil {
				of.Constants = part.origin.Constants
			}
		}
	}
	return needed
}

// note adds an error to its site. It reports whether the site needs the sample.
func (e *Evidence) note(s *Sample, key SiteKey, err *field.Error, lacking bool) bool {
	of := e.bySite[key]
	if of == nil && !lacking {
		return false
	}
	if of == nil {
		of = &Site{Key: key, Field: mendField(e.Target.Document.Root, err.Field)}
		e.bySite[key] = of
		e.Sites = append(e.Sites, of)
	}
	of.reported++
	of.Alone = of.Alone || lacking && !s.Masked
	if e.general[key] {
		of.fill(err.Detail)
	}
	if of.First == nil || s.Size < of.size {
		of.First, of.Example, of.size = err, s.Input, s.Size
	}
	return of.reported <= MostOfASite
}

// Placed returns an error with its place in a request, if the objects are requests.
func (e *Evidence) Placed(err *field.Error) *field.Error {
	if e.Requests == nil {
		return err
	}
	copied := *err
	copied.Field = e.Requests.SubjectField()
	if path := fieldpath.Canonical(err.Field); path != "" && path != "<nil>" {
		copied.Field += "." + path
	}
	return &copied
}

// OfMachinery reports whether the API machinery reports an error, for all built-in kinds: it validates their metadata. The
// metadata of custom resources are not part of their definitions, but their validators may ask for more.
func (e *Evidence) OfMachinery(path string) bool {
	return e.Target.GoPackage != "" && InMetadata(PlaceOf(path))
}

// Unchanged reports whether an update leaves the value at the path of an error as it is.
func Unchanged(in explore.Input, path string) bool {
	if !in.IsUpdate() {
		return false
	}
	at := object.Parse(path)
	now, has := at.Get(in.Object)
	before, had := at.Get(in.Old)
	return has == had && Equal(now, before)
}

// Ask asks the native validator about inputs, and returns a sample for each; nil if it has no
// verdict. Inputs that were asked about before are not asked again.
func (e *Evidence) Ask(ctx context.Context, inputs []explore.Input) ([]*Sample, error) {
	return e.asking(ctx, inputs, KeepAll)
}

// AskForNew is ask without keeping the samples that say nothing new.
func (e *Evidence) AskForNew(ctx context.Context, inputs []explore.Input) ([]*Sample, error) {
	return e.asking(ctx, inputs, keepAccepted)
}

func (e *Evidence) asking(ctx context.Context, inputs []explore.Input, keep keeping) ([]*Sample, error) {
	if err := e.Work.Spent(); err != nil {
		return nil, err
	}
	type answer struct {
		in      explore.Input
		key     string
		results []harness.Result
	}
	samples := make([]*Sample, 0, len(inputs))
	queue := parallel.Queue[explore.Input, answer]{
		Parallel: e.Options.Parallel,
		Do: func(ctx context.Context, in explore.Input) (answer, error) {
			key := KeyOf(in)
			if _, known := e.Known[key]; known || !e.IsRequest(in) {
				return answer{in: in, key: key}, nil
			}
			results, err := e.Target.Harness.Check(ctx, e.CaseOf(in))
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
		s, known := e.Known[a.key]
		if !known {
			e.Asked++
			e.Work.asked++
			s = e.See(a.in, a.results, keep)
			if keep == KeepAll || s != nil && s.Decoded != nil { // what is not kept may be asked about again
				e.Known[a.key] = s
			}
		}
		samples = append(samples, s)
	}
	return samples, err
}

// KeyOf returns a text that is the same for equal inputs.
func KeyOf(in explore.Input) string {
	data, err := json.Marshal([]any{in.Object, in.Old})
	if err != nil {
		return ""
	}
	return string(data)
}

func SizeOf(in explore.Input) int { return len(KeyOf(in)) }

// Again compares inputs in their order.
func (e *Evidence) Again(ctx context.Context, h *harness.Harness, inputs []explore.Input,
	observe func(explore.Input, []harness.Result)) error {
	type answer struct {
		in      explore.Input
		results []harness.Result
	}
	queue := parallel.Queue[explore.Input, answer]{
		Parallel: e.Options.Parallel,
		Do: func(ctx context.Context, in explore.Input) (answer, error) {
			results, err := h.Check(ctx, e.CaseOf(in))
			return answer{in, results}, err
		},
		Take: func(a answer) error { observe(a.in, a.results); return nil },
	}
	return queue.Run(ctx, func(yield func(explore.Input, error) bool) {
		for _, in := range inputs {
			if !yield(in, nil) {
				return
			}
		}
	})
}

// Progress says what is done now.
func (e *Evidence) Progress(format string, args ...any) {
	if e.Options.Progress != nil {
		e.Options.Progress(fmt.Sprintf(format, args...))
	}
}
