// Package cases loads suites. A suite is a suite.yaml file that names two validators and the cases to
// compare them with. docs/reference/suites.md has the keys of a suite, and docs/reference/cases.md
// the formats of cases.
//
// [Files.Find] finds the suites at a path, and [Load] loads them with the rules, exceptions and
// cases that they name. Options.Builtins has validators and schemas that are linked into the program.
// [Suite.Jobs] returns each case with the harness of its kind, ready for harness.Run, and
// [Suite.Events] also what is not compared:
//
//	plan, err := cases.Load(locations, cases.Options{Now: time.Now()})
//	if err != nil {
//		return err // all mistakes in the files, as a userfile.Mistakes
//	}
//	defer plan.Close()
//	for _, suite := range plan.Suites {
//		jobs := suite.Jobs(cases.JobOptions{Harness: harness.Options{Rules: suite.Rules, Exceptions: suite.Exceptions}})
//		err := harness.Run(ctx, jobs, harness.RunOptions{}, func(r harness.Result) error { … })
//	}
//
// A mistake in a suite, or in a case file as a whole, prevents the run. A mistake inside one case is
// a fault of that case, and the other cases run.
package cases
