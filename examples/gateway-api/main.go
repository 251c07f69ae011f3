// Command gateway-api is the validating webhook of Gateway API v0.7 as a program that
// diffrun can start: the validators are imported from the project's module.
package main

import (
	"context"
	"log"
	"os"

	"k8s.io/apimachinery/pkg/util/validation/field"
	gatewayv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"
	"sigs.k8s.io/gateway-api/apis/v1beta1/validation"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/backends/native/exec"
)

// webhook is the validation of routes, as the webhook of v0.7 calls it.
func webhook(_ context.Context, route, _ *gatewayv1beta1.HTTPRoute) field.ErrorList {
	return validation.ValidateHTTPRoute(route)
}

func main() {
	validator := native.Func[*gatewayv1beta1.HTTPRoute](webhook)
	if err := exec.Serve(context.Background(), os.Stdin, os.Stdout, validator); err != nil {
		log.Fatal(err)
	}
}
