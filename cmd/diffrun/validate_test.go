package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/harness"
)

// validateWith runs "diffrun validate" with pipes for stdin and stdout.
func validateWith(t *testing.T, stdin io.Reader, args ...string) (stdout *os.File, status chan int) {
	t.Helper()
	stdout, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	command := program{stdin: stdin, stdout: newTerminal(out), stderr: newTerminal(null), builtins: kubernetesBuiltins(), now: time.Now}
	status = make(chan int, 1)
	go func() {
		status <- command.execute(context.Background(), append([]string{"validate"}, args...))
		out.Close()
		null.Close()
	}()
	return stdout, status
}

// A program may wait for each answer before it writes the next line.
func TestLinesAreAnsweredAtOnce(t *testing.T) {
	stdin, in := io.Pipe()
	out, status := validateWith(t, stdin, "--jsonl")
	answers := bufio.NewScanner(out)
	for i := range 5 {
		fmt.Fprintf(in, `{"id":"%d","schema":{"type":"object"},"object":{}}`+"\n", i)
		if want := fmt.Sprintf(`{"id":"%d","valid":true,"errors":[]}`, i); !answers.Scan() || answers.Text() != want {
			t.Fatalf("got %q, want %q (%v)", answers.Text(), want, answers.Err())
		}
	}
	in.Close()
	if got := <-status; got != 0 {
		t.Errorf("exit status %d", got)
	}
}

// Memory does not grow with the input, not even where each line has another
// schema.
func TestLinesStream(t *testing.T) {
	const lines = 8_000
	padding := strings.Repeat("x", 12_000)
	before := heapInUse() // other tests leave Kubernetes' schemas behind
	stdin, in := io.Pipe()
	go func() {
		for i := range lines {
			fmt.Fprintf(in, `{"id":"%d","schema":{"type":"object","description":"%s %d","maxProperties":1},"object":{"a":1}}`+"\n", i, padding, i)
		}
		in.Close()
	}()
	out, status := validateWith(t, stdin, "--jsonl")
	answers, count, most := bufio.NewScanner(out), 0, uint64(0)
	for answers.Scan() {
		if want := fmt.Sprintf(`{"id":"%d","valid":true,"errors":[]}`, count); answers.Text() != want {
			t.Fatalf("got %q, want %q", answers.Text(), want)
		}
		if count++; count%1000 == 0 {
			most = max(most, heapInUse())
		}
	}
	if got := <-status; got != 0 || count != lines {
		t.Errorf("exit status %d after %d of %d answers", got, count, lines)
	}
	// 100 MB went in; what is compiled of 16 MiB of schemas stays.
	if limit := before + 64<<20; most > limit {
		t.Errorf("%d MiB in use, more than %d", most>>20, limit>>20)
	}
}

func heapInUse() uint64 {
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	return memory.HeapAlloc
}

func TestTaskQueue(t *testing.T) {
	failed := errors.New("failed")
	count := func(n int, err error) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			for i := range n {
				if !yield(i, nil) {
					return
				}
			}
			if err != nil {
				yield(0, err)
			}
		}
	}
	for _, test := range []struct {
		why   string
		items iter.Seq2[int, error]
		take  func(int) error
		want  string
	}{
		{"results come in the order of the items, whenever they are ready", count(8, nil), func(int) error { return nil }, "01234567 <nil>"},
		{"an error of reading ends the run after what was read", count(3, failed), func(int) error { return nil }, "012 failed"},
		{"an error of writing ends the run at once", count(1000, nil), func(i int) error {
			if i == 2 {
				return failed
			}
			return nil
		}, "012 failed"},
	} {
		var got strings.Builder
		queue := taskQueue[int, int]{
			parallel: 4,
			work: func(_ context.Context, i int) int {
				time.Sleep(time.Duration(8-i%8) * time.Millisecond)
				return i
			},
			take: func(i int) error {
				fmt.Fprint(&got, i)
				return test.take(i)
			},
			idle: func() error { return nil },
		}
		err := queue.run(t.Context(), test.items)
		fmt.Fprint(&got, " ", err)
		if diff := cmp.Diff(test.want, got.String()); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.why, diff)
		}
	}
}

// An interrupt ends a run that waits for input, and one whose work is cut short
// hands on nothing that is not finished.
func TestTaskQueueInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	queue := taskQueue[int, int]{
		work: func(ctx context.Context, i int) int {
			if i == 1 {
				cancel(errors.New("interrupted"))
			}
			return i
		},
		take: func(i int) error {
			if i > 0 {
				t.Errorf("took %d", i)
			}
			return nil
		},
		idle: func() error { return nil },
	}
	never := make(chan int)
	err := queue.run(ctx, func(yield func(int, error) bool) {
		_ = yield(0, nil) && yield(1, nil)
		<-never // as a read from a terminal
	})
	if err == nil || err.Error() != "interrupted" {
		t.Errorf("got %v", err)
	}
}

func TestSchemaCache(t *testing.T) {
	cache := newSchemaCache(compiler{engine: declarativeEngine})
	first := cache.get([]byte(`{"type":"object"}`))
	if cache.get([]byte(`{"type":"object"}`)) != first {
		t.Error("the same text was compiled anew")
	}
	for i := range 3 * maxCached / cachedAtLeast {
		cache.get(fmt.Appendf(nil, `{"type":"object","maxProperties":%d}`, i))
		cache.get([]byte(`{"type":"object"}`)) // in use all the time
	}
	if cache.weight > maxCached || len(cache.byText) != cache.recent.Len() || cache.weight != len(cache.byText)*cachedAtLeast {
		t.Errorf("%d schemas that weigh %d of %d are kept", len(cache.byText), cache.weight, maxCached)
	}
	if cache.get([]byte(`{"type":"object"}`)) != first {
		t.Error("a schema that is in use was dropped")
	}
	huge := fmt.Sprintf(`{"type":"object","description":%q}`, strings.Repeat("x", 2*maxCached))
	if _, err := cache.get([]byte(huge)).in(innerRole); err == nil {
		t.Error("a schema larger than any object compiled")
	}
	cache.get([]byte(`{}`))
	if cache.weight > maxCached {
		t.Error("a huge schema is kept")
	}
}

// A schema compiles once in each role, whoever asks.
func TestByRole(t *testing.T) {
	var asked []role
	all := newByRole(func(as role) (*compiled, error) {
		asked = append(asked, as)
		return nil, nil
	})
	for _, as := range []role{innerRole, innerRole, rootRole, statusRole, rootRole} {
		if _, err := all.in(as); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]role{innerRole, rootRole, statusRole}, asked); diff != "" {
		t.Error(diff)
	}
}

func TestDropField(t *testing.T) {
	for _, test := range []struct{ path, want, why string }{
		{"spec.a", "map[spec:map[b.c:map[d:2] list:[map[e:3]]]]", "a field"},
		{"spec.b.c.d", "map[spec:map[a:1 b.c:map[] list:[map[e:3]]]]", "a key with a dot on the way"},
		{"spec.list[0].e", "map[spec:map[a:1 b.c:map[d:2] list:[map[]]]]", "a field of an item"},
		{"spec.list[1].e", "", "an item that is not there"},
		{"spec.none", "", "a field that is not there"},
		{"spec[b.c]", "map[spec:map[a:1 list:[map[e:3]]]]", "a key in brackets"},
		{"spec[b.c].d", "map[spec:map[a:1 b.c:map[] list:[map[e:3]]]]", "a key in brackets on the way"},
		{"spec[none]", "", "a key that is not there"},
	} {
		object := map[string]any{"spec": map[string]any{
			"a": int64(1), "b.c": map[string]any{"d": int64(2)}, "list": []any{map[string]any{"e": int64(3)}},
		}}
		got := ""
		if dropField(object, test.path) {
			got = fmt.Sprint(object)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.why, diff)
		}
	}
}

// A compiler that panics or hangs costs the objects that need it, not the run.
func TestCompilerIsGuarded(t *testing.T) {
	for _, test := range []struct {
		compile func() (*compiled, error)
		want    string
		why     string
	}{
		{func() (*compiled, error) { panic("no luck") }, "panic: no luck", "a panic"},
		{func() (*compiled, error) { select {} }, "timeout: the declarative backend did not answer within 50ms", "a hang"},
		{func() (*compiled, error) { return nil, errors.New("no schema") }, "no schema", "an error"},
	} {
		schema := newByRole(func(role) (*compiled, error) { return test.compile() })
		for range 2 { // the second one waits for the first one's answer
			backend := &foundBackend{name: "declarative", find: func() (*compiled, error) { return schema.in(innerRole) }}
			outcome := harness.Ask(t.Context(), backend, &harness.Input{}, 50*time.Millisecond)
			if outcome.Fault == nil || !strings.HasPrefix(outcome.Fault.Error(), test.want) {
				t.Errorf("%s: fault %v, want %q", test.why, outcome.Fault, test.want)
			}
		}
	}
}
