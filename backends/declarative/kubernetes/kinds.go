package kubernetes

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// served lists kinds of one group that have the same versions. Each list is separated by spaces.
type served struct{ group, versions, kinds string }

func allServed() []served {
	return []served{
		{"", "v1", "ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume PersistentVolumeClaim Pod PodLogOptions " +
			"PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount"},
		{"admissionregistration.k8s.io", "v1 v1beta1", "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding " +
			"MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration"},
		{"admissionregistration.k8s.io", "v1alpha1", "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding " +
			"ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding"},
		{"apps", "v1", "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet"},
		{"apps", "v1beta1", "ControllerRevision Deployment DeploymentRollback Scale StatefulSet"},
		{"apps", "v1beta2", "ControllerRevision DaemonSet Deployment ReplicaSet Scale StatefulSet"},
		{"authorization.k8s.io", "v1 v1beta1", "LocalSubjectAccessReview SelfSubjectAccessReview SubjectAccessReview"},
		{"autoscaling", "v1", "HorizontalPodAutoscaler Scale"},
		{"autoscaling", "v2", "HorizontalPodAutoscaler"},
		{"batch", "v1", "CronJob Job"},
		{"batch", "v1beta1", "CronJob"},
		{"certificates.k8s.io", "v1", "CertificateSigningRequest ClusterTrustBundle PodCertificateRequest"},
		{"certificates.k8s.io", "v1alpha1", "ClusterTrustBundle"},
		{"certificates.k8s.io", "v1beta1", "CertificateSigningRequest ClusterTrustBundle PodCertificateRequest"},
		{"coordination.k8s.io", "v1", "Lease"},
		{"coordination.k8s.io", "v1alpha2", "LeaseCandidate"},
		{"coordination.k8s.io", "v1beta1", "Lease LeaseCandidate"},
		{"discovery.k8s.io", "v1 v1beta1", "EndpointSlice"},
		{"events.k8s.io", "v1 v1beta1", "Event"},
		{"extensions", "v1beta1", "DaemonSet Deployment DeploymentRollback Ingress NetworkPolicy ReplicaSet Scale"},
		{"flowcontrol.apiserver.k8s.io", "v1 v1beta1 v1beta2 v1beta3", "FlowSchema PriorityLevelConfiguration"},
		{"internal.apiserver.k8s.io", "v1alpha1", "StorageVersion"},
		{"lifecycle.k8s.io", "v1alpha1", "Eviction EvictionRequest"},
		{"networking.k8s.io", "v1", "IPAddress Ingress IngressClass NetworkPolicy ServiceCIDR"},
		{"networking.k8s.io", "v1beta1", "IPAddress Ingress IngressClass ServiceCIDR"},
		{"node.k8s.io", "v1 v1alpha1 v1beta1", "RuntimeClass"},
		{"policy", "v1 v1beta1", "PodDisruptionBudget"},
		{"rbac.authorization.k8s.io", "v1 v1alpha1 v1beta1", "ClusterRole ClusterRoleBinding Role RoleBinding"},
		{"resource.k8s.io", "v1", "DeviceClass DeviceTaintRule ResourceClaim ResourceClaimTemplate ResourceSlice"},
		{"resource.k8s.io", "v1beta1", "DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice"},
		{"resource.k8s.io", "v1alpha3", "DeviceTaintRule ResourcePoolStatusRequest"},
		{"resource.k8s.io", "v1beta2", "DeviceClass DeviceTaintRule ResourceClaim ResourceClaimTemplate ResourceSlice"},
		{"scheduling.k8s.io", "v1", "PriorityClass"},
		{"scheduling.k8s.io", "v1beta1", "PodGroup PriorityClass Workload"},
		{"scheduling.k8s.io", "v1alpha3", "CompositePodGroup PodGroup Workload"},
		{"storage.k8s.io", "v1 v1beta1", "CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment VolumeAttributesClass"},
		{"storage.k8s.io", "v1alpha1", "CSIStorageCapacity VolumeAttachment VolumeAttributesClass"},
		{"storagemigration.k8s.io", "v1 v1beta1", "StorageVersionMigration"},
	}
}

// Kinds lists the kinds that have a schema, sorted by group, version and kind.
func Kinds() []schema.GroupVersionKind { return kindsOf(allServed()) }

func kindsOf(all []served) []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	for _, each := range all {
		for _, version := range strings.Fields(each.versions) {
			for _, kind := range strings.Fields(each.kinds) {
				kinds = append(kinds, schema.GroupVersionKind{Group: each.group, Version: version, Kind: kind})
			}
		}
	}
	slices.SortFunc(kinds, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	return kinds
}

// GoPackage returns the import path of the package with the Go type of a kind, or "" for a kind
// without a schema.
func GoPackage(gvk schema.GroupVersionKind) string { return packageOf(allServed(), gvk) }

func packageOf(all []served, gvk schema.GroupVersionKind) string {
	if !slices.ContainsFunc(all, func(each served) bool { return each.serves(gvk) }) {
		return ""
	}
	return apiPackage(gvk.GroupVersion())
}

// serves reports whether the list contains a kind.
func (s served) serves(gvk schema.GroupVersionKind) bool {
	return s.group == gvk.Group && slices.Contains(strings.Fields(s.versions), gvk.Version) &&
		slices.Contains(strings.Fields(s.kinds), gvk.Kind)
}

// apiPackage returns the package of k8s.io/api with the types of a group and version.
func apiPackage(version schema.GroupVersion) string {
	folder, _, _ := strings.Cut(cmp.Or(version.Group, "core"), ".")
	if version.Group == "internal.apiserver.k8s.io" {
		folder = "apiserverinternal" // Go does not allow imports of a folder "internal"
	}
	return "k8s.io/api/" + folder + "/" + version.Version
}

// packagesOf returns the Go packages that may have the types of a group and version. "meta/v1" is the
// package of apimachinery.
func packagesOf(version schema.GroupVersion) []string {
	all := []string{apiPackage(version)}
	if version.Group == "meta" || version.Group == "" {
		all = append(all, "k8s.io/apimachinery/pkg/apis/meta/"+version.Version)
	}
	return all
}
