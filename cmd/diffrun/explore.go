package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/pprof"
	"time"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/exploring"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/findings/causes"
)

func (p *program) exploreCommand() *cobra.Command {
	var duration time.Duration
	var seed uint64
	command := &cobra.Command{
		Use: "explore [SUITE...]",
		RunE: func(command *cobra.Command, args []string) error {
			if f := os.Getenv("PROF"); f != "" {
				w, _ := os.Create(f)
				_ = pprof.StartCPUProfile(w)
				defer pprof.StopCPUProfile()
			}
			plan, err := p.LoadSuites(command.Context(), args, cases.Options{}, p.NewFiles())
			if err != nil {
				return err
			}
			defer plan.Close()
			ledger := plan.Ledger()
			opts := exploring.Options{Seed: seed, Warn: p.Warn,
				Jobs: func(s *cases.Suite) cases.JobOptions {
					return cases.JobOptions{Harness: harness.Options{Rules: s.Rules, Exceptions: s.Exceptions, Ledger: ledger, Compare: s.Scope("")}}
				},
				Observe: func(*exploring.Target, []harness.Result) error { return nil },
				Found: func(t *exploring.Target, f explore.Found, results []harness.Result) error {
					for i := range results {
						for _, c := range causes.Findings(&results[i]) {
							if c.Signature == f.Signature {
								text, _ := json.Marshal(f.Input)
								fmt.Printf("%s\n   %s\n   n=%v d=%v\n   %.600s\n", c.Text, f.Change, results[i].Native.Errors, results[i].Declarative.Errors, text)
							}
						}
					}
					return nil
				},
			}
			ctx, cancel := context.WithTimeout(command.Context(), duration)
			defer cancel()
			targets, err := exploring.Targets(plan, opts)
			if err != nil {
				return err
			}
			for {
				more := false
				for _, t := range targets {
					if err := t.Step(ctx, opts); err != nil {
						if ctx.Err() != nil {
							for _, t := range targets {
								if t.Explorer() != nil {
									fmt.Printf("%s %+v\n", t, t.Explorer().Stats())
								}
							}
							return nil
						}
						return err
					}
					more = more || !t.Explorer().Done(5000)
				}
				if !more {
					for _, t := range targets {
						fmt.Printf("%s %+v\n", t, t.Explorer().Stats())
					}
					return nil
				}
			}
		},
	}
	command.Flags().DurationVar(&duration, "duration", time.Minute, "")
	command.Flags().Uint64Var(&seed, "seed", 1, "")
	return command
}
