package kubernetes

// PackagesWithTags lists the Go packages, or the folders of their versions, whose tags are a part of
// the bundled schemas. Overlays do not repeat these tags.
func PackagesWithTags() []string {
	return []string{"k8s.io/api/resource", "k8s.io/api/scheduling/v1alpha2"}
}

// allTagged lists the kinds whose Go types have upstream's tags "+k8s:…". The tags of a kind make a
// separate schema, see Tags.
func allTagged() []served {
	return []served{
		{"", "v1", "ReplicationController"},
		{"admissionregistration.k8s.io", "v1 v1alpha1 v1beta1", "ValidatingAdmissionPolicyBinding"},
		{"apps", "v1beta1 v1beta2", "Scale"},
		{"autoscaling", "v1", "HorizontalPodAutoscaler Scale"},
		{"autoscaling", "v2", "HorizontalPodAutoscaler"},
		{"batch", "v1 v1beta1", "CronJob"},
		{"certificates.k8s.io", "v1 v1beta1", "CertificateSigningRequest"},
		{"discovery.k8s.io", "v1 v1beta1", "EndpointSlice"},
		{"extensions", "v1beta1", "NetworkPolicy Scale"},
		{"flowcontrol.apiserver.k8s.io", "v1 v1beta1 v1beta2 v1beta3", "PriorityLevelConfiguration"},
		{"networking.k8s.io", "v1", "IPAddress IngressClass NetworkPolicy"},
		{"networking.k8s.io", "v1beta1", "IPAddress IngressClass"},
		{"node.k8s.io", "v1 v1alpha1 v1beta1", "RuntimeClass"},
		{"rbac.authorization.k8s.io", "v1 v1alpha1 v1beta1", "ClusterRole ClusterRoleBinding Role RoleBinding"},
		{"resource.k8s.io", "v1 v1beta1", "DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice"},
		{"resource.k8s.io", "v1alpha3", "DeviceTaintRule ResourcePoolStatusRequest"},
		{"resource.k8s.io", "v1beta2", "DeviceClass DeviceTaintRule ResourceClaim ResourceClaimTemplate ResourceSlice"},
		{"scheduling.k8s.io", "v1alpha2", "PodGroup Workload"},
		{"storage.k8s.io", "v1 v1beta1", "StorageClass VolumeAttachment"},
		{"storage.k8s.io", "v1alpha1", "VolumeAttachment"},
	}
}
