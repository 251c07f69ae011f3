package kubernetes

import "k8s.io/kubernetes/pkg/capabilities"

// allowPrivileged sets what kube-apiserver's flag --allow-privileged sets, before
// anything is validated. Upstream keeps it for the whole process and takes only
// the first setting, so this may be called for each kind.
func allowPrivileged() {
	const noBandwidthLimit = 0
	capabilities.Setup(true, noBandwidthLimit)
}
