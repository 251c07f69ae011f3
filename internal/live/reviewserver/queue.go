package reviewserver

import (
	"context"
	"iter"
	"sync"
)

// SmallestQueue is the least limit of a queue, in bytes.
const SmallestQueue = 1 << 20

// smallest is what a review takes of the queue at least, in bytes.
const smallest = 1 << 10

// Queue has reviews that wait. It may be used by many goroutines.
type Queue struct {
	limit   int64
	waiting chan []byte

	mu     sync.Mutex
	used   int64
	closed bool
}

// NewQueue makes a queue of at most so many bytes, SmallestQueue or more.
func NewQueue(limit int64) *Queue {
	return &Queue{limit: limit, waiting: make(chan []byte, limit/smallest)}
}

// Bytes is how much of the queue is in use.
func (q *Queue) Bytes() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.used
}

// reserve takes room for a review of a size that is not read yet; false: there is none.
func (q *Queue) reserve(size int64) bool {
	size = max(size, smallest)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.used+size > q.limit {
		return false
	}
	q.used += size
	return true
}

// release gives room back.
func (q *Queue) release(size int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.used -= max(size, smallest)
}

// put adds a review that has room of the size that was reserved; false: the queue is closed.
// Each review has room, so that there is always a place in the channel.
func (q *Queue) put(review []byte, reserved int64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	size := max(int64(len(review)), smallest)
	q.used -= max(reserved, smallest) - size
	if q.closed {
		q.used -= size
		return false
	}
	q.waiting <- review
	return true
}

// Close takes no more reviews.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		close(q.waiting)
	}
}

// Reviews gives the reviews as they come, until the queue is closed and empty or ctx ends.
func (q *Queue) Reviews(ctx context.Context) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for {
			select {
			case <-ctx.Done():
				return
			case review, open := <-q.waiting:
				if !open {
					return
				}
				goesOn := yield(review)
				q.release(int64(len(review)))
				if !goesOn {
					return
				}
			}
		}
	}
}

// Left gives how many reviews were still waiting when the queue was closed, and takes them out.
func (q *Queue) Left() int {
	q.Close()
	left := 0
	for review := range q.waiting {
		q.release(int64(len(review)))
		left++
	}
	return left
}
