package cluster

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Options selects the cluster. The zero value selects the one that kubectl would use, without a
// scratch namespace.
type Options struct {
	// Kubeconfig is a file; if empty, $KUBECONFIG or ~/.kube/config.
	Kubeconfig string
	// Context is a context of that file; if empty, the current one.
	Context string
	// Namespace is the scratch namespace. If empty, cases that update or delete are faults.
	Namespace string
	// Timeout bounds each request; zero means 30 seconds.
	Timeout time.Duration
}

// configuration is the part of a kubeconfig that a Backend uses.
type configuration struct {
	*rest.Config
	context   string
	namespace string // of the context
}

// read loads the kubeconfig. The error describes what is wrong with it or the options.
func (o Options) read() (configuration, error) {
	if o.Namespace != "" {
		if messages := validation.ValidateNamespaceName(o.Namespace, false); len(messages) > 0 {
			return configuration{}, fmt.Errorf("namespace %q: %s", o.Namespace, strings.Join(messages, "; "))
		}
	}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = o.Kubeconfig
	deferred := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: o.Context})
	raw, err := deferred.RawConfig()
	if err != nil {
		return configuration{}, fmt.Errorf("kubeconfig: %w", err)
	}
	name := raw.CurrentContext
	if o.Context != "" {
		name = o.Context
	}
	contexts := slices.Sorted(maps.Keys(raw.Contexts))
	switch {
	case len(contexts) == 0:
		return configuration{}, fmt.Errorf("kubeconfig: %s has no context; name the file of a cluster with the key kubeconfig",
			strings.Join(rules.GetLoadingPrecedence(), ", "))
	case name == "":
		return configuration{}, fmt.Errorf("kubeconfig: the file has no current context; name one with the key context: %s",
			strings.Join(contexts, ", "))
	case raw.Contexts[name] == nil:
		return configuration{}, fmt.Errorf("context: there is no context %q; there are %s", name, strings.Join(contexts, ", "))
	}
	config, err := deferred.ClientConfig()
	if err != nil {
		return configuration{}, fmt.Errorf("kubeconfig: context %q: %w", name, plain(err))
	}
	namespace, _, err := deferred.Namespace()
	if err != nil {
		return configuration{}, fmt.Errorf("kubeconfig: context %q: %w", name, plain(err))
	}
	config.Timeout = o.Timeout
	if config.Timeout == 0 {
		config.Timeout = 30 * time.Second
	}
	config.QPS = -1 // no client-side limit: the API server has its own
	config.UserAgent = fieldManager
	config.WarningHandlerWithContext = warnings{}
	return configuration{Config: config, context: name, namespace: namespace}, nil
}

// plain strips clientcmd's prefix from an error, because the caller adds its own.
func plain(err error) error {
	return errors.New(strings.TrimPrefix(err.Error(), "invalid configuration: "))
}
