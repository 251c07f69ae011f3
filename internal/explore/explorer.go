package explore

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/parallel"
)

// Options are what an Explorer needs to know.
type Options struct {
	Seed uint64
	// Parallel is how many inputs are asked about at once; zero: one for each core. It does not
	// change which inputs are made.
	Parallel int
	// Schema is the schema of the root of objects, without references.
	Schema *props
	// Rules are those that look at the whole object but are not in the schema, as those of policies.
	Rules []Rule
	// Goals are conditions of validators: inputs are made that show each side of their atoms. Confirms reports whether the
	// validator said the same of a condition, by its number, as the condition itself; nil: it did.
	Goals    []Goal
	Confirms func(goal int, holds bool, answer Answer) bool
	// Starts are inputs to start from. Those that no side accepts only lend their values.
	Starts []Input
	// Known are what earlier explorers of the target found (Explorer.Corpus), and Tried the single changes that they
	// tried (Explorer.Tried). An explorer starts from the known inputs as well.
	Known []Input
	Tried []uint64
	// Fields are the places whose values are changed, such as "spec.ports[*].port", with all below them;
	// none: all are.
	Fields []string
	// Updates: nothing is created, because the requests are to a subresource.
	Updates bool
	// Stores asks whether an old object can exist; nil: it can if the first side accepts its creation. The old objects
	// of Starts can.
	Stores Stores
	// AnyOld also reports findings of updates whose old object cannot exist (Found.OldUnstorable).
	AnyOld bool
	// Object is the identity of objects that are made where no start is accepted.
	Object generate.ObjectOptions
	Ask    Ask
	// Observe receives the answer about each input, except for those that only make findings
	// small. Found receives each new finding. An error ends the exploration.
	Observe func(Input, Answer) error
	Found   func(Found) error
}

// Explorer explores one target. It must not be used concurrently.
type Explorer struct {
	options Options
	src     generate.Source
	agenda  agenda
	values  values
	kinds   kinds
	// remedies are the values that made errors go away, by the text of the error.
	remedies map[string]any
	reads    reads
	goals    []*goal
	// starts are accepted objects.
	starts []map[string]any
	small  []sizedObject // the smallest starts
	// corpus has the inputs that made a validator do something new, for random changes.
	corpus    []made
	kept      []Input
	shown     []Input // the small inputs of findings
	tried     []uint64
	behaviors map[string]bool
	alone     map[string]bool      // behaviors that were the only error of their side
	executed  map[int]bool         // places in the code of validators
	findings  map[string]inputKind // by signature
	reported  map[string]inputKind // by the signature of the small input
	old       *oldObjects
	backlog   []raised // findings that change no verdict and are not small yet
	steps     int
	stats     Stats
	began     bool
	// unjudged are the starts that no side was asked about yet, and generated counts the objects that
	// were made to start from.
	unjudged  []task
	generated int
}

// inputKind says how convincing an input is for a finding.
type inputKind uint8

const (
	_ inputKind = iota // no input yet
	// unstorable: the old object cannot exist.
	unstorable
	// updated: the old object may have the mistake already.
	updated
	created
)

// kindOf returns the kind of an input for a finding. Of one that changes no verdict, the first input will do.
func kindOf(in Input, of Finding) inputKind {
	if in.IsUpdate() && of.Urgency > 0 {
		return updated
	}
	return created
}

// made is an input with its origin.
type made struct {
	Input
	near   map[string]any
	change string
}

// Stats counts what an Explorer did.
type Stats struct {
	// Inputs counts the inputs that were asked about, Shrinking those that only made findings small.
	Inputs, Shrinking int
	// Accepted counts the inputs that a side accepted, Undecided those without a verdict.
	Accepted, Undecided int
	// Behaviors and Findings count different ones.
	Behaviors, Findings int
	// Quiet is how many inputs ago a side did something new for the last time.
	Quiet int
	// Planned counts the single changes that are still to be tried.
	Planned int
}

// New returns an Explorer. It asks nothing yet.
func New(options Options) *Explorer {
	e := &Explorer{
		options:   options,
		remedies:  map[string]any{},
		src:       generate.Seeded(options.Seed),
		behaviors: map[string]bool{},
		alone:     map[string]bool{},
		executed:  map[int]bool{},
		findings:  map[string]inputKind{},
		reported:  map[string]inputKind{},
	}
	e.agenda.init(options)
	e.values.init()
	e.reads, e.goals = readsOf(options.Rules), newGoals(options.Goals)
	var given []Input
	for _, in := range options.Starts {
		if in.IsUpdate() {
			given = append(given, e.sent(in))
		}
	}
	e.old = newOldObjects(options.Ask, options.Stores, given...)
	return e
}

// Stats returns the statistics so far.
func (e *Explorer) Stats() Stats {
	stats := e.stats
	stats.Behaviors, stats.Findings, stats.Planned = len(e.behaviors), len(e.findings), e.agenda.len()
	return stats
}

// Kept returns the starts that were accepted, and the inputs that made a side do something new, in the order
// in which they were found. Later results begin with earlier ones.
func (e *Explorer) Kept() []Input { return e.kept }

// Corpus returns the inputs from which another explorer of the target goes on, each once: those of Kept, the
// accepted objects that were changed, and the small inputs of findings, which show these again.
func (e *Explorer) Corpus() []Input {
	all := slices.Concat(e.kept, e.shown)
	for _, task := range e.unjudged {
		all = append(all, task.Input)
	}
	for _, object := range e.starts {
		all = append(all, e.sent(Input{Object: object}))
	}
	return distinct(all)
}

// distinct returns each input once.
func distinct[T interface{ documents() []any }](all []T) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(in T) bool {
		text, err := json.Marshal(in.documents())
		known := seen[string(text)]
		seen[string(text)] = true
		return known && err == nil
	})
}

// Tried returns the single changes that were tried, those of earlier explorers too.
func (e *Explorer) Tried() []uint64 { return slices.Concat(e.options.Tried, e.tried) }

// OldExists reports whether the old object of an input, if it has one, can exist (Options.Stores).
func (e *Explorer) OldExists(ctx context.Context, in Input) (bool, error) {
	return e.old.exist(ctx, in)
}

// batchSize is how many inputs are made before their answers are looked at. It does not depend on
// the number of cores, so that the inputs do not either.
const batchSize = 64

// Step makes some inputs, asks about them, and plans the next ones. The first steps judge the
// starts. The error is one of Ask or Found.
func (e *Explorer) Step(ctx context.Context) error {
	if !e.began {
		e.began = true
		e.begin()
	}
	if n := min(batchSize, len(e.unjudged)); n > 0 {
		batch := e.unjudged[:n]
		e.unjudged = e.unjudged[n:]
		return e.try(ctx, batch)
	}
	if e.generated < generatedStarts {
		e.generated++
		return e.generate(ctx)
	}
	if e.steps++; e.steps%backlogEvery == 0 || e.agenda.len() == 0 {
		if err := e.reportLater(ctx, backlogSize); err != nil {
			return err
		}
	}
	batch := e.forGoals()
	batch = append(batch, e.agenda.take(batchSize-len(batch))...)
	for i := range batch {
		e.realize(&batch[i])
	}
	for len(batch) < batchSize {
		in, ok := e.combined()
		if !ok {
			break
		}
		batch = append(batch, task{made: in})
	}
	return e.try(ctx, batch)
}

// try asks about tasks and learns from the answers, also if the context ends before the last one.
func (e *Explorer) try(ctx context.Context, batch []task) error {
	answers, failed := e.ask(ctx, batch)
	return errors.Join(e.learn(ctx, batch, answers), failed)
}

// Done reports whether no single change is left to be tried, and at least some inputs in a row showed nothing
// new. Without an accepted object nothing can be explored.
func (e *Explorer) Done(withoutNews int) bool {
	return e.began && len(e.unjudged) == 0 && e.generated == generatedStarts && e.agenda.len() == 0 && len(e.backlog) == 0 &&
		e.goalsTried() &&
		(e.stats.Quiet >= withoutNews || len(e.starts) == 0)
}

// ask asks about the inputs of tasks in parallel.
func (e *Explorer) ask(ctx context.Context, batch []task) ([]Answer, error) {
	answers := make([]Answer, 0, len(batch))
	queue := parallel.Queue[Input, Answer]{
		Parallel: e.options.Parallel, Do: e.options.Ask,
		Take: func(answer Answer) error { answers = append(answers, answer); return nil },
	}
	err := queue.Run(ctx, func(yield func(Input, error) bool) {
		for _, task := range batch {
			task.Stored = task.start
			if !yield(task.Input, nil) {
				return
			}
		}
	})
	return answers, err
}

// begin plans to judge the starts, small ones first.
func (e *Explorer) begin() {
	starts := slices.Concat(e.options.Starts, e.options.Known)
	slices.SortStableFunc(starts, func(a, b Input) int { return a.size() - b.size() })
	for _, in := range starts {
		e.values.add(e.options.Schema, in.Object)
		e.unjudged = append(e.unjudged, task{made: made{Input: e.sent(in)}, start: true})
		if in.IsUpdate() && !e.options.Updates {
			e.values.add(e.options.Schema, in.Old)
			e.unjudged = append(e.unjudged, task{made: made{Input: e.sent(Input{Object: in.Old})}, start: true})
		}
	}
	e.unjudged = distinct(e.unjudged)
}

// generatedStarts is how many objects are made to start from, and mendSteps how many changes may
// make each of them acceptable.
const (
	generatedStarts = 4
	mendSteps       = 300
)

// generate makes an object from the schema, and changes what a side refuses in it until one accepts
// it.
func (e *Explorer) generate(ctx context.Context) error {
	opts := e.options.Object
	opts.Values, opts.Defaulted = 1+e.src.IntN(12), true
	object := generate.Object(e.src, e.options.Schema, opts)
	var failed error
	wrong := func(object map[string]any) []generate.Mistake {
		if failed != nil {
			return nil
		}
		answer, err := e.options.Ask(ctx, e.sent(Input{Object: object}))
		e.stats.Shrinking++
		if failed = err; answer.accepted() {
			return nil
		}
		return answer.mistakes()
	}
	mended, _ := generate.Mend(e.src, e.options.Schema, object, generate.Mending{Wrong: wrong, Steps: mendSteps, Object: opts})
	if failed != nil {
		return failed
	}
	return e.try(ctx, []task{{made: made{Input: e.sent(Input{Object: mended})}, start: true}})
}

// learn looks at answers: it keeps what is new, plans changes of accepted objects, and reports
// findings.
func (e *Explorer) learn(ctx context.Context, batch []task, answers []Answer) error {
	var found []newFinding
	var failed error
	for i, answer := range answers {
		task := batch[i]
		if failed = e.options.Observe(task.Input, answer); failed != nil {
			break // earlier findings are reported
		}
		e.stats.Inputs++
		e.stats.Quiet++
		if task.id != 0 {
			e.tried = append(e.tried, task.id)
		}
		if answer.Undecided {
			e.stats.Undecided++
		}
		of, err := e.newFindings(ctx, task, answer)
		if failed = err; failed != nil {
			break
		}
		found = append(found, of...)
		e.keep(task, answer)
		e.plan(task, answer)
	}
	return errors.Join(e.report(ctx, found), failed)
}

// newFindings returns the findings of an answer that no earlier input shows as convincingly.
func (e *Explorer) newFindings(ctx context.Context, task task, answer Answer) (found []newFinding, err error) {
	for _, finding := range answer.Findings {
		kind := kindOf(task.Input, finding)
		if kind <= e.findings[finding.Signature] {
			continue
		}
		exists, err := e.old.exist(context.WithoutCancel(ctx), task.Input)
		switch {
		case err != nil:
			return found, err
		case !exists && !e.options.AnyOld:
			continue
		case !exists:
			kind = unstorable
		}
		if kind > e.findings[finding.Signature] {
			e.findings[finding.Signature] = kind
			found = append(found, newFinding{task.made, answer, finding, kind})
		}
	}
	return found, nil
}

// keep adds an input to the corpus if a side did something new: it reported a new error, reported one alone for the
// first time, or executed new code.
func (e *Explorer) keep(task task, answer Answer) {
	isNew := e.show(task.Input, answer)
	first := func(behavior string) bool {
		if e.behaviors[behavior] {
			return false
		}
		e.behaviors[behavior], isNew = true, true
		return true
	}
	for _, said := range answer.Errors {
		if first(said.Behavior) {
			e.planWords(task, said.Mistake)
		}
		if said.Alone && !e.alone[said.Behavior] {
			e.alone[said.Behavior], isNew = true, true
		}
	}
	for _, place := range answer.Executed {
		if !e.executed[place] {
			e.executed[place], isNew = true, true
		}
	}
	if isNew {
		e.stats.Quiet = 0
		e.corpus = append(e.corpus, task.made)
		e.kept = append(e.kept, task.Input)
	}
	if answer.accepted() {
		e.stats.Accepted++
	}
}
