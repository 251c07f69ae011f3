package evaluation

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// parameters are the parameter objects of a kind. They replace the API server's informer.
type parameters struct {
	namespaced bool
	lister     cache.GenericLister
}

func newParameters(kind schema.GroupVersionKind, namespaced bool, objects []*unstructured.Unstructured) (*parameters, error) {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, object := range objects {
		if err := indexer.Add(object); err != nil {
			return nil, err
		}
	}
	resource, _ := meta.UnsafeGuessKindToResource(kind) // only for the "not found" text, which is never shown
	return &parameters{namespaced: namespaced, lister: inOrder{cache.NewGenericLister(indexer, resource.GroupResource())}}, nil
}

// objects returns all parameters; p may be nil.
func (p *parameters) objects() []map[string]any {
	if p == nil {
		return nil
	}
	var all []map[string]any
	list, err := p.lister.List(labels.Everything())
	if err != nil {
		return nil // the lister of files has no errors
	}
	for _, one := range list {
		if object, is := one.(*unstructured.Unstructured); is {
			all = append(all, object.Object)
		}
	}
	return all
}

func (p *parameters) scope() meta.RESTScope {
	if p.namespaced {
		return meta.RESTScopeNamespace
	}
	return meta.RESTScopeRoot
}

// Informer returns an informer that can only report that it has synced.
func (p *parameters) Informer() cache.SharedIndexInformer { return synced{} }

// Lister returns the parameters.
func (p *parameters) Lister() cache.GenericLister { return p.lister }

type synced struct{ cache.SharedIndexInformer }

// HasSynced is true: files do not arrive later.
func (synced) HasSynced() bool { return true }

// inOrder lists by namespace and name: the order of an indexer changes from call to call.
type inOrder struct{ cache.GenericLister }

// List returns the selected parameters.
func (l inOrder) List(selector labels.Selector) ([]runtime.Object, error) {
	return sorted(l.GenericLister.List(selector))
}

// ByNamespace returns the parameters of a namespace.
func (l inOrder) ByNamespace(name string) cache.GenericNamespaceLister {
	return inOrderOfNames{l.GenericLister.ByNamespace(name)}
}

type inOrderOfNames struct{ cache.GenericNamespaceLister }

// List returns the selected parameters.
func (l inOrderOfNames) List(selector labels.Selector) ([]runtime.Object, error) {
	return sorted(l.GenericNamespaceLister.List(selector))
}

func sorted(objects []runtime.Object, err error) ([]runtime.Object, error) {
	slices.SortFunc(objects, func(a, b runtime.Object) int {
		first, second := a.(*unstructured.Unstructured), b.(*unstructured.Unstructured)
		return cmp.Or(cmp.Compare(first.GetNamespace(), second.GetNamespace()), cmp.Compare(first.GetName(), second.GetName()))
	})
	return objects, err
}
