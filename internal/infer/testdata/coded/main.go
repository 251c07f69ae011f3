// Command coded validates listeners. Which protocols it means is in its code alone.
package main

import (
	"context"
	"log"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/backends/native/exec"
)

type thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec struct {
		Protocol string  `json:"protocol"`
		Hostname *string `json:"hostname"`
	} `json:"spec"`
}

func (t *thing) DeepCopyObject() runtime.Object { copied := *t; return &copied }

const datagrams = "UDP"

var withoutNames = map[string]struct{}{"TCP": {}, datagrams: {}}

func validate(_ context.Context, t, _ *thing) (errs field.ErrorList) {
	if _, is := withoutNames[t.Spec.Protocol]; is && t.Spec.Hostname != nil {
		errs = append(errs, field.Forbidden(field.NewPath("spec", "hostname"), "must be empty"))
	}
	return errs
}

func main() {
	if err := exec.Serve(context.Background(), os.Stdin, os.Stdout, native.Func[*thing](validate)); err != nil {
		log.Fatal(err)
	}
}
