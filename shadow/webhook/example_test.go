package webhook_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/metrics"
	"github.com/diffrun/diffrun/shadow"
	"github.com/diffrun/diffrun/shadow/webhook"
)

// A manager registers the validator with a Shadow around it, and the collectors with the
// registry that it serves already (metrics.Registry of controller-runtime).
func ExampleValidator() {
	var log bytes.Buffer
	measured, err := shadowed([]byte(definition), validator{},
		slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: withoutTime})))
	if err != nil {
		panic(err)
	}
	for range 2 {
		warnings, err := measured.ValidateCreate(context.Background(), &Widget{Size: 10})
		fmt.Println(warnings, err)
	}
	fmt.Println(strings.NewReplacer(" signature=", "\n  signature=", " declarative=", "\n  declarative=").Replace(log.String()))
	// Output:
	// [] <nil>
	// [] <nil>
	// level=ERROR msg="declarative validation: too-strict (refuses): example.dev/v1 Widget size"
	//   signature=152c11301840c6ad operation=CREATE subresource="" native=""
	//   declarative="Invalid value: size in body should be less than or equal to #"
}

func shadowed(crd []byte, validator admission.Validator[*Widget], logger *slog.Logger) (admission.Validator[*Widget], error) {
	target, err := customresource.NewTarget(crd, shadow.Native{})
	if err != nil {
		return nil, err
	}
	beside, err := shadow.New(target, shadow.Options{
		Metrics:  metrics.New(), // its Collector is registered with the registry of the program
		Logger:   logger,
		Overhead: 0.05, // at most a twentieth of the time of the validator
	})
	if err != nil {
		return nil, err
	}
	return webhook.Validator(beside, validator), nil
}

func withoutTime(_ []string, attr slog.Attr) slog.Attr {
	if attr.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return attr
}
