package webhook_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/backends/native/webhook"
	"github.com/diffrun/diffrun/harness"
)

// Each kind of webhook, over real TLS, returns exactly the errors that its
// validator made, for many objects at once.
func TestWebhooks(t *testing.T) {
	ca := newAuthority(t)
	//lint:ignore SA1019 operators still have these
	old := admission.WithCustomValidator(clientgoscheme.Scheme, &corev1.ConfigMap{}, aggregated{})
	for name, handler := range map[string]http.Handler{
		"by hand on net/http":                  http.HandlerFunc(byHand),
		"Handler, of a function":               webhook.Handler(native.Func[*corev1.ConfigMap](validateFunc)),
		"controller-runtime's Validator":       admission.WithValidator(clientgoscheme.Scheme, invalid{}),
		"controller-runtime's CustomValidator": old,
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, handler, ca.serverConfig("127.0.0.1"))
			backend := newBackend(t, webhook.Options{URL: server.URL + "/validate", CAFile: ca.file})
			rejected := compare(t, backend, 200)
			if rejected == 0 || rejected == 200 {
				t.Errorf("%d of 200 objects were rejected: nothing was compared", rejected)
			}
			if diff := cmp.Diff(map[string]bool{"HTTP/2.0": true}, server.protocols); diff != "" {
				t.Errorf("protocols: -want +got:\n%s", diff)
			}
			if got := server.connections.Load(); got != 1 {
				t.Errorf("%d connections for 200 requests, want 1", got)
			}
		})
	}
}

// compare sends generated objects, many at once, and compares the answers with the validator itself. It
// returns the number of rejected objects.
func compare(t *testing.T, backend harness.Backend, objects int) (rejected int) {
	t.Helper()
	check(t, backend, input(map[string]string{"size": "1"}, nil), nil) // connects
	var asking sync.WaitGroup
	places := make(chan struct{}, 8)
	var mu sync.Mutex
	for i := range objects {
		asking.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			data, old := generate(i)
			var oldObject *corev1.ConfigMap
			if old != nil {
				oldObject = &corev1.ConfigMap{Data: old}
			}
			want := validate(&corev1.ConfigMap{Data: data}, oldObject)
			check(t, backend, input(data, old), want)
			mu.Lock()
			defer mu.Unlock()
			if len(want) > 0 {
				rejected++
			}
		})
	}
	asking.Wait()
	return rejected
}

// generate makes the object with a number, and an old object for every second one.
func generate(i int) (data, old map[string]string) {
	data = map[string]string{"i": strconv.Itoa(i)}
	if i%3 > 0 {
		data["size"] = strconv.Itoa((i % 7) - 2)
	}
	if i%5 == 0 {
		data["color"] = []string{"red, green: blue", "[a: Required value, b: \"c\"]", "two\nlines", ""}[i/5%4]
	}
	if i%2 == 0 {
		old = map[string]string{"size": strconv.Itoa((i % 4) - 2)}
	}
	return data, old
}

// check asks once.
func check(t *testing.T, backend harness.Backend, in *harness.Input, want field.ErrorList) {
	t.Helper()
	got, err := backend.Validate(t.Context(), in)
	if err != nil {
		t.Errorf("fault: %v", err)
		return
	}
	if diff := cmp.Diff(asRead(t, want), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// asRead returns errors with their values as decoded from JSON, because that is how they arrive.
func asRead(t *testing.T, errs field.ErrorList) (read field.ErrorList) {
	t.Helper()
	for _, err := range errs {
		data, jsonErr := json.Marshal(err.BadValue)
		arrived := *err
		if jsonErr = errors.Join(jsonErr, json.Unmarshal(data, &arrived.BadValue)); jsonErr != nil {
			t.Error(jsonErr)
		}
		read = append(read, &arrived)
	}
	return read
}
