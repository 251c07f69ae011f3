// Command policies is the validating webhook of docs/policies.md: Pods may use the ports of their nodes only
// in a range.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/backends/native/exec"
)

// The ports of nodes that Pods may use.
const first, last = 8000, 9000

// hostPorts denies ports of the node outside of the range.
func hostPorts(_ context.Context, pod, old *corev1.Pod) field.ErrorList {
	if old != nil {
		return nil // the ports of a Pod cannot change
	}
	errs := outside(pod.Spec.InitContainers, field.NewPath("spec", "initContainers"))
	return append(errs, outside(pod.Spec.Containers, field.NewPath("spec", "containers"))...)
}

func outside(containers []corev1.Container, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, container := range containers {
		for j, port := range container.Ports {
			if port.HostPort != 0 && (port.HostPort < first || port.HostPort > last) {
				at := path.Index(i).Child("ports").Index(j).Child("hostPort")
				errs = append(errs, field.Invalid(at, port.HostPort, fmt.Sprintf("must be between %d and %d, inclusive", first, last)))
			}
		}
	}
	return errs
}

func main() {
	if err := exec.Serve(context.Background(), os.Stdin, os.Stdout, native.Func[*corev1.Pod](hostPorts)); err != nil {
		log.Fatal(err)
	}
}
