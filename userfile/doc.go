// Package userfile has the errors about files that users write: suites, cases, rules, exceptions, schemas and
// overlays. Each mistake has its file and line.
//
// Functions that load such files, for instance cases.Load and
// equivalence.LoadRules, return all mistakes at once as [Mistakes]:
//
//	plan, err := cases.Load(places, options)
//	var mistakes userfile.Mistakes
//	if errors.As(err, &mistakes) {
//		for _, m := range mistakes {
//			fmt.Printf("%s line %d: %s\n", m.File, m.Line, m.Message)
//		}
//	}
package userfile
