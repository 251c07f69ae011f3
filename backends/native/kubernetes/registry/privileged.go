package registry

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/kubernetes/pkg/capabilities"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/resolver"
	"k8s.io/utils/clock"
	testingclock "k8s.io/utils/clock/testing"
)

// allowPrivileged sets kube-apiserver's flag --allow-privileged before anything is validated.
// Upstream keeps it for the whole process and ignores later settings, so this may be called for
// each kind.
func allowPrivileged() {
	const noBandwidthLimit = 0
	capabilities.Setup(true, noBandwidthLimit)
}

// allowAll returns the authorizer for strategies that ask whether the user of a request may do what
// the object says. A comparison has no users.
func allowAll() authorizer.Authorizer { return authorizerfactory.NewAlwaysAllowAuthorizer() }

// unusedResolver is for the strategies of bindings, which refuse every parameter without a
// resolver. Without an authorizer they never call it.
type unusedResolver struct{ resolver.ResourceResolver }

// anybody returns the user of each request. Strategies that check its permissions use allowAll.
func anybody() user.Info { return &user.DefaultInfo{Name: "anybody"} }

// atEpoch returns a stopped clock for strategies that compare times of an object with the present,
// so that runs are reproducible.
func atEpoch() clock.PassiveClock { return testingclock.NewFakePassiveClock(time.Unix(0, 0)) }

// atNoon returns the stopped clock of Kubernetes' unit tests of evictions: noon of January 1st, 2000. With it the
// recorded inputs get the answers that were recorded.
func atNoon() clock.PassiveClock {
	return testingclock.NewFakePassiveClock(time.Date(2000, time.January, 1, 12, 0, 0, 0, time.UTC))
}

// privilegedNamespaces is a client for which every namespace exists and allows admin access to
// devices. Strategies only get a namespace by its name.
type privilegedNamespaces struct {
	corev1client.NamespaceInterface
}

// Get returns a namespace with that name.
func (privilegedNamespaces) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	return &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{resourcev1.DRAAdminNamespaceLabelKey: "true"}},
	}, nil
}
