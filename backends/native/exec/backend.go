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

	"github.com/diffrun/diffrun/backends/native/exec/counting"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/admission"
	"github.com/diffrun/diffrun/internal/process"
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
	Counting counting.Counter
}

// Builds reports whether the program is built, as one of a "go run" command is.
func (b *Backend) Builds() bool { return b.goRun != nil }

// Program returns the program that is built, if one is.
func (b *Backend) Program() (program counting.Program, builds bool) {
	if b.goRun == nil {
		return program, false
	}
	return b.goRun.source(), true
}

// Backend asks copies of a program. It implements harness.Backend and io.Closer.
type Backend struct {
	options  Options
	program  string // absolute
	goRun    *goRun // nil: Command is not "go run"
	startUp  *startUp
	children *process.Pool[*child]

	mu         sync.Mutex
	asked      map[types.UID]*admission.Question // in flight
	unreliable []error                           // answers after which a child printed more
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
	b := &Backend{
		options: options,
		program: program,
		goRun:   parseGoRun(program, options),
		startUp: newStartUp(options),
		asked:   map[types.UID]*admission.Question{},
	}
	b.children = process.NewPool(options.Parallel, errClosed, b.start)
	return b, nil
}

var errClosed = errors.New("the backend was closed")

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
func (*Backend) Name() string { return contract.NativeName }

// Validate asks the program about the input and records its warnings. The error is a fault: the
// program did not answer, and a new copy replaces it.
func (b *Backend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	return b.client().Validate(ctx, in)
}

// Capabilities implements contract.Capable: webhooks validate deletions.
func (*Backend) Capabilities() contract.Capabilities {
	return contract.Capabilities{ValidatesDeletes: true}
}

// Mutate asks the program, as a mutating webhook, how it changes the object of the input; nil means
// not at all. It implements world.Mutator. The error is a fault as in Validate, or the patch cannot
// be applied.
func (b *Backend) Mutate(ctx context.Context, in *harness.Input) (map[string]any, field.ErrorList, error) {
	return b.client().Mutate(ctx, in)
}

func (b *Backend) client() admission.Client { return admission.Client{At: b.program, Exchange: b.ask} }

// ask asks a child, and the next one if a child answered an earlier question.
func (b *Backend) ask(ctx context.Context, q *admission.Question) (answer admission.Decision, err error) {
	inPool, leave, err := b.children.Enter(ctx)
	switch {
	case errors.Is(err, errClosed):
		return answer, b.explain(err, nil)
	case err != nil:
		return answer, fmt.Errorf("all %d children of %s are busy: %w", b.options.Parallel, b.program, err)
	}
	defer leave()
	ctx, started := b.startUp.wait(inPool)
	defer started()
	b.asking(q, true)
	defer b.asking(q, false)
	failed, err := b.children.Ask(ctx, func(c *child) (err error) {
		answer, err = c.ask(ctx, q)
		return err
	})
	if err != nil {
		return admission.Decision{}, b.explain(err, failed)
	}
	return answer, nil
}

// explain returns the fault for an error of asking a child or, if there is none, of starting one.
func (b *Backend) explain(err error, asked *child) error {
	stderr := ""
	if asked != nil {
		err, stderr = fmt.Errorf("%w%s", err, b.other(err)), asked.stderr()
	}
	never := (*neverAnswered)(nil)
	switch {
	case errors.As(err, &never) && b.goRun != nil && !b.goRun.isBuilt():
		return &contract.Fault{
			Reason: words.FaultTimeout,
			Err: fmt.Errorf("%v: the validator was still being built after %v; build it beforehand and name the program in the "+
				"suite, or give a longer --start-timeout", b.goRun, never.after),
		}
	case errors.As(err, &never):
		return &contract.Fault{
			Reason: words.FaultTimeout,
			Err: fmt.Errorf("%s: the validator was started and did not answer within %v; it must read an AdmissionReview from "+
				"each line of stdin, and print the answer on one line of stdout; one that starts slowly needs a longer --start-timeout%s",
				b.startUp.command, never.after, stderr),
		}
	case asked == nil:
		return fmt.Errorf("starting %s: %w", b.startUp.command, err)
	}
	return fmt.Errorf("%s: %w%s", b.program, err, stderr)
}

// start starts a child; it builds the program of "go run" first.
func (b *Backend) start(ctx context.Context) (*child, error) {
	program, args := b.program, b.options.Command[1:]
	var counted *counters
	var err error
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
	c := &child{of: b, counters: counted}
	c.Child, err = process.Start(process.Command{
		Program: program,
		Args:    args,
		Dir:     b.options.Dir,
		Env:     slices.Concat(b.options.Env, counted.env()),
		MaxLine: admission.MaxResponse,
		Unasked: c.recordUnasked,
		Ended:   func() { _ = counted.close() }, // a temporary file
	})
	if err != nil {
		return nil, errors.Join(err, counted.close())
	}
	return c, nil
}

// asking adds a question to those in flight, or removes it.
func (b *Backend) asking(q *admission.Question, now bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
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

// Close stops all children: busy ones at once, idle ones by closing their stdin. Later inputs are
// faults. The error names the cases whose answers are in doubt because the program printed
// something after them.
func (b *Backend) Close() error {
	b.children.Close()
	b.mu.Lock()
	defer b.mu.Unlock()
	errs := b.unreliable
	b.unreliable = nil
	if b.goRun != nil {
		if err := b.goRun.close(); err != nil {
			errs = append(errs, err)
		}
	}
	slices.SortFunc(errs, func(one, other error) int { return strings.Compare(one.Error(), other.Error()) })
	return errors.Join(errs...)
}
