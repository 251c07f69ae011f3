package harness

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

func TestUnguarded(t *testing.T) {
	mutate, then := contract.Guard{Name: "mutate", Purpose: words.ToChange}, contract.Guard{Name: "then", Purpose: words.ToRefuse}
	for _, tt := range []struct {
		why    string
		guards []contract.Guard
		asked  []contract.Asked
		want   bool
	}{
		{"the definition refused before any guard", []contract.Guard{then}, nil, true},
		{"the webhook was asked", []contract.Guard{mutate, then}, []contract.Asked{{Guard: "then", Acted: true}}, false},
		{"a mutation precedes the definition", []contract.Guard{mutate, then}, []contract.Asked{{Guard: "mutate"}}, true},
		{"also if it changed the object", []contract.Guard{mutate, then}, []contract.Asked{{Guard: "mutate", Acted: true}}, true},
		{"a mutation refused the object itself", []contract.Guard{mutate, then},
			[]contract.Asked{{Guard: "mutate", Acted: true, Refused: true}}, false},
		{"mutations are all that the side has", []contract.Guard{mutate}, []contract.Asked{{Guard: "mutate"}}, false},
		{"conditions excluded the input", []contract.Guard{then}, []contract.Asked{{Guard: "then", Excluded: true}}, true},
		{"there is no guard", nil, nil, false},
	} {
		result := &Result{Native: Outcome{Errors: field.ErrorList{{}}, Asked: tt.asked}}
		if got := result.unguarded(capableBackend{can: contract.Capabilities{Guards: tt.guards}}, capableBackend{}); got != tt.want {
			t.Errorf("%s: unguarded is %v", tt.why, got)
		}
	}
}
