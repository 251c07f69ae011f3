package run

import (
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

// listCases prints the id of each case that a run would compare, after the name of its suite, if there are several.
func listCases(env *Environment, options *Options, plan *cases.Plan) error {
	listed := 0
	for _, suite := range plan.Suites {
		prefix := ""
		if len(plan.Suites) > 1 {
			prefix = suite.Name + ": "
		}
		for c, err := range suite.Cases() {
			if err != nil {
				return err
			}
			if options.Only != nil && !options.Only.MatchString(c.ID) {
				continue
			}
			listed++
			if err := env.Stdout.Printf("%s%s\n", prefix, c.ID); err != nil {
				return err
			}
		}
	}
	if listed == 0 {
		return terminal.Exitf(terminal.Different, "there is no such case")
	}
	return nil
}
