package main

import (
	"os"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"
	gatewayv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

// upgrade compares v0.7 and its webhook with v1.0, in this process.
func upgrade(t *testing.T) *harness.Harness {
	t.Helper()
	today, tomorrow := definition(t, "upstream/old.yaml"), definition(t, "upstream/new.yaml")
	target, err := world.NewTarget(
		world.World{Definition: today, Then: []world.Validating{{Backend: native.Func[*gatewayv1beta1.HTTPRoute](webhook)}}},
		world.World{Definition: tomorrow},
		"v1beta1",
	)
	if err != nil {
		t.Fatal(err)
	}
	exceptions, err := equivalence.LoadExceptions("exceptions.yaml", read(t, "exceptions.yaml"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	both, err := harness.New(target, harness.Options{Compare: words.CompareVerdict, Exceptions: exceptions})
	if err != nil {
		t.Fatal(err)
	}
	return both
}

func definition(t *testing.T, file string) serving.Resource {
	t.Helper()
	read, err := customresource.ReadDefinition(read(t, file))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; \"sh fetch\" makes the files in upstream", err)
	}
	return data
}

// route returns a valid route with a change.
func route(change func(*gatewayv1beta1.HTTPRouteRule)) *gatewayv1beta1.HTTPRoute {
	cart := &gatewayv1beta1.HTTPRoute{ObjectMeta: metav1.ObjectMeta{Name: "cart", Namespace: "shop"}}
	rule := gatewayv1beta1.HTTPRouteRule{
		Matches: []gatewayv1beta1.HTTPRouteMatch{{
			Path: &gatewayv1beta1.HTTPPathMatch{Type: ptr.To(gatewayv1beta1.PathMatchPathPrefix), Value: ptr.To("/cart")},
		}},
		BackendRefs: []gatewayv1beta1.HTTPBackendRef{{BackendRef: gatewayv1beta1.BackendRef{
			BackendObjectReference: gatewayv1beta1.BackendObjectReference{Name: "cart", Port: ptr.To[gatewayv1beta1.PortNumber](8080)},
		}}},
	}
	change(&rule)
	cart.Spec.Rules = []gatewayv1beta1.HTTPRouteRule{rule}
	return cart
}

// The upgrade does not change the verdict of these routes, except for accepted exceptions.
func TestUpgrade(t *testing.T) {
	both := upgrade(t)
	for name, tc := range map[string]struct {
		route *gatewayv1beta1.HTTPRoute
		want  string // the field of the webhook's error
	}{
		"valid": {route: route(func(*gatewayv1beta1.HTTPRouteRule) {})},
		"a relative path": {
			route: route(func(rule *gatewayv1beta1.HTTPRouteRule) { rule.Matches[0].Path.Value = ptr.To("cart") }),
			want:  "spec.rules[0].matches[0].path.value",
		},
		"no port": {
			route: route(func(rule *gatewayv1beta1.HTTPRouteRule) { rule.BackendRefs[0].Port = nil }),
			want:  "spec.rules[0].backendRefs[0].port",
		},
		"a header twice, in capitals once": {
			route: route(func(rule *gatewayv1beta1.HTTPRouteRule) {
				rule.Matches[0].Headers = []gatewayv1beta1.HTTPHeaderMatch{{Name: "color", Value: "red"}, {Name: "Color", Value: "blue"}}
			}),
			want: "spec.rules[0].matches[0].headers",
		},
		"a redirect that has a backend": {
			route: route(func(rule *gatewayv1beta1.HTTPRouteRule) {
				rule.Filters = []gatewayv1beta1.HTTPRouteFilter{{
					Type:            gatewayv1beta1.HTTPRouteFilterRequestRedirect,
					RequestRedirect: &gatewayv1beta1.HTTPRequestRedirectFilter{StatusCode: ptr.To(302)},
				}}
			}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			errs := both.Test(t, harness.Case{Object: tc.route}) // was: webhook(t.Context(), tc.route, nil)
			if got := fieldOf(errs); got != tc.want {
				t.Errorf("errors %v, want one at %q", errs, tc.want)
			}
		})
	}
}

// fieldOf returns the field of the only error.
func fieldOf(errs field.ErrorList) string {
	if len(errs) != 1 {
		return ""
	}
	return errs[0].Field
}
