// Package killed has a validator whose test is killed.
package killed

import (
	"os"
	"syscall"

	v1 "example.com/widgets/api/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate kills the process if the size is 3.
func Validate(w *v1.Widget) *field.Error {
	if w.Spec.Size == 3 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	return nil
}
