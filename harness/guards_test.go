package harness

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness/words"
)

func TestUnguarded(t *testing.T) {
	mutate, then := Guard{Name: "mutate", Purpose: words.ToChange}, Guard{Name: "then", Purpose: words.ToRefuse}
	for _, tt := range []struct {
		why    string
		guards []Guard
		asked  []Asked
		want   bool
	}{
		{"the definition refused before any guard", []Guard{then}, nil, true},
		{"the webhook was asked", []Guard{mutate, then}, []Asked{{Guard: "then", Acted: true}}, false},
		{"a mutation precedes the definition", []Guard{mutate, then}, []Asked{{Guard: "mutate"}}, true},
		{"also if it changed the object", []Guard{mutate, then}, []Asked{{Guard: "mutate", Acted: true}}, true},
		{"a mutation refused the object itself", []Guard{mutate, then}, []Asked{{Guard: "mutate", Acted: true, Refused: true}}, false},
		{"mutations are all that the side has", []Guard{mutate}, []Asked{{Guard: "mutate"}}, false},
		{"conditions excluded the input", []Guard{then}, []Asked{{Guard: "then", Excluded: true}}, true},
		{"there is no guard", nil, nil, false},
	} {
		result := &Result{Native: Outcome{Errors: field.ErrorList{{}}, Asked: tt.asked}}
		if got := result.unguarded(capableBackend{can: Capabilities{Guards: tt.guards}}, capableBackend{}); got != tt.want {
			t.Errorf("%s: unguarded is %v", tt.why, got)
		}
	}
}
