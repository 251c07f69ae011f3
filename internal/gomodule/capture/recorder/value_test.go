package recorder

import (
	"bytes"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type ring struct{ Next *ring }

type locked struct {
	sync.Mutex
	Max int
}

// TestReceivers: the fields of a validator that can be serialized are an input of its calls; the others are
// named.
func TestReceivers(t *testing.T) {
	around := &ring{}
	around.Next = around
	type limits struct{ max int }
	type validator struct {
		Limits limits
		Kinds  map[string][]int
		Client any
		next   func()
	}
	fixed := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		why      string
		receiver any
		want     string
		left     []string
	}{
		{"a configuration", &validator{Limits: limits{3}, Kinds: map[string][]int{"b": nil, "a": {1}}},
			`{"Limits":{"max":3},"Kinds":{"a":[1],"b":null},"Client":null,"next":null}`, nil},
		{"a function", validator{next: func() {}}, `{"Limits":{"max":0},"Kinds":null,"Client":null}`,
			[]string{"receiver.next: a func cannot be written as JSON"}},
		{"a client", validator{Client: &locked{Max: 1}}, `{"Limits":{"max":0},"Kinds":null,"next":null}`,
			[]string{"receiver.Client: a recorder.locked has a sync.Mutex: it may change while it is read"}},
		{"locked itself", &locked{Max: 1}, "", []string{"receiver: it has a sync.Mutex: it may change while it is read"}},
		{"atomic", struct{ N atomic.Int32 }{}, "", []string{"receiver: it has a atomic.Int32: it may change while it is read"}},
		{"a ring", validator{Client: around}, `{"Limits":{"max":0},"Kinds":null,"next":null}`,
			[]string{"receiver.Client: " + strings.Repeat("Next: ", 32) + "it is nested too deep, or refers to itself"}},
		{"a store", struct{ Objects []string }{[]string{strings.Repeat("x", maxBytes+1), "y"}}, "",
			[]string{"receiver.Objects: it has more than 65536 bytes"}},
		{"the clock", struct{ A, B any }{time.Now(), metav1.Now()}, `{"A":"2000-01-01T12:00:00Z","B":"2000-01-01T12:00:00Z"}`, nil},
		{"a hidden time", struct{ a, b time.Time }{a: time.Now()}, `{"b":{"wall":0,"ext":0,"loc":null}}`,
			[]string{"receiver.a: it is a time in a field that is not exported"}},
		{"a time", struct{ A, B any }{fixed, metav1.NewTime(fixed)}, `{"A":"2020-01-02T03:04:05Z","B":"2020-01-02T03:04:05Z"}`, nil},
		{"nothing", struct{}{}, "", nil},
		{"nil", (*validator)(nil), "", nil},
		{"a map", map[string]int{"a": 1}, `{"a":1}`, nil},
		{"a buffer", &bytes.Buffer{}, `{"buf":null,"off":0,"lastRead":0}`, nil},
	} {
		line := one(t, Function{Name: "m.V.ValidateCreate", Receiver: "v", Parameters: []string{"w"}}, tt.receiver, &widget{})
		if string(line.Receiver) != tt.want || !cmp.Equal(tt.left, line.Unrecorded) {
			t.Errorf("%s: %s, unrecorded %q", tt.why, line.Receiver, line.Unrecorded)
		}
	}
	if line := one(t, Function{Name: "m.W.Validate", Receiver: "w"}, &widget{}); line.Receiver != nil {
		t.Errorf("a receiver that is the object is %s", line.Receiver)
	}
}

// TestAlone: goroutines that do not belong to a known test count for the test that runs alone.
func TestAlone(t *testing.T) {
	recorded(t, func() {
		Start(&Function{Name: "m.Validate", Parameters: []string{"w"}}, &widget{}).Close()
		other := func() (name string) { // of a server
			name = "?"
			inner := make(chan bool)
			go func() {
				go func() { name = testOf(goroutineID()); close(inner) }()
			}()
			<-inner
			return name
		}
		Test(t)
		if name := other(); name != "TestAlone" {
			t.Errorf("the test is %q", name)
		}
		t.Run("one", func(t *testing.T) {
			Test(t)
			if name := other(); name != "TestAlone/one" {
				t.Errorf("the test is %q", name)
			}
		})
		t.Run("group", func(t *testing.T) {
			for _, name := range []string{"a", "b"} {
				t.Run(name, func(t *testing.T) {
					Test(t)
					t.Parallel()
					if name := other(); name != "" {
						t.Errorf("the test is %q", name)
					}
				})
			}
		})
		if name := other(); name != "TestAlone" {
			t.Errorf("the test is %q", name)
		}
	})
}
