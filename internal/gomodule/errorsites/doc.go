// Package errorsites finds the places in the source of hand-written validators that make errors, and counts
// in running programs which of them an input executes.
//
// [Find] reads the source of packages and finds the calls of the constructors of package field (Invalid,
// Required and so on), literals of field.Error, and calls of functions that return what such a call made.
//
// A [Counter] is for programs that package exec builds, as in "exec: {command: [go, run, ./validator]}" of a
// suite. It looks at the main module of the program, at all functions that its validators can call, and at
// errors of all kinds: also those of fmt.Errorf, *apis.FieldError, metav1.StatusCause. With an overlay of the
// go command it makes the program count each site, and each branch, in memory that it shares with this
// process. So each answer has the numbers of the places that the input executed
// (harness.Outcome.Executed), at the cost of an atomic addition each:
//
//	counter := errorsites.NewCounter()
//	plan, err := cases.Load(suites, cases.Options{Counting: counter})
//	…
//	counter.Sites(result.Native.Executed, result.Native.Errors)  // the site of each error, by file and line
//	counter.Reached()                                            // names the sites that no input reached
//
// [ThisProgram] is for validators in this process, if it was built with -cover.
//
// Other validators have no counters: those behind a URL, in a cluster, in other languages.
// [Counter.Unknown] says why a program has none.
package errorsites
