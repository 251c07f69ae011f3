package soak_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/driver"
	_ "gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/memblob"
	"gocloud.dev/gcerrors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/files/bucket"
	"github.com/diffrun/diffrun/internal/live/counters"
	"github.com/diffrun/diffrun/internal/live/soak"
)

// different is a result with a difference at a field.
func different(at string) harness.Result {
	kind := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}
	return harness.Result{
		Suite: "widgets", Version: kind, Verdict: words.Different, Effect: words.Admits,
		Case:  &harness.Case{ID: "of " + at, Version: kind, Object: map[string]any{at: "a value"}},
		Pairs: []equivalence.Pair{{Class: difference.TooLoose, Native: field.Invalid(field.NewPath(at), 1, "must be even")}},
	}
}

// fates counts what happened to findings.
type fates struct {
	mu    sync.Mutex
	count map[counters.Fate]int
	why   error
}

func (f *fates) settled(_ soak.Found, fate counters.Fate, why error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count == nil {
		f.count = map[counters.Fate]int{}
	}
	f.count[fate]++
	if why != nil {
		f.why = why
	}
}

func (f *fates) of(fate counters.Fate) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.count[fate]
}

func open(t *testing.T, name string) (*soak.Folder, *fates) {
	t.Helper()
	told := &fates{}
	folder, err := soak.Open(t.Context(), name, soak.Options{
		Suites:    []string{"widgets"},
		Source:    "a test",
		Now:       time.Now,
		OnFinding: told.settled,
	})
	if err != nil {
		t.Fatal(err)
	}
	return folder, told
}

func take(t *testing.T, folder *soak.Folder, results ...harness.Result) {
	t.Helper()
	for _, result := range results {
		if err := folder.Take(result); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReplicas: replicas of a shadow find the same difference at the same time, with one bucket. Each finding
// is written once by one of them, and a replica that starts later writes none of them.
func TestReplicas(t *testing.T) {
	const findings, replicas = 40, 4
	var all []harness.Result
	for i := range findings {
		all = append(all, different(fmt.Sprint("field", string(rune('a'+i%26)), string(rune('a'+i/26)))))
	}
	for _, name := range []string{
		"file://" + filepath.ToSlash(t.TempDir()) + "/shared",
		fmt.Sprint("mem://replicas/", time.Now().UnixNano()),
	} {
		var told []*fates
		var folders []*soak.Folder
		for range replicas {
			folder, fates := open(t, name)
			folders, told = append(folders, folder), append(told, fates)
		}
		var done sync.WaitGroup
		for _, folder := range folders {
			done.Go(func() {
				take(t, folder, all...)
				if err := folder.Close(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		done.Wait()
		written, there := 0, 0
		for _, fates := range told {
			written, there = written+fates.of(counters.Written), there+fates.of(counters.There)
		}
		if written != findings || there != findings*(replicas-1) {
			t.Errorf("%s: %d written and %d found there; want %d and %d", name, written, there, findings, findings*(replicas-1))
		}
		for _, suffix := range []string{".jsonl", ".txt"} {
			files, err := fs.Glob(bucket.FS{Context: t.Context()}, name+"/differences/*"+suffix)
			if err != nil || len(files) != findings {
				t.Errorf("%s: %d files %s, %v", name, len(files), suffix, err)
			}
		}
		later, fates := open(t, name)
		take(t, later, all...)
		if err := later.Close(t.Context()); err != nil || len(fates.count) != 0 {
			t.Errorf("%s: a later one tells of %v, %v", name, fates.count, err)
		}
		if state := later.State(); state.Inputs != findings || state.Verdicts[string(words.Different)] != findings {
			t.Errorf("%s: a later one counts %+v", name, state)
		}
	}
}

// broken is a bucket that hangs or fails until it is repaired.
type broken struct {
	driver.Bucket
	mu     sync.Mutex
	fails  error // nil: it hangs
	mended bool
	stored map[string]string
}

func (b *broken) OpenBucketURL(context.Context, *url.URL) (*blob.Bucket, error) {
	return blob.NewBucket(b), nil
}

func (b *broken) ErrorCode(err error) gcerrors.ErrorCode {
	if errors.Is(err, fs.ErrExist) {
		return gcerrors.FailedPrecondition
	}
	return gcerrors.Unknown
}

func (b *broken) Close() error { return nil }

// answer is the reaction to each request.
func (b *broken) answer(ctx context.Context) error {
	b.mu.Lock()
	mended, fails := b.mended, b.fails
	b.mu.Unlock()
	if mended || fails != nil {
		return map[bool]error{false: fails}[mended]
	}
	<-ctx.Done()
	return ctx.Err()
}

func (b *broken) ListPaged(ctx context.Context, _ *driver.ListOptions) (*driver.ListPage, error) {
	return &driver.ListPage{}, b.answer(ctx)
}

func (b *broken) NewTypedWriter(ctx context.Context, key, _ string, options *driver.WriterOptions) (driver.Writer, error) {
	return &brokenWriter{Context: ctx, to: b, key: key, options: options}, nil
}

type brokenWriter struct {
	context.Context
	strings.Builder
	to      *broken
	key     string
	options *driver.WriterOptions
}

func (w *brokenWriter) Close() error {
	if err := w.to.answer(w.Context); err != nil {
		return err
	}
	w.to.mu.Lock()
	defer w.to.mu.Unlock()
	if _, there := w.to.stored[w.key]; there && w.options.IfNotExist {
		return fs.ErrExist
	}
	w.to.stored[w.key] = w.String()
	return nil
}

// brokenBuckets counts them: each has its own URL scheme.
var brokenBuckets int

// newBroken registers a broken bucket, and returns its URL.
func newBroken(fails error) (*broken, string) {
	b := &broken{fails: fails, stored: map[string]string{}}
	brokenBuckets++
	scheme := fmt.Sprint("broken", brokenBuckets)
	blob.DefaultURLMux().RegisterBucket(scheme, b)
	return b, scheme + "://bucket/shadow"
}

// TestBucketFails: nothing waits for a bucket that fails or hangs, each failure is reported, and findings of
// that time are written when it works again.
func TestBucketFails(t *testing.T) {
	for how, fails := range map[string]error{"fails": errors.New("out of service"), "hangs": nil} {
		synctest.Test(t, func(t *testing.T) {
			b, name := newBroken(fails)
			folder, told := open(t, name)
			before := time.Now()
			take(t, folder, different("size"), different("color"), different("size"))
			if waited := time.Since(before); waited != 0 {
				t.Errorf("%s: comparisons waited %v", how, waited)
			}
			time.Sleep(5 * time.Minute)
			if told.of(counters.Failed) < 4 || told.of(counters.Written) > 0 {
				t.Errorf("%s: %v", how, told.count)
			}
			b.mu.Lock()
			b.mended = true
			b.mu.Unlock()
			time.Sleep(2 * time.Minute)
			if told.of(counters.Written) != 2 || len(b.stored) != 4 {
				t.Errorf("%s: %v, %d objects", how, told.count, len(b.stored))
			}
			if err := folder.Close(t.Context()); err != nil {
				t.Errorf("%s: %v", how, err)
			}
		})
	}
}

// TestBucketFailsToTheEnd: findings that could not be written are reported one by one, as an error; the end
// does not exceed its timeout.
func TestBucketFailsToTheEnd(t *testing.T) {
	for how, fails := range map[string]error{"fails": errors.New("out of service"), "hangs": nil} {
		synctest.Test(t, func(t *testing.T) {
			_, name := newBroken(fails)
			folder, told := open(t, name)
			take(t, folder, different("size"), different("color"))
			time.Sleep(time.Minute)
			before := time.Now()
			closing, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			err := folder.Close(closing)
			if want := "new differences that were not written to " + name + "/differences: 2: "; err == nil ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%s: the end says %v; want %s", how, err, want)
			}
			if waited := time.Since(before); waited > 5*time.Second || told.of(counters.Dropped) != 2 {
				t.Errorf("%s: after %v: %v", how, waited, told.count)
			}
		})
	}
}

// TestBucketIsFull: findings beyond the limit of waiting bytes are reported, and are new again later.
func TestBucketIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, name := newBroken(errors.New("out of service"))
		folder, told := open(t, name)
		var all []harness.Result
		for _, at := range strings.Split("abcdefghijklmno", "") {
			result := different(at)
			result.Case.Object = map[string]any{at: strings.Repeat("x", 3<<20)}
			all = append(all, result)
		}
		take(t, folder, all...)
		dropped := told.of(counters.Dropped)
		if dropped != 5 || !errors.Is(told.why, soak.ErrFull) {
			t.Errorf("%d of 15 findings of 3 MiB have no room in 32 MiB: %v", dropped, told.why)
		}
		b.mu.Lock()
		b.mended = true
		b.mu.Unlock()
		time.Sleep(2 * time.Minute)
		take(t, folder, all...)
		if err := folder.Close(t.Context()); err != nil || told.of(counters.Written) != len(all) {
			t.Errorf("%v: %v", told.count, err)
		}
		if text := strings.Join(folder.State().Summary(), "\n"); !strings.Contains(text, "5 findings not kept") {
			t.Errorf("the summary lacks them:\n%s", text)
		}
	})
}

// TestNoBucket: a bucket that can never work is an error at once.
func TestNoBucket(t *testing.T) {
	for name, want := range map[string]string{
		"none://bucket/a": "none://bucket/a/differences: there is no driver for none:",
		"file://folder/a": "the path of a file URL is absolute; write three slashes, as in file:///folder",
	} {
		_, err := soak.Open(t.Context(), name, soak.Options{Now: time.Now, OnFinding: (&fates{}).settled})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", name, err, want)
		}
	}
}
