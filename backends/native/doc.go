// Package native turns hand-written validators into native backends for package harness.
//
// Use [Func] for a Go function that returns a field.ErrorList, [ErrorFunc] for one that
// returns an error, as validators of controller-runtime webhooks do, and [Adapt] for one
// with an error type of its own. The functions take pointers to your Go type; documents
// are decoded into it first.
//
// exec.Serve turns each of them into a program, and webhook.Handler into a webhook.
//
// Packages exec and webhook ask validators in other processes. Package kubernetes has the
// validators of the built-in kinds.
package native
