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

// unexpiredDefaults returns the exceptions of Undeclared as if none had expired.
var unexpiredDefaults = sync.OnceValues(func() (*equivalence.Exceptions, error) { return Undeclared(time.Time{}) })

// Undeclared returns the exceptions for defaults that no schema can declare, because hand-written
// functions set them depending on other fields. now decides which have expired; at the zero time,
// none has.
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
