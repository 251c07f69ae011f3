package walk

import (
	"iter"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// mostKept bounds how large a map is kept for the next object: one that was large once
// stays as dear to clear.
const mostKept = 1 << 12

// duplicates gives the indexes of the items of a list that equal an earlier one, one index
// for each value, in order: of several equal items the API server reports the second. With
// keys, the items are compared by them.
func (w *walk) duplicates(list view.View, keys []string, numbers view.Numbers) iter.Seq[int] {
	return func(yield func(int) bool) {
		size := w.read.Len(list)
		if size < 2 {
			return
		}
		times := w.times // of each key
		defer func() {
			if clear(times); size > mostKept {
				w.times = map[view.Key]int{}
			}
		}()
		for i := range size {
			item, _ := w.read.At(list, i)
			var key view.Key
			if keys == nil {
				key = w.read.Key(item, numbers)
			} else {
				key = w.read.ItemKey(item, keys, numbers)
			}
			n := times[key] + 1
			if times[key] = n; n == 2 && !yield(i) {
				return
			}
		}
	}
}
