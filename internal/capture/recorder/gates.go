//go:build go1.22

package recorder

import "sync"

// gates reads the feature gates of the process; nil: there are none.
var gates struct {
	sync.Mutex
	read  func() map[string]bool
	began map[string]bool
}

// Gates gives the recorder a function that reads all feature gates, before the tests run.
func Gates(read func() map[string]bool) {
	gates.Lock()
	defer gates.Unlock()
	gates.read, gates.began = read, read()
}

// changedGates are the feature gates that tests have set to something else.
func changedGates() map[string]bool {
	gates.Lock()
	defer gates.Unlock()
	if gates.read == nil {
		return nil
	}
	var changed map[string]bool
	for name, on := range gates.read() {
		if before, known := gates.began[name]; !known || before == on {
			continue
		}
		if changed == nil {
			changed = map[string]bool{}
		}
		changed[name] = on
	}
	return changed
}
