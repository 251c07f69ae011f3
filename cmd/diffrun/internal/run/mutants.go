package run

import (
	"context"
	"slices"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/coverage/mutate"
)

// Mutants loads suites and runs the mutants of their schemas.
func Mutants(ctx context.Context, env *Environment, args []string, options *Options, files *terminal.Files,
	how mutate.Options) (report mutate.Report, failed error) {
	plan, err := env.LoadSuites(ctx, args, cases.Options{Parallel: options.Parallel, StartTimeout: options.StartTimeout}, files)
	if err != nil {
		return report, err
	}
	defer func() {
		if err := plan.Close(); failed == nil {
			failed = err
		}
	}()
	s := newSession(env, options, plan)
	env.ShowIntents(plan)
	var groups []mutate.Group
	for suites := range Together(plan.Suites) {
		group := mutate.Group{Enter: suites[0].Enter}
		for _, suite := range suites {
			group.Suites = append(group.Suites, mutate.Suite{
				Name:    suite.Name,
				Jobs:    s.jobs([]*cases.Suite{suite}),
				Options: s.harnessOptions(suite),
			})
		}
		groups = append(groups, group)
	}
	progress := &mutantProgress{console: env.Console, starting: env.startups.text}
	progress.bar = newProgress(env.Console.Stderr, 0, "inputs compared", env.startups.text)
	how.Compared, how.Begin, how.Done = progress.compared, progress.begin, progress.done
	report, err = mutate.Run(ctx, groups, how)
	progress.bar.stop()
	report.Narrowed = narrowingTexts(s.narrowings(true))
	switch {
	case ctx.Err() != nil && len(report.Mutants) == 0:
		return report, terminal.Exitf(terminal.Interrupted, "interrupted before a mutant was run; nothing is reported")
	case ctx.Err() != nil:
		return report, nil
	case err != nil:
		return report, err
	case report.Inputs == 0 && report.Undecided == 0 && len(s.selection.examples) > 0:
		return report, terminal.Exitf(terminal.Different, "%w", s.selection.noneSelected(options.Only))
	case report.Inputs == 0 && report.Undecided == 0:
		return report, terminal.Exitf(terminal.Different, "no case was compared, so no case notices anything")
	case report.Of == 0 && report.Undecided == 0:
		return report, terminal.Exitf(terminal.Different, "the schemas declare nothing that can be weakened")
	}
	s.warnOfBroken()
	return report, nil
}

// warnOfBroken prints the schemas that do not compile.
func (s *session) warnOfBroken() {
	slices.Sort(s.selection.broken)
	for _, text := range s.selection.broken {
		s.env.Warn("diffrun: %s\n", text)
	}
}
