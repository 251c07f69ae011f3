package cel

import (
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/library"
)

// Config is what NewEnv takes.
type Config struct {
	Version *version.Version
	PerCall uint64
	Formats library.Formats
}

// NewEnv makes a Language and an Env of it.
func NewEnv(config Config) (*Env, error) {
	l, err := NewLanguage(config.Version, config.Formats)
	if err != nil {
		return nil, err
	}
	return l.NewEnv(config.PerCall), nil
}
