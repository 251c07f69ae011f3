package walk

import (
	"iter"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// mostKept limits the size of a map that is reused for the next object: clearing a map costs as
// much as its largest size ever.
const mostKept = 1 << 12

// duplicates returns the indexes of items that equal an earlier one, in order. For custom
// resources these are only the second of each group of equal items, as the API server reports them. With keys,
// items are compared by their keys.
func (w *schemaVisit) duplicates(list view.View, keys []string, numbers view.Numbers) iter.Seq[int] {
	size := w.read.Len(list)
	if size < 2 {
		return noIndex
	}
	return func(yield func(int) bool) {
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
			times[key] = n
			if n == 2 || n > 2 && !w.opts.CustomResource {
				if !yield(i) {
					return
				}
			}
		}
	}
}

func noIndex(func(int) bool) {}
