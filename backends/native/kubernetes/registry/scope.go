package registry

import "k8s.io/apimachinery/pkg/runtime/schema"

// Namespaced reports whether the objects of a kind are namespaced. The error lists the known kinds.
func Namespaced(of schema.GroupKind) (bool, error) {
	k, err := find(of)
	if err != nil {
		return false, err
	}
	return k.strategies[""].NamespaceScoped(), nil
}
