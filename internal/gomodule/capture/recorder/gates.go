//go:build go1.22

package recorder

import "sync"

// gates has the functions that read the feature gates of the process. They are nil if it has none.
var gates struct {
	sync.Mutex
	read     func() map[string]bool
	defaults func() map[string]bool
	began    map[string]bool
}

// Gates sets the functions that read all feature gates and their defaults. It calls neither, so it
// may be called before the packages of all gates are initialized.
func Gates(read, defaults func() map[string]bool) {
	gates.Lock()
	defer gates.Unlock()
	gates.read, gates.defaults = read, defaults
}

// beginGates reads the defaults before the first test, because a test may emulate another version
// with other defaults.
func beginGates() {
	gates.Lock()
	defer gates.Unlock()
	if gates.began == nil && gates.defaults != nil {
		gates.began = gates.defaults()
	}
}

// changedGates returns the feature gates that differ from their defaults.
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
