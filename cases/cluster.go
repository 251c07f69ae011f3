package cases

import (
	"path/filepath"

	"github.com/diffrun/diffrun/cases/internal/suitefile"
)

// cluster returns the backend that sends requests to a cluster. Plan.Intents describes what it
// will do.
func (l *loader) cluster(access *suitefile.Cluster) (Cluster, bool) {
	if !l.Files.OnDisk {
		l.shared.mistakes.Addf(access.Position, "only a suite on disk can name a cluster")
		return nil, false
	}
	if l.shared.options.NoCluster {
		l.shared.mistakes.Addf(access.Position, "the cases are the requests of an API server, so its answers cannot be compared "+
			"with them: each comparison would be another request; name the validator itself, as builtin, webhook, exec or crd")
		return nil, false
	}
	if l.shared.options.Cluster == nil {
		l.shared.mistakes.Addf(access.Position, "this program asks no cluster: cases.Options.Cluster is not set")
		return nil, false
	}
	options := ClusterOptions{Context: access.Context, Namespace: access.Namespace}
	if access.Kubeconfig.Given() {
		options.Kubeconfig = filepath.FromSlash(l.resolve(access.Kubeconfig))
	}
	backend, err := l.shared.options.Cluster(options)
	if err == nil {
		l.shared.intents = append(l.shared.intents, "suite "+l.file.Name+": "+backend.Intent())
	}
	return opened(l, access.Position, "cluster", backend, err)
}
