package declarative_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// TestConcurrentFirstUse lets many goroutines be the first to validate by a schema: what
// they learn about its Go types is shared.
func TestConcurrentFirstUse(t *testing.T) {
	v := pods(t)
	wrong := pod(func(p *corev1.Pod) { p.Spec.Containers[0].Name = "" })
	done := make(chan string)
	const goroutines = 8
	for i := range goroutines {
		go func() {
			var all []string
			for _, object := range []any{pod(nothing), wrong} {
				typed, err := value.NewValueReflect(object)
				if err != nil {
					done <- err.Error()
					return
				}
				data, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
				if err != nil {
					done <- err.Error()
					return
				}
				both := []value.Value{typed, value.NewValueInterface(data)}
				for at := range both {
					all = append(all, lines(v.Validate(t.Context(), both[(at+i)%len(both)], nil))...)
				}
			}
			done <- fmt.Sprint(all)
		}()
	}
	missing := `FieldValueRequired spec.containers[0].name "" `
	for range goroutines {
		if got, want := <-done, fmt.Sprint([]string{missing, missing}); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
