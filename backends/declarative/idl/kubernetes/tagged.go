package kubernetes

// PackagesWithTags lists the Go packages, or the folders of their versions, whose tags are a part of
// the bundled schemas: what the tags say stands in no overlay.
func PackagesWithTags() []string {
	return []string{"k8s.io/api/resource", "k8s.io/api/scheduling/v1alpha2"}
}

// allTagged lists the kinds whose Go types have upstream's tags "+k8s:…". What the tags say of a
// kind makes a schema of its own, see Tags.
func allTagged() []served {
	resources := []string{"DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"}
	roles := []string{"ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"}
	return []served{
		{"", "v1", "k8s.io/api/core/v1", []string{"ReplicationController"}},
		{"admissionregistration.k8s.io", "v1", "k8s.io/api/admissionregistration/v1", []string{"ValidatingAdmissionPolicyBinding"}},
		{"admissionregistration.k8s.io", "v1alpha1", "k8s.io/api/admissionregistration/v1alpha1", []string{"ValidatingAdmissionPolicyBinding"}},
		{"admissionregistration.k8s.io", "v1beta1", "k8s.io/api/admissionregistration/v1beta1", []string{"ValidatingAdmissionPolicyBinding"}},
		{"apps", "v1beta1", "k8s.io/api/apps/v1beta1", []string{"Scale"}},
		{"apps", "v1beta2", "k8s.io/api/apps/v1beta2", []string{"Scale"}},
		{"autoscaling", "v1", "k8s.io/api/autoscaling/v1", []string{"HorizontalPodAutoscaler", "Scale"}},
		{"autoscaling", "v2", "k8s.io/api/autoscaling/v2", []string{"HorizontalPodAutoscaler"}},
		{"batch", "v1", "k8s.io/api/batch/v1", []string{"CronJob"}},
		{"batch", "v1beta1", "k8s.io/api/batch/v1beta1", []string{"CronJob"}},
		{"certificates.k8s.io", "v1", "k8s.io/api/certificates/v1", []string{"CertificateSigningRequest"}},
		{"certificates.k8s.io", "v1beta1", "k8s.io/api/certificates/v1beta1", []string{"CertificateSigningRequest"}},
		{"discovery.k8s.io", "v1", "k8s.io/api/discovery/v1", []string{"EndpointSlice"}},
		{"discovery.k8s.io", "v1beta1", "k8s.io/api/discovery/v1beta1", []string{"EndpointSlice"}},
		{"extensions", "v1beta1", "k8s.io/api/extensions/v1beta1", []string{"NetworkPolicy", "Scale"}},
		{"flowcontrol.apiserver.k8s.io", "v1", "k8s.io/api/flowcontrol/v1", []string{"PriorityLevelConfiguration"}},
		{"flowcontrol.apiserver.k8s.io", "v1beta1", "k8s.io/api/flowcontrol/v1beta1", []string{"PriorityLevelConfiguration"}},
		{"flowcontrol.apiserver.k8s.io", "v1beta2", "k8s.io/api/flowcontrol/v1beta2", []string{"PriorityLevelConfiguration"}},
		{"flowcontrol.apiserver.k8s.io", "v1beta3", "k8s.io/api/flowcontrol/v1beta3", []string{"PriorityLevelConfiguration"}},
		{"networking.k8s.io", "v1", "k8s.io/api/networking/v1", []string{"IPAddress", "IngressClass", "NetworkPolicy"}},
		{"networking.k8s.io", "v1beta1", "k8s.io/api/networking/v1beta1", []string{"IPAddress", "IngressClass"}},
		{"node.k8s.io", "v1", "k8s.io/api/node/v1", []string{"RuntimeClass"}},
		{"node.k8s.io", "v1alpha1", "k8s.io/api/node/v1alpha1", []string{"RuntimeClass"}},
		{"node.k8s.io", "v1beta1", "k8s.io/api/node/v1beta1", []string{"RuntimeClass"}},
		{"rbac.authorization.k8s.io", "v1", "k8s.io/api/rbac/v1", roles},
		{"rbac.authorization.k8s.io", "v1alpha1", "k8s.io/api/rbac/v1alpha1", roles},
		{"rbac.authorization.k8s.io", "v1beta1", "k8s.io/api/rbac/v1beta1", roles},
		{"resource.k8s.io", "v1", "k8s.io/api/resource/v1", resources},
		{"resource.k8s.io", "v1alpha3", "k8s.io/api/resource/v1alpha3", []string{"DeviceTaintRule", "ResourcePoolStatusRequest"}},
		{"resource.k8s.io", "v1beta1", "k8s.io/api/resource/v1beta1", resources},
		{"resource.k8s.io", "v1beta2", "k8s.io/api/resource/v1beta2", append([]string{"DeviceTaintRule"}, resources...)},
		{"scheduling.k8s.io", "v1alpha2", "k8s.io/api/scheduling/v1alpha2", []string{"PodGroup", "Workload"}},
		{"storage.k8s.io", "v1", "k8s.io/api/storage/v1", []string{"StorageClass", "VolumeAttachment"}},
		{"storage.k8s.io", "v1alpha1", "k8s.io/api/storage/v1alpha1", []string{"VolumeAttachment"}},
		{"storage.k8s.io", "v1beta1", "k8s.io/api/storage/v1beta1", []string{"StorageClass", "VolumeAttachment"}},
	}
}
