package soak

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/diffrun/diffrun/internal/files/bucket"
	"github.com/diffrun/diffrun/internal/live/counters"
)

// maxWaiting limits the bytes of findings that wait for a bucket.
const maxWaiting = 32 << 20

// ErrFull is the error for a finding that was dropped because too many wait for a bucket.
var ErrFull = fmt.Errorf("more differences wait for the bucket than the %d MiB that may; each is new again when it comes again",
	maxWaiting>>20)

const (
	writeTimeout = 30 * time.Second // of one finding
	listTimeout  = 5 * time.Second
	// The first pause after a failure, and the longest. The pause doubles after each failure.
	firstPause   = time.Second
	longestPause = time.Minute
)

// shared stores findings in a bucket. Several processes write to it: for each finding, one of them
// writes the case and the text. A goroutine writes, so comparisons do not wait.
type shared struct {
	url  string
	tell findingFunc

	mu      sync.Mutex
	waiting []*waiting
	bytes   int
	more    chan struct{} // has an element after something was added
	closing chan struct{} // closed when nothing will be added
	ended   chan struct{} // closed when nothing waits
	silent  bool          // the bucket did not answer at the start
	writing context.Context
	giveUp  context.CancelFunc
	dropped int   // at the end
	why     error // of the last of them
}

// waiting is a finding that is not written yet.
type waiting struct {
	found Found
	text  []byte
	began bool // its case was written by this process
}

func (w *waiting) bytes() int { return len(w.found.Line) + len(w.text) }

// openShared returns an error if the bucket can never be written. A bucket that does not answer now may
// do so later: that is reported to tell, without a finding.
func openShared(ctx context.Context, url string, tell findingFunc) (*shared, error) {
	s := &shared{
		url:     bucket.Join(url, differences),
		tell:    tell,
		more:    make(chan struct{}, 1),
		closing: make(chan struct{}),
		ended:   make(chan struct{}),
	}
	s.writing, s.giveUp = context.WithCancel(context.WithoutCancel(ctx))
	started, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	if later, err := bucket.Check(started, s.object("a")); err != nil {
		if object := (*fs.PathError)(nil); errors.As(err, &object) {
			object.Path = s.url // the user named the bucket, not the object
		}
		if !later {
			return nil, err
		}
		s.silent = true
		tell(Found{Path: s.url}, counters.Failed, err)
	}
	go s.run()
	return s, nil
}

func (s *shared) object(file string) string { return bucket.Join(s.url, file) }

func (s *shared) path(name string) string { return s.object(name + textFile) }

// names lists the findings of all processes. If the credentials only allow writing, or the bucket does
// not answer, the list is empty, and writing finds out what is there.
func (s *shared) names() ([]string, error) {
	if s.silent {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(s.writing, listTimeout)
	defer cancel()
	files, err := fs.Glob(bucket.FS{Context: ctx}, s.object("*"))
	if err != nil {
		s.tell(Found{Path: s.url}, counters.Failed, fmt.Errorf("its findings cannot be listed: %w", err))
	}
	var names []string
	for _, file := range files {
		file, _, _ = strings.Cut(path.Base(file), "?")
		name, is := strings.CutSuffix(file, caseFile)
		if !is {
			name, is = strings.CutSuffix(file, textFile)
		}
		if is {
			names = append(names, name)
		}
	}
	return names, nil
}

func (s *shared) keep(found Found, text []byte) (bool, error) {
	one := &waiting{found: found, text: text}
	if !s.add(one) {
		s.tell(found, counters.Dropped, ErrFull)
		return false, nil
	}
	return true, nil
}

// add queues a finding, and reports whether there is room for it.
func (s *shared) add(one *waiting) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes > 0 && s.bytes+one.bytes() > maxWaiting {
		return false
	}
	s.bytes += one.bytes()
	s.waiting = append(s.waiting, one)
	select {
	case s.more <- struct{}{}:
	default:
	}
	return true
}

// next removes and returns the first finding of the queue, or nil.
func (s *shared) next() *waiting {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		return nil
	}
	one := s.waiting[0]
	s.waiting[0], s.waiting = nil, s.waiting[1:]
	return one
}

// again queues a failed finding behind the others, which may not fail.
func (s *shared) again(one *waiting) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, one)
}

func (s *shared) forget(one *waiting) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes -= one.bytes()
}

// run writes queued findings. After a failure all of them wait, because most likely the bucket fails. At
// the end, each is tried once more.
func (s *shared) run() {
	defer close(s.ended)
	wait := firstPause
	for {
		one := s.next()
		if one == nil {
			select {
			case <-s.more:
				continue
			case <-s.closing:
				if one = s.next(); one == nil {
					return
				}
			}
		}
		fate, err := s.write(one)
		switch {
		case err == nil:
			wait = firstPause
		case s.isClosing():
			fate, s.dropped, s.why = counters.Dropped, s.dropped+1, err
		default:
			s.again(one)
			s.tell(one.found, counters.Failed, err)
			s.pause(wait)
			wait = min(2*wait, longestPause)
			continue
		}
		s.forget(one)
		s.tell(one.found, fate, err)
	}
}

// write writes a finding, unless another process has written it.
func (s *shared) write(one *waiting) (counters.Fate, error) {
	ctx, cancel := context.WithTimeout(s.writing, writeTimeout)
	defer cancel()
	if one.found.Line != nil && !one.began {
		written, err := bucket.PutNew(ctx, s.object(one.found.Name()+caseFile), one.found.Line)
		if err != nil {
			return counters.Failed, err
		}
		if !written {
			return counters.There, nil
		}
		one.began = true
	}
	written, err := bucket.PutNew(ctx, one.found.Path, one.text)
	switch {
	case err != nil:
		return counters.Failed, err
	case !written && !one.began:
		return counters.There, nil
	}
	return counters.Written, nil
}

func (s *shared) isClosing() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}

// pause waits, or returns when the soak ends.
func (s *shared) pause(wait time.Duration) {
	select {
	case <-s.closing:
	case <-time.After(wait):
	}
}

func (s *shared) close(ctx context.Context) error {
	close(s.closing)
	stop := context.AfterFunc(ctx, s.giveUp)
	defer stop()
	<-s.ended
	s.giveUp()
	if s.dropped > 0 {
		return fmt.Errorf("new differences that were not written to %s: %d: %w", s.url, s.dropped, s.why)
	}
	return nil
}
