package cases

import (
	"path/filepath"

	"github.com/diffrun/diffrun/backends/native/cluster"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// clusterAccess is a running API server, as kubectl finds it.
type clusterAccess struct {
	strictyaml.Position `yaml:"-"`

	Kubeconfig reference `yaml:"kubeconfig"`
	Context    string    `yaml:"context"`
	// Namespace is the scratch namespace for old objects.
	Namespace string `yaml:"namespace"`
}

// cluster gives the backend that asks a cluster. What it will do is told before the run.
func (l *loader) cluster(access *clusterAccess) (*cluster.Backend, bool) {
	if !l.Files.OnDisk {
		l.shared.mistakes.Addf(access.Position, "only a suite on disk can name a cluster")
		return nil, false
	}
	options := cluster.Options{Context: access.Context, Namespace: access.Namespace}
	if access.Kubeconfig.given() {
		options.Kubeconfig = filepath.FromSlash(l.resolve(access.Kubeconfig))
	}
	backend, err := cluster.New(options)
	if err == nil {
		l.shared.intents = append(l.shared.intents, "suite "+l.file.Name+": "+backend.Intent())
	}
	return opened(l, access.Position, "cluster", backend, err)
}
