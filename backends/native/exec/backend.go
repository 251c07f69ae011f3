package exec

import (
	"context"
	"errors"
	"fmt"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/admission"
)

// Options selects the program to start.
type Options struct {
	// Command is the program and its arguments. A program without a slash is looked up in
	// PATH; one with a slash is relative to Dir.
	Command []string
	// Dir is the working directory of the program; if empty, that of this process.
	Dir string
	// Env is added to the environment of this process, as KEY=value.
	Env []string
	// StartTimeout is how long the program may take from its first start to its first answer, which is not time
	// of a case; zero: DefaultStartTimeout. If Command is "go run PACKAGE", it begins with the build of the package.
	StartTimeout time.Duration
	// Starting is called when the program begins to start, with a description such as "building the validator
	// (go run .)". It returns a function that is called when this has ended. It is optional.
	Starting func(doing string) (ended func())
	// Parallel is how many copies of the program may run at once; zero means one per core.
	Parallel int
	// Builds shares the program of a "go run" command with other backends. It is optional.
	Builds *Builds
	// Counting makes the program of a "go run" command count what it executes. It is optional.
	Counting Counting
}

// Builds reports whether the program is built, as one of a "go run" command is.
func (b *Backend) Builds() bool { return b.goRun != nil }

// Backend asks copies of a program. It implements harness.Backend and io.Closer.
type Backend struct {
	options Options
	program string // absolute
	goRun   *goRun // nil: Command is not "go run"
	startUp *startUp
	// places has an element for each question in flight.
	places  chan struct{}
	closing chan struct{}
	close   func()

	mu        sync.Mutex
	idle      []*child
	asked     map[types.UID]*admission.Question // in flight
	doubted   []error                           // answers that cannot be relied on
	failures  int                               // children that failed in a row
	notBefore time.Time                         // when the next child may start
}

// New returns a backend. It looks up the program without starting it, and returns an error if there
// is none.
func New(options Options) (*Backend, error) {
	if len(options.Command) == 0 || options.Command[0] == "" {
		return nil, errors.New("the command is empty; name a program and its arguments, for instance [./validator, --stdio]")
	}
	program, err := find(options.Command[0], options.Dir)
	if err != nil {
		return nil, err
	}
	if options.Parallel <= 0 {
		options.Parallel = runtime.GOMAXPROCS(0)
	}
	closing := make(chan struct{})
	return &Backend{
		options: options,
		program: program,
		goRun:   parseGoRun(program, options),
		startUp: newStartUp(options),
		places:  make(chan struct{}, options.Parallel),
		closing: closing,
		close:   sync.OnceFunc(func() { close(closing) }),
	}, nil
}

// find returns the absolute path of a program.
func find(name, dir string) (string, error) {
	path := name
	if filepath.Base(name) != name && !filepath.IsAbs(name) {
		path = filepath.Join(dir, name)
		if !filepath.IsAbs(path) {
			path = "." + string(filepath.Separator) + path // so that LookPath ignores PATH
		}
	}
	found, err := osexec.LookPath(path)
	if err != nil {
		hint := ""
		if path == name && errors.Is(err, osexec.ErrNotFound) {
			hint = "; a program beside the file that names it is written ./" + name
		}
		return "", fmt.Errorf("no program %q to start: %w%s", name, errors.Unwrap(err), hint)
	}
	return filepath.Abs(found)
}

// Name is "native".
func (*Backend) Name() string { return harness.NativeName }

// Validate asks the program about the input and records its warnings. The error is a fault: the
// program did not answer, and a new copy replaces it.
func (b *Backend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	return b.client().Validate(ctx, in)
}

// Capabilities implements harness.Capable: webhooks validate deletions.
func (*Backend) Capabilities() harness.Capabilities {
	return harness.Capabilities{ValidatesDeletes: true}
}

// Mutate asks the program, as a mutating webhook, how it changes the object of the input; nil means
// not at all. It implements world.Mutator. The error is a fault as in Validate, or the patch cannot
// be applied.
func (b *Backend) Mutate(ctx context.Context, in *harness.Input) (map[string]any, field.ErrorList, error) {
	return b.client().Mutate(ctx, in)
}

func (b *Backend) client() admission.Client { return admission.Client{At: b.program, Exchange: b.ask} }

// ask asks a child, and the next one if a child is out of step.
func (b *Backend) ask(ctx context.Context, q *admission.Question) (admission.Decision, error) {
	ctx, cancel := b.untilClosed(ctx)
	defer cancel()
	select {
	case b.places <- struct{}{}:
	case <-ctx.Done():
		return admission.Decision{}, fmt.Errorf("all %d children of %s are busy: %w", b.options.Parallel, b.program, context.Cause(ctx))
	}
	defer func() { <-b.places }()
	ctx, started := b.startUp.wait(ctx)
	defer started()
	b.asking(q, true)
	defer b.asking(q, false)
	for {
		c, err := b.take(ctx)
		if err != nil {
			return admission.Decision{}, b.explain(err, "")
		}
		err = c.counters.clear()
		var answer admission.Decision
		if err == nil {
			answer, err = c.answer(ctx, q)
		}
		if err == nil {
			err = c.counters.note(ctx)
		}
		switch {
		case err == nil:
			b.putBack(c)
			return answer, nil
		case errors.Is(err, errLate):
			b.blame(c, c.held)
			b.drop(c)
		default:
			b.drop(c)
			return admission.Decision{}, b.explain(fmt.Errorf("%w%s", err, b.other(err)), c.lastWords())
		}
	}
}

// explain returns the fault for an error of starting or asking a child.
func (b *Backend) explain(err error, lastWords string) error {
	never := (*neverAnswered)(nil)
	switch {
	case errors.As(err, &never) && b.goRun != nil && !b.goRun.isBuilt():
		return &harness.Fault{Reason: harness.FaultTimeout, Err: fmt.Errorf("%v: the validator was still being built after %v; build it beforehand and name the program in the suite, or give a longer --start-timeout", b.goRun, never.after)}
	case errors.As(err, &never):
		return &harness.Fault{Reason: harness.FaultTimeout, Err: fmt.Errorf("%s: the validator was started and did not answer within %v; it must read an AdmissionReview from each line of stdin, and print the answer on one line of stdout; one that starts slowly needs a longer --start-timeout%s", b.startUp.command, never.after, lastWords)}
	case lastWords == "":
		return fmt.Errorf("starting %s: %w", b.startUp.command, err)
	}
	return fmt.Errorf("%s: %w%s", b.program, err, lastWords)
}

// start starts a child; it builds the program of "go run" first.
func (b *Backend) start(ctx context.Context) (*child, error) {
	program, args := b.program, b.options.Command[1:]
	var counted *counters
	if b.goRun != nil {
		b.startUp.show("building the validator")
		built, err := b.goRun.program(ctx)
		if err != nil {
			return nil, err
		}
		program, args = built, b.goRun.args
		if counted, err = newCounters(b.goRun.out, b.goRun.counted, b.goRun.counting); err != nil {
			return nil, err
		}
	}
	b.startUp.show("starting the validator")
	c, err := start(program, args, b.options, counted)
	if err == nil {
		c.heard = b.startUp.answer
	}
	return c, err
}

// asking adds a question to those in flight, or removes it.
func (b *Backend) asking(q *admission.Question, now bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.asked == nil {
		b.asked = map[types.UID]*admission.Question{}
	}
	if now {
		b.asked[q.UID] = q
	} else {
		delete(b.asked, q.UID)
	}
}

// other names the case that an answer belongs to, if a different child is asked about it.
func (b *Backend) other(err error) string {
	wrong := (*admission.OtherRequestError)(nil)
	if !errors.As(err, &wrong) {
		return ""
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if q := b.asked[wrong.UID]; q != nil {
		return fmt.Sprintf("; that is %v", q)
	}
	return ""
}

// blame records that a child printed something after its answer, so it is unclear which of the two
// was meant. Close reports it.
func (b *Backend) blame(c *child, stray *line) {
	if stray == nil || c.last == nil {
		return
	}
	why := stray.err
	if why == nil {
		why = fmt.Errorf("it printed more: %s", admission.Beginning(stray.text))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.doubted = append(b.doubted, fmt.Errorf("%s: after its answer to %v, which is in doubt, %w", b.program, c.last, why))
}

var errClosed = errors.New("the backend was closed")

// untilClosed returns a context that ends with the backend.
func (b *Backend) untilClosed(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stopped := make(chan struct{})
	go func() {
		select {
		case <-b.closing:
			cancel(errClosed)
		case <-stopped:
		}
	}()
	return ctx, func() { close(stopped); cancel(nil) }
}

// take returns a live child. A child that ended while idle is replaced without losing a case.
func (b *Backend) take(ctx context.Context) (*child, error) {
	for {
		b.mu.Lock()
		if len(b.idle) == 0 {
			wait := time.Until(b.notBefore)
			b.mu.Unlock()
			if err := sleep(ctx, wait); err != nil {
				return nil, err
			}
			return b.start(ctx)
		}
		last := b.idle[len(b.idle)-1]
		b.idle = b.idle[:len(b.idle)-1]
		b.mu.Unlock()
		stray, ready := last.look()
		if ready {
			return last, nil
		}
		b.blame(last, stray)
		last.kill()
	}
}

func sleep(ctx context.Context, wait time.Duration) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if wait <= 0 {
		return nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// putBack makes a child that answered available for the next question.
func (b *Backend) putBack(c *child) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures, b.notBefore = 0, time.Time{}
	b.idle = append(b.idle, c)
}

// maxBackoff is the longest pause between a failure and the next start, so that a run whose cases
// all fail ends soon.
const maxBackoff = 500 * time.Millisecond

// drop ends a child that failed. The first one is replaced at once; repeated failures cause a
// backoff.
func (b *Backend) drop(c *child) {
	c.kill()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures > 0 {
		backoff := min(maxBackoff, 25*time.Millisecond<<min(b.failures, 10))
		b.notBefore = time.Now().Add(backoff)
	}
	b.failures++
}

// Close stops all children: busy ones at once, idle ones by closing their stdin. Later inputs are
// faults. The error names the cases whose answers are in doubt because the program printed
// something after them.
func (b *Backend) Close() error {
	b.close()
	for range cap(b.places) { // waits for the questions in flight
		b.places <- struct{}{}
	}
	b.mu.Lock()
	idle := b.idle
	b.idle = nil
	b.mu.Unlock()
	var ending sync.WaitGroup
	for _, c := range idle {
		ending.Go(func() { b.blame(c, c.end()) })
	}
	ending.Wait()
	for range cap(b.places) {
		<-b.places
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	doubted := b.doubted
	b.doubted = nil
	if b.goRun != nil {
		if err := b.goRun.close(); err != nil {
			doubted = append(doubted, err)
		}
	}
	slices.SortFunc(doubted, func(one, other error) int { return strings.Compare(one.Error(), other.Error()) })
	return errors.Join(doubted...)
}
