//go:build go1.22

package recorder

import "sync"

// gates reads the feature gates of the process; nil: there are none.
var gates struct {
	sync.Mutex
	read     func() map[string]bool
	defaults func() map[string]bool
	began    map[string]bool
}

// Gates gives the recorder functions that read all feature gates and their defaults. It may be
// called before the packages of all gates are initialized: nothing is read yet.
func Gates(read, defaults func() map[string]bool) {
	gates.Lock()
	defer gates.Unlock()
	gates.read, gates.defaults = read, defaults
}

// beginGates reads the defaults before the first test: tests may emulate another version,
// which has others.
func beginGates() {
	gates.Lock()
	defer gates.Unlock()
	if gates.began == nil && gates.defaults != nil {
		gates.began = gates.defaults()
	}
}

// changedGates are the feature gates that are not as they are by default.
func changedGates() map[string]bool {
	beginGates()
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
