//go:build go1.22

package recorder

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
)

// file is the file of this process.
var file struct {
	sync.Mutex
	*os.File
}

// write appends a line in one write. It panics on an error, because a test whose calls are lost must
// not pass.
func write(line *Line) {
	data, err := json.Marshal(line)
	if err != nil {
		panic(fmt.Sprintf("diffrun: a call of %s cannot be recorded: %v", line.Function, err))
	}
	file.Lock()
	defer file.Unlock()
	if file.File == nil {
		if file.File, err = os.CreateTemp(folder, "calls-*.jsonl"); err != nil {
			panic(fmt.Sprintf("diffrun: calls cannot be recorded: %v", err))
		}
	}
	if _, err := file.Write(append(steady(data, began), '\n')); err != nil {
		panic(fmt.Sprintf("diffrun: calls cannot be recorded: %v", err))
	}
}
