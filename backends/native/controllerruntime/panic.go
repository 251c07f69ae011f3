package controllerruntime

import (
	"context"
	"runtime/debug"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	reviews "github.com/diffrun/diffrun/internal/admission"
)

// place is where in the user's code a webhook panicked; empty: nowhere, or unknown.
type place string

type placeKey struct{}

// A webhook of controller-runtime recovers its panics and calls these handlers, the only ones that see the stack.
func init() { utilruntime.PanicHandlers = append(utilruntime.PanicHandlers, notePlace) }

// notePlace is called while a panic is recovered.
func notePlace(ctx context.Context, _ any) {
	if panicked, asked := ctx.Value(placeKey{}).(*place); asked {
		*panicked = place(reviews.StackPlace(string(debug.Stack())))
	}
}
