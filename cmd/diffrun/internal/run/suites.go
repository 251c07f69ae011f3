package run

import (
	"context"
	"iter"
	"slices"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

// LoadSuites loads the suites that the arguments name (findSuites). It completes the options. When the
// context ends, the files of the suites can no longer be
// read. It refuses suites that read a file that the command writes.
func (e *Environment) LoadSuites(ctx context.Context, args []string, options cases.Options, files *terminal.Files) (*cases.Plan, error) {
	suites, err := e.findSuites(ctx, args)
	if err != nil {
		return nil, err
	}
	return e.Load(suites, options, files)
}

// Load loads suites, as LoadSuites does.
func (e *Environment) Load(suites []cases.Location, options cases.Options, files *terminal.Files) (*cases.Plan, error) {
	for _, found := range suites {
		if found.Files.OnDisk {
			files.Input("", found.Name)
		}
	}
	if err := files.Check(); err != nil {
		return nil, terminal.Usage(err)
	}
	options.Builtins, options.Policies, options.Cluster, options.Kustomize = e.Builtins, e.Policies, e.Cluster, e.Kustomize
	options.Starting = func(doing string) func() { return e.startups.begin(e.Console, doing) }
	options.Now, options.Markers, options.Tags = e.Now(), e.Markers, e.tags()
	plan, err := cases.Load(suites, options)
	if err != nil {
		return nil, err
	}
	files.Input("", plan.Files...)
	if err := files.Check(); err != nil {
		_ = plan.Close() // nothing has run
		return nil, terminal.Usage(err)
	}
	terminal.WarnAll(e.Console, plan.Warnings)
	return plan, nil
}

// ShowIntents prints what a run will do outside of this machine.
func (e *Environment) ShowIntents(plan *cases.Plan) {
	for _, intent := range plan.Intents {
		e.Warn("diffrun: %s\n", intent)
	}
}

// Together returns groups of suites that can run at the same time, in their order.
func Together(suites []*cases.Suite) iter.Seq[[]*cases.Suite] {
	return func(yield func([]*cases.Suite) bool) {
		for rest := suites; len(rest) > 0; {
			n := slices.IndexFunc(rest, (*cases.Suite).Alone)
			switch n {
			case -1:
				n = len(rest)
			case 0:
				n = 1
			}
			if !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}
