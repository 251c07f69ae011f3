package reviewserver

import (
	"context"
	"iter"
	"sync"
)

// SmallestQueue is the smallest limit of a queue, in bytes.
const SmallestQueue = 1 << 20

// smallest is the size that a smaller review counts as, in bytes.
const smallest = 1 << 10

// Queue is a queue of reviews. It may be used by many goroutines.
type Queue struct {
	limit   int64
	waiting chan []byte

	mu     sync.Mutex
	used   int64
	closed bool
}

// NewQueue returns a queue with a limit in bytes, which is at least SmallestQueue.
func NewQueue(limit int64) *Queue {
	return &Queue{limit: limit, waiting: make(chan []byte, limit/smallest)}
}

// Bytes returns how many bytes of the queue are in use.
func (q *Queue) Bytes() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.used
}

// reserve reserves room for a review of a size, and reports whether there was enough.
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

// release frees room.
func (q *Queue) release(size int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.used -= max(size, smallest)
}

// put adds a review, for which a size was reserved, and reports whether the queue was open. The channel
// is large enough for all reviews with room.
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

// Close closes the queue for new reviews.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		close(q.waiting)
	}
}

// Reviews returns the reviews as they come, until the queue is closed and empty or ctx ends.
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

// Left closes the queue, removes the remaining reviews, and returns their number.
func (q *Queue) Left() int {
	q.Close()
	left := 0
	for review := range q.waiting {
		q.release(int64(len(review)))
		left++
	}
	return left
}
