//go:build staging_modules

// The go command reads this file for module requirements and never compiles it, because its build
// tag is never set.
//
// k8s.io/kubernetes requires its staging modules at v0.0.0, a version that
// exists only inside its own repository. go.mod must therefore require each of
// them at its released version, or `go list -m all` and `go doc` report that
// v0.0.0 cannot be downloaded. One blank import from each module makes
// `go mod tidy` keep these requirements. A replace directive would work as well,
// but would break `go install`.
//
// `make kubernetes VERSION=v1.N.P` upgrades all of them together, and lists the
// staging modules that are missing here; so does the test TestModulesCanBeListed.

package kubernetes

import (
	_ "k8s.io/api/core/v1"
	_ "k8s.io/apiextensions-apiserver/pkg/features"
	_ "k8s.io/apimachinery/pkg/types"
	_ "k8s.io/apiserver/pkg/features"
	_ "k8s.io/cli-runtime"
	_ "k8s.io/client-go/features"
	_ "k8s.io/cloud-provider/api"
	_ "k8s.io/cluster-bootstrap"
	_ "k8s.io/code-generator/third_party/forked/golang/reflect"
	_ "k8s.io/component-base/version"
	_ "k8s.io/component-helpers"
	_ "k8s.io/controller-manager"
	_ "k8s.io/cri-api"
	_ "k8s.io/cri-client/pkg/util"
	_ "k8s.io/cri-streaming"
	_ "k8s.io/csi-translation-lib"
	_ "k8s.io/dynamic-resource-allocation"
	_ "k8s.io/endpointslice/trafficdist"
	_ "k8s.io/externaljwt"
	_ "k8s.io/kms"
	_ "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	_ "k8s.io/kube-controller-manager"
	_ "k8s.io/kube-proxy"
	_ "k8s.io/kube-scheduler"
	_ "k8s.io/kubectl"
	_ "k8s.io/kubelet"
	_ "k8s.io/metrics"
	_ "k8s.io/mount-utils"
	_ "k8s.io/pod-security-admission"
	_ "k8s.io/sample-apiserver/pkg/registry"
	_ "k8s.io/streaming"
)
