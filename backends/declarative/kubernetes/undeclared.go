package kubernetes

import (
	"embed"
	"io/fs"
	"sync"
	"time"

	"github.com/diffrun/diffrun/equivalence"
)

//go:embed defaults/*.yaml
var undeclared embed.FS

// undeclaredForEver is Undeclared of which none has expired.
var undeclaredForEver = sync.OnceValues(func() (*equivalence.Exceptions, error) { return Undeclared(time.Time{}) })

// Undeclared gives the exceptions for defaults that hand-written functions set depending on other
// fields, so that no schema can declare them. At now, those that are over have expired; at the zero
// time, none has.
func Undeclared(now time.Time) (*equivalence.Exceptions, error) {
	var all *equivalence.Exceptions
	files, err := fs.Glob(undeclared, "defaults/*.yaml")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		data, err := undeclared.ReadFile(file)
		if err != nil {
			return nil, err
		}
		exceptions, err := equivalence.LoadExceptions("backends/declarative/kubernetes/"+file, data, now)
		if err != nil {
			return nil, err
		}
		all = all.With(exceptions)
	}
	return all, nil
}
