package errorsites

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native/exec/counting"
	"github.com/diffrun/diffrun/internal/gomodule/gotool"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Counter makes programs count what they execute, and adds up what all their answers executed. It implements counting.Counter,
// and is safe for concurrent use.
type Counter struct {
	mu       sync.Mutex
	programs []*program
	// places are those of all programs, by the number in harness.Outcome.Executed.
	places   []Place
	executed []bool
	unknown  []string
}

// program is what a program counts.
type program struct {
	places []Place
	graph  *callGraph
	first  int // the number of the first place among those of all programs
}

// NewCounter returns a counter.
func NewCounter() *Counter { return &Counter{} }

// Reached is how much of the code of programs was executed.
type Reached struct {
	// Sites counts the sites that were executed, and Branches the places that are none.
	Sites, Branches int
	// AllBranches counts all places that are no sites.
	AllBranches int
	// Never are the sites that were not executed, by file and line.
	Never []Site
}

// Text describes how many sites were executed; empty: there are none.
func (r Reached) Text() string {
	if r.Sites+len(r.Never) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d error sites and %d of %d branches of the validator reached", r.Sites, r.Sites+len(r.Never),
		r.Branches, r.AllBranches)
}

// mostNever is how many sites that were not executed are named.
const mostNever = 20

// Lines returns Text, and a line for each site that was not executed, up to a limit.
func (r Reached) Lines() (lines []string) {
	if r.Text() == "" {
		return nil
	}
	lines = append(lines, r.Text())
	for n, site := range r.Never {
		if n == mostNever {
			return append(lines, fmt.Sprintf("and %s never reached", plaintext.Count(len(r.Never)-n, "more site")))
		}
		lines = append(lines, fmt.Sprintf("never reached: %s:%d: %s", site.File, site.Line, site.Name))
	}
	return lines
}

// Instrument implements counting.Counter. It puts counters into the packages of the main module that the program
// has.
func (c *Counter) Instrument(ctx context.Context, program counting.Program) counting.Instrumented {
	instrumented, counted, err := instrument(ctx, program)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.doubt(program, err)
		return counting.Instrumented{}
	}
	counted.first = len(c.places)
	instrumented.First, instrumented.Counters = counted.first, len(counted.places)
	c.programs = append(c.programs, counted)
	c.places = append(c.places, counted.places...)
	c.executed = append(c.executed, make([]bool, len(counted.places))...)
	return instrumented
}

// NotBuilt implements counting.Counter.
func (c *Counter) NotBuilt(program counting.Program, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.doubt(program, fmt.Errorf("with counters, %w", err))
}

func (c *Counter) doubt(program counting.Program, err error) {
	c.unknown = append(c.unknown, fmt.Sprintf("go run %s: %v", strings.Join(program.Packages, " "), err))
}

// Unknown returns why programs do not count what they execute.
func (c *Counter) Unknown() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.unknown)
}

// Add implements counting.Counter. It records what an input executed.
func (c *Counter) Add(executed map[int]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for place := range executed {
		c.executed[place] = true
	}
}

// counts returns for each place of a program whether it counts: an executed function may call its function. A
// program has validators of other kinds too, which nothing calls. If nothing was executed, all places count.
func (c *Counter) counts(p *program) []bool {
	var executed []int
	for n, place := range p.places {
		if c.executed[p.first+n] {
			executed = append(executed, place.function)
		}
	}
	reachable := p.graph.closure(executed)
	counts := make([]bool, len(p.places))
	for n, place := range p.places {
		counts[n] = reachable[place.function] || len(executed) == 0
	}
	return counts
}

// Reached returns what was executed so far, of the functions that the executed ones may call. A place that several
// programs have counts once.
func (c *Counter) Reached() (r Reached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	type key struct {
		file         string
		line, column int
		branch       bool
	}
	reached, first := map[key]bool{}, map[key]Site{}
	for _, p := range c.programs {
		for n, counts := range c.counts(p) {
			if !counts {
				continue
			}
			place := p.places[n]
			at := key{place.File, place.Line, place.Column, place.Branch}
			reached[at] = reached[at] || c.executed[p.first+n]
			first[at] = place.Site
		}
	}
	for at, was := range reached {
		switch {
		case at.branch && was:
			r.Branches++
		case !at.branch && was:
			r.Sites++
		case !at.branch:
			r.Never = append(r.Never, first[at])
		}
		if at.branch {
			r.AllBranches++
		}
	}
	slices.SortFunc(r.Never, func(a, b Site) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return r
}

// Sites returns for each error of an answer the site that made it; nil: no site of a program that counts, or
// it is unknown. executed is what the input executed.
func (c *Counter) Sites(executed map[int]int, errs field.ErrorList) []*Site {
	made := make([]*Site, len(errs))
	if len(executed) == 0 {
		return made
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var sites []Site
	ran := map[int]int{}
	for _, place := range slices.Sorted(maps.Keys(executed)) {
		if !c.places[place].Branch {
			ran[len(sites)] = executed[place]
			sites = append(sites, c.places[place].Site)
		}
	}
	for i, site := range Assign(sites, ran, errs) {
		if site != NoSite {
			made[i] = &sites[site]
		}
	}
	return made
}

// Lines returns the files and lines of the sites among the executed places, and of all sites that are counted.
func (c *Counter) Lines(executed map[int]int) (ran, all map[string]bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ran, all = map[string]bool{}, map[string]bool{}
	for n, place := range c.places {
		if place.Branch {
			continue
		}
		line := fmt.Sprintf("%s:%d", place.File, place.Line)
		all[line] = true
		if _, is := executed[n]; is {
			ran[line] = true
		}
	}
	return ran, all
}

// instrument returns how to build a program that counts, and what it counts.
func instrument(ctx context.Context, of counting.Program) (made counting.Instrumented, counted *program, err error) {
	if !canCount {
		return made, nil, errors.New("only programs on Unix can count what they execute")
	}
	command := gotool.Command{Program: of.Tool, Dir: of.Dir, Env: slices.Concat(os.Environ(), of.Env)}
	patterns, err := mainPackages(ctx, command, of)
	if err != nil {
		return made, nil, err
	}
	f, err := load(&packages.Config{Context: ctx, Dir: of.Dir, Env: command.Env, BuildFlags: of.Flags}, patterns)
	if err != nil {
		return made, nil, err
	}
	f.allErrors = true
	f.find()
	folder, err := os.MkdirTemp("", "diffrun-counters-")
	if err != nil {
		return made, nil, err
	}
	made.Close = func() error { return os.RemoveAll(folder) }
	defer func() {
		if err != nil {
			err = errors.Join(err, made.Close())
		}
	}()
	flags, base := withoutOverlay(of.Flags)
	overlay, err := gotool.NewOverlay(folder, base, of.Dir)
	if err != nil {
		return made, nil, err
	}
	if counted, err = f.put(overlay); err != nil {
		return made, nil, err
	}
	if !slices.ContainsFunc(counted.places, func(p Place) bool { return !p.Branch }) {
		return made, nil, errors.New("no function that its validators call makes an error, in the main module")
	}
	file, err := overlay.Write()
	made.Flags = append(flags, "-overlay="+file)
	return made, counted, err
}

// mainPackages returns the patterns of the packages of a program that an overlay can replace: those of main
// modules, and the program itself.
func mainPackages(ctx context.Context, command gotool.Command, program counting.Program) ([]string, error) {
	type listed struct {
		ImportPath string
		Module     *gotool.Module
	}
	flags := slices.Concat([]string{"list", "-deps", "-json=ImportPath,Module"}, program.Flags, program.Packages)
	found, err := gotool.List[listed](ctx, command, flags...)
	if err != nil {
		return nil, err
	}
	var patterns []string
	for _, p := range found {
		switch {
		case p.ImportPath == "command-line-arguments":
			patterns = append(patterns, program.Packages...)
		case serves(p.ImportPath):
		case p.Module != nil && (p.Module.Main || p.Module.Replace != nil && isLocal(p.Module.Replace.Path)):
			patterns = append(patterns, p.ImportPath)
		}
	}
	return patterns, nil
}

// serves reports whether a package is one of diffrun that serves validators. It is in the main module of the
// programs in diffrun's own repository.
func serves(path string) bool {
	inside, ours := strings.CutPrefix(path, "github.com/diffrun/diffrun/")
	return ours && !strings.HasPrefix(inside, "examples/") && !strings.Contains(inside, "/testdata/")
}

// isLocal reports whether the path of a replacement is a folder.
func isLocal(path string) bool {
	return strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../") || strings.HasPrefix(path, "/")
}

// withoutOverlay returns flags without -overlay, and the value of that flag.
func withoutOverlay(flags []string) (others []string, overlay string) {
	for i := 0; i < len(flags); i++ {
		name, value, has := strings.Cut(strings.TrimLeft(flags[i], "-"), "=")
		switch {
		case name == "overlay" && has:
			overlay = value
		case name == "overlay" && i+1 < len(flags):
			i++
			overlay = flags[i]
		default:
			others = append(others, flags[i])
		}
	}
	return others, overlay
}
