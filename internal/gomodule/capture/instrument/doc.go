// Package instrument rewrites Go sources so that calls of validators are recorded.
//
// In goes the source of a file (File, or Test for a file of tests) and which functions are
// wanted. Out comes the source with calls of package recorder, the functions that it records,
// and those that cannot be instrumented, with the reason. Each line of the source stays on
// its line, so that coverage, panics and the compiler name the same places as before.
//
// The body of a function becomes a function literal:
//
//	func ValidateWidget(w *Widget) field.ErrorList { return nil }
//
//	func ValidateWidget(w *Widget) field.ErrorList {
//		call := recorder.Start(…, w)
//		defer call.Close()
//		results := func() field.ErrorList { return nil }()
//		call.End(results)
//		return results
//	}
//
// Names, types, receivers and type parameters stay what they are, so whoever calls the
// function, generic or not, calls the recorded one.
//
// A function is a validator by its signature alone: its results, its name, and the kinds of
// its parameters as the source has them. What only the values of a call show, such as
// whether a parameter is an object of an API, is left to package recorder. Which files are to
// be rewritten is left to package capture.
package instrument
