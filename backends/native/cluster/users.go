package cluster

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/diffrun/diffrun/harness"
)

// users caches the clients that impersonate users, by name and groups.
type users struct {
	mu    sync.Mutex
	known map[string]dynamic.Interface
}

// as returns the client that sends requests as a user; nil: as the user of the kubeconfig.
func (b *Backend) as(user *harness.User) (dynamic.Interface, error) {
	if user == nil {
		return b.client, nil
	}
	key := strings.Join(append([]string{user.Name}, user.Groups...), "\x00")
	b.users.mu.Lock()
	defer b.users.mu.Unlock()
	if client := b.users.known[key]; client != nil {
		return client, nil
	}
	config := rest.CopyConfig(b.config.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: user.Name, Groups: slices.Clone(user.Groups)}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("kubeconfig: as user %q: %w", user.Name, err)
	}
	if b.users.known == nil {
		b.users.known = map[string]dynamic.Interface{}
	}
	b.users.known[key] = client
	return client, nil
}
