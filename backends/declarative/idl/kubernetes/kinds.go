package kubernetes

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// served is the kinds of one group and version, and the Go package they are in.
type served struct {
	group, version string
	goPackage      string
	kinds          []string
}

func allServed() []served {
	workloads := []string{"ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"}
	csi := []string{"CSIDriver", "CSINode", "CSIStorageCapacity", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"}
	roles := []string{"ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"}
	admission := []string{"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"}
	webhooks := []string{"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}
	reviews := []string{"LocalSubjectAccessReview", "SelfSubjectAccessReview", "SubjectAccessReview"}
	flows := []string{"FlowSchema", "PriorityLevelConfiguration"}
	resources := []string{"DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"}
	return []served{
		{"", "v1", "k8s.io/api/core/v1", []string{"ConfigMap", "Endpoints", "Event", "LimitRange", "Namespace", "Node", "PersistentVolume", "PersistentVolumeClaim", "Pod", "PodLogOptions", "PodTemplate", "ReplicationController", "ResourceQuota", "Secret", "Service", "ServiceAccount"}},
		{"admissionregistration.k8s.io", "v1", "k8s.io/api/admissionregistration/v1", append(webhooks, admission...)},
		{"admissionregistration.k8s.io", "v1alpha1", "k8s.io/api/admissionregistration/v1alpha1", admission},
		{"admissionregistration.k8s.io", "v1beta1", "k8s.io/api/admissionregistration/v1beta1", append(webhooks, admission...)},
		{"apps", "v1", "k8s.io/api/apps/v1", workloads},
		{"apps", "v1beta1", "k8s.io/api/apps/v1beta1", []string{"ControllerRevision", "Deployment", "DeploymentRollback", "Scale", "StatefulSet"}},
		{"apps", "v1beta2", "k8s.io/api/apps/v1beta2", append([]string{"Scale"}, workloads...)},
		{"authorization.k8s.io", "v1", "k8s.io/api/authorization/v1", reviews},
		{"authorization.k8s.io", "v1beta1", "k8s.io/api/authorization/v1beta1", reviews},
		{"autoscaling", "v1", "k8s.io/api/autoscaling/v1", []string{"HorizontalPodAutoscaler", "Scale"}},
		{"autoscaling", "v2", "k8s.io/api/autoscaling/v2", []string{"HorizontalPodAutoscaler"}},
		{"batch", "v1", "k8s.io/api/batch/v1", []string{"CronJob", "Job"}},
		{"batch", "v1beta1", "k8s.io/api/batch/v1beta1", []string{"CronJob"}},
		{"certificates.k8s.io", "v1", "k8s.io/api/certificates/v1", []string{"CertificateSigningRequest"}},
		{"certificates.k8s.io", "v1alpha1", "k8s.io/api/certificates/v1alpha1", []string{"ClusterTrustBundle"}},
		{"certificates.k8s.io", "v1beta1", "k8s.io/api/certificates/v1beta1", []string{"CertificateSigningRequest", "ClusterTrustBundle", "PodCertificateRequest"}},
		{"coordination.k8s.io", "v1", "k8s.io/api/coordination/v1", []string{"Lease"}},
		{"coordination.k8s.io", "v1alpha2", "k8s.io/api/coordination/v1alpha2", []string{"LeaseCandidate"}},
		{"coordination.k8s.io", "v1beta1", "k8s.io/api/coordination/v1beta1", []string{"Lease", "LeaseCandidate"}},
		{"discovery.k8s.io", "v1", "k8s.io/api/discovery/v1", []string{"EndpointSlice"}},
		{"discovery.k8s.io", "v1beta1", "k8s.io/api/discovery/v1beta1", []string{"EndpointSlice"}},
		{"events.k8s.io", "v1", "k8s.io/api/events/v1", []string{"Event"}},
		{"events.k8s.io", "v1beta1", "k8s.io/api/events/v1beta1", []string{"Event"}},
		{"extensions", "v1beta1", "k8s.io/api/extensions/v1beta1", []string{"DaemonSet", "Deployment", "DeploymentRollback", "Ingress", "NetworkPolicy", "ReplicaSet", "Scale"}},
		{"flowcontrol.apiserver.k8s.io", "v1", "k8s.io/api/flowcontrol/v1", flows},
		{"flowcontrol.apiserver.k8s.io", "v1beta1", "k8s.io/api/flowcontrol/v1beta1", flows},
		{"flowcontrol.apiserver.k8s.io", "v1beta2", "k8s.io/api/flowcontrol/v1beta2", flows},
		{"flowcontrol.apiserver.k8s.io", "v1beta3", "k8s.io/api/flowcontrol/v1beta3", flows},
		{"networking.k8s.io", "v1", "k8s.io/api/networking/v1", []string{"IPAddress", "Ingress", "IngressClass", "NetworkPolicy", "ServiceCIDR"}},
		{"networking.k8s.io", "v1beta1", "k8s.io/api/networking/v1beta1", []string{"IPAddress", "Ingress", "IngressClass", "ServiceCIDR"}},
		{"node.k8s.io", "v1", "k8s.io/api/node/v1", []string{"RuntimeClass"}},
		{"node.k8s.io", "v1alpha1", "k8s.io/api/node/v1alpha1", []string{"RuntimeClass"}},
		{"node.k8s.io", "v1beta1", "k8s.io/api/node/v1beta1", []string{"RuntimeClass"}},
		{"policy", "v1", "k8s.io/api/policy/v1", []string{"PodDisruptionBudget"}},
		{"policy", "v1beta1", "k8s.io/api/policy/v1beta1", []string{"PodDisruptionBudget"}},
		{"rbac.authorization.k8s.io", "v1", "k8s.io/api/rbac/v1", roles},
		{"rbac.authorization.k8s.io", "v1alpha1", "k8s.io/api/rbac/v1alpha1", roles},
		{"rbac.authorization.k8s.io", "v1beta1", "k8s.io/api/rbac/v1beta1", roles},
		{"resource.k8s.io", "v1", "k8s.io/api/resource/v1", resources},
		{"resource.k8s.io", "v1alpha3", "k8s.io/api/resource/v1alpha3", []string{"DeviceTaintRule", "ResourcePoolStatusRequest"}},
		{"resource.k8s.io", "v1beta1", "k8s.io/api/resource/v1beta1", resources},
		{"resource.k8s.io", "v1beta2", "k8s.io/api/resource/v1beta2", append([]string{"DeviceTaintRule"}, resources...)},
		{"scheduling.k8s.io", "v1", "k8s.io/api/scheduling/v1", []string{"PriorityClass"}},
		{"scheduling.k8s.io", "v1beta1", "k8s.io/api/scheduling/v1beta1", []string{"PriorityClass"}},
		{"scheduling.k8s.io", "v1alpha2", "k8s.io/api/scheduling/v1alpha2", []string{"PodGroup", "Workload"}},
		{"storage.k8s.io", "v1", "k8s.io/api/storage/v1", csi},
		{"storage.k8s.io", "v1alpha1", "k8s.io/api/storage/v1alpha1", []string{"CSIStorageCapacity", "VolumeAttachment", "VolumeAttributesClass"}},
		{"storage.k8s.io", "v1beta1", "k8s.io/api/storage/v1beta1", csi},
		{"storagemigration.k8s.io", "v1beta1", "k8s.io/api/storagemigration/v1beta1", []string{"StorageVersionMigration"}},
	}
}

// Kinds lists the kinds that have a schema, sorted by group, version and kind.
func Kinds() []schema.GroupVersionKind { return kindsOf(allServed()) }

func kindsOf(all []served) []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	for _, each := range all {
		for _, kind := range each.kinds {
			kinds = append(kinds, schema.GroupVersionKind{Group: each.group, Version: each.version, Kind: kind})
		}
	}
	slices.SortFunc(kinds, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	return kinds
}

// packagesOf gives the Go packages with the types of a group and version: "meta/v1" is that of
// apimachinery.
func packagesOf(version schema.GroupVersion) []string {
	var all []string
	for _, each := range allServed() {
		if each.group == version.Group && each.version == version.Version {
			all = append(all, each.goPackage)
		}
	}
	if version.Group == "meta" || version.Group == "" {
		all = append(all, "k8s.io/apimachinery/pkg/apis/meta/"+version.Version)
	}
	return all
}

// GoPackage gives the import path of the package that a kind's Go type, of the
// same name, is in; "" for a kind that has no schema here.
func GoPackage(gvk schema.GroupVersionKind) string { return packageOf(allServed(), gvk) }

func packageOf(all []served, gvk schema.GroupVersionKind) string {
	for _, each := range all {
		if each.group == gvk.Group && each.version == gvk.Version && slices.Contains(each.kinds, gvk.Kind) {
			return each.goPackage
		}
	}
	return ""
}
