package kubernetes

import "k8s.io/apimachinery/pkg/runtime/schema"

// Namespaced says whether the objects of a kind are in namespaces; the error
// lists the kinds that there are.
func Namespaced(of schema.GroupKind) (bool, error) {
	k, err := find(of)
	if err != nil {
		return false, err
	}
	return k.strategies[""].NamespaceScoped(), nil
}
