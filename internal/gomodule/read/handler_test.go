package read_test

import (
	"math/rand/v2"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/internal/gomodule/read/testdata/handlers"
)

// TestHandler runs a handler on generated requests: it refuses an object if and only if a condition is true.
func TestHandler(t *testing.T) {
	handler := &handlers.Validator{Decoder: admission.NewDecoder(runtime.NewScheme())}
	roots := load(t, "./testdata/handlers").roots(t)
	if len(roots) != 2 {
		t.Fatalf("%d roots, want one for creates and one for updates", len(roots))
	}
	for _, root := range roots {
		programs := programsOf(t, root.sites)
		random := rand.New(rand.NewPCG(*seed, 0))
		refused := 0
		for range 1000 {
			object := thing(random)
			old := before(random, object)
			request := admissionv1.AdmissionRequest{Operation: admissionv1.Operation(root.Operation),
				Object: runtime.RawExtension{Raw: []byte(text(object))}}
			request.UserInfo.Username = []string{"admin", "alice", ""}[random.IntN(3)]
			request.UserInfo.Groups = [][]string{nil, {"system:masters"}, {"a", "b"}}[random.IntN(3)]
			if root.Operation == "UPDATE" {
				request.OldObject.Raw = []byte(text(old))
			}
			response := handler.Handle(t.Context(), admission.Request{AdmissionRequest: request})
			sender, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&request.UserInfo)
			if err != nil {
				t.Fatal(err)
			}
			values := map[string]any{"self": plain(t, object), "oldSelf": plain(t, old), "request": map[string]any{"userInfo": sender}}
			isTrue := false
			for _, program := range programs {
				out, _, err := program.Eval(values)
				if err != nil {
					t.Fatal(err)
				}
				isTrue = isTrue || out.Value() == true
			}
			if !response.Allowed {
				refused++
			}
			if isTrue == response.Allowed {
				t.Fatalf("-seed %d: the conditions say %v, the handler %v %v\nobject: %s\nold: %s", *seed, isTrue, response.Allowed,
					response.Result, text(object), text(old))
			}
		}
		if refused == 0 || refused == 1000 {
			t.Errorf("-seed %d: %d of 1000 objects were refused", *seed, refused)
		}
	}
}
