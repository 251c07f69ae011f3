// Package instrument rewrites Go sources so that calls of validators are recorded.
//
// File rewrites a source file, and Test a file of tests. They insert calls of package recorder and
// return the functions that are recorded, and those that cannot be instrumented with the reason. Each
// line of the source stays on its line, so coverage, panics and the compiler name the same lines.
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
// Names, types, receivers and type parameters do not change, so all callers of the function call the
// recorded one.
//
// The signature alone decides whether a function is a validator: its results, its name, and the kinds
// of its parameters. Package recorder checks what only the values of a call show, such as whether a
// parameter is an API object.
package instrument
