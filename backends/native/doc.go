// Package native turns hand-written validators into native backends for package harness.
//
// Use [Func] for a Go function that returns a field.ErrorList, [ErrorFunc] for one that
// returns an error, as validators of controller-runtime webhooks do, and [Adapt] for one
// with an error type of its own. The functions take pointers to your Go type; documents
// are decoded into it first.
//
// exec.Serve makes each of them a program, and webhook.Handler a webhook.
//
// Validators in other processes are in packages exec (a program) and webhook below this
// one. Package kubernetes has the validators of Kubernetes' own kinds.
package native
