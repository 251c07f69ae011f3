package registry

import (
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	"k8s.io/kubernetes/pkg/apis/apiserverinternal"
	"k8s.io/kubernetes/pkg/apis/apps"
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/authorization"
	authorizationvalidation "k8s.io/kubernetes/pkg/apis/authorization/validation"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	autoscalingvalidation "k8s.io/kubernetes/pkg/apis/autoscaling/validation"
	"k8s.io/kubernetes/pkg/apis/batch"
	"k8s.io/kubernetes/pkg/apis/certificates"
	"k8s.io/kubernetes/pkg/apis/coordination"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/discovery"
	"k8s.io/kubernetes/pkg/apis/flowcontrol"
	"k8s.io/kubernetes/pkg/apis/lifecycle"
	"k8s.io/kubernetes/pkg/apis/networking"
	"k8s.io/kubernetes/pkg/apis/node"
	"k8s.io/kubernetes/pkg/apis/policy"
	"k8s.io/kubernetes/pkg/apis/rbac"
	"k8s.io/kubernetes/pkg/apis/resource"
	"k8s.io/kubernetes/pkg/apis/scheduling"
	"k8s.io/kubernetes/pkg/apis/storage"
	"k8s.io/kubernetes/pkg/apis/storagemigration"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/apiserverinternal/storageversion"
	"k8s.io/kubernetes/pkg/registry/apps/controllerrevision"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	csr "k8s.io/kubernetes/pkg/registry/certificates/certificates"
	"k8s.io/kubernetes/pkg/registry/certificates/clustertrustbundle"
	"k8s.io/kubernetes/pkg/registry/certificates/podcertificaterequest"
	"k8s.io/kubernetes/pkg/registry/coordination/lease"
	"k8s.io/kubernetes/pkg/registry/coordination/leasecandidate"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/endpoint"
	"k8s.io/kubernetes/pkg/registry/core/event"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	corenode "k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/discovery/endpointslice"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/flowschema"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/prioritylevelconfiguration"
	"k8s.io/kubernetes/pkg/registry/lifecycle/eviction"
	"k8s.io/kubernetes/pkg/registry/lifecycle/evictionrequest"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/ipaddress"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/networking/servicecidr"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/devicetaintrule"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourcepoolstatusrequest"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
	"k8s.io/kubernetes/pkg/registry/scheduling/compositepodgroup"
	"k8s.io/kubernetes/pkg/registry/scheduling/podgroup"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/scheduling/workload"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/csinode"
	"k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattachment"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattributesclass"
	migration "k8s.io/kubernetes/pkg/registry/storagemigration/storagemigration"

	// The install packages register the versions of each group in legacyscheme.
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apiserverinternal/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/authorization/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/extensions/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/lifecycle/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	_ "k8s.io/kubernetes/pkg/apis/storagemigration/install"
)

// kinds returns every kind that this package validates, one per row.
func kinds() []kind {
	claims := resourceclaim.NewStrategy(privilegedNamespaces{}, allowAll())
	composites := compositepodgroup.NewStrategy()
	evictions := eviction.NewStrategy(atNoon())
	evictionRequests := evictionrequest.NewStrategy()
	groups := podgroup.NewStrategy()
	policies := validatingadmissionpolicy.NewStrategy(nil, nil)
	requests := podcertificaterequest.NewStrategy()
	scales := reviewOf(true, autoscalingvalidation.ValidateScale).withGenerated(scaleName)
	return []kind{
		{core.Kind("ConfigMap"), "configmaps", strategies{"": configmap.Strategy}},
		{core.Kind("Endpoints"), "endpoints", strategies{"": endpoint.Strategy}},
		{core.Kind("LimitRange"), "limitranges", strategies{"": limitrange.Strategy}},
		{core.Kind("Event"), "events", strategies{"": event.Strategy}},
		{core.Kind("Namespace"), "namespaces", strategies{
			"":         namespace.Strategy,
			"status":   namespace.StatusStrategy,
			"finalize": namespace.FinalizeStrategy,
		}},
		{core.Kind("Node"), "nodes", strategies{"": corenode.Strategy, "status": corenode.StatusStrategy}},
		{core.Kind("PersistentVolume"), "persistentvolumes", strategies{
			"":       persistentvolume.Strategy,
			"status": persistentvolume.StatusStrategy,
		}},
		{core.Kind("PersistentVolumeClaim"), "persistentvolumeclaims", strategies{
			"":       persistentvolumeclaim.Strategy,
			"status": persistentvolumeclaim.StatusStrategy,
		}},
		{core.Kind("Pod"), "pods", strategies{
			"":                    pod.Strategy,
			"ephemeralcontainers": pod.EphemeralContainersStrategy,
			"resize":              pod.ResizeStrategy,
			"status":              pod.StatusStrategy,
		}},
		{core.Kind("PodLogOptions"), "pods/log", strategies{"": reviewOf(true, validateLogOptions)}},
		{core.Kind("PodTemplate"), "podtemplates", strategies{"": podtemplate.Strategy}},
		{core.Kind("ReplicationController"), "replicationcontrollers", strategies{
			"":       replicationcontroller.Strategy,
			"status": replicationcontroller.StatusStrategy,
		}},
		{core.Kind("ResourceQuota"), "resourcequotas", strategies{"": resourcequota.Strategy, "status": resourcequota.StatusStrategy}},
		{core.Kind("Secret"), "secrets", strategies{"": secret.Strategy}},
		{core.Kind("Service"), "services", strategies{"": service.Strategy, "status": service.StatusStrategy}},
		{core.Kind("ServiceAccount"), "serviceaccounts", strategies{"": serviceaccount.Strategy}},
		{admissionregistration.Kind("MutatingAdmissionPolicy"), "mutatingadmissionpolicies",
			strategies{"": mutatingadmissionpolicy.NewStrategy(nil, nil)}},
		{admissionregistration.Kind("MutatingAdmissionPolicyBinding"), "mutatingadmissionpolicybindings",
			strategies{"": mutatingadmissionpolicybinding.NewStrategy(nil, nil, unusedResolver{})}},
		{admissionregistration.Kind("MutatingWebhookConfiguration"), "mutatingwebhookconfigurations",
			strategies{"": mutatingwebhookconfiguration.Strategy}},
		{admissionregistration.Kind("ValidatingAdmissionPolicy"), "validatingadmissionpolicies",
			strategies{"": policies, "status": validatingadmissionpolicy.NewStatusStrategy(policies)}},
		{admissionregistration.Kind("ValidatingAdmissionPolicyBinding"), "validatingadmissionpolicybindings",
			strategies{"": validatingadmissionpolicybinding.NewStrategy(nil, nil, unusedResolver{})}},
		{admissionregistration.Kind("ValidatingWebhookConfiguration"), "validatingwebhookconfigurations",
			strategies{"": validatingwebhookconfiguration.Strategy}},
		{apiserverinternal.Kind("StorageVersion"), "storageversions", strategies{
			"":       storageversion.Strategy,
			"status": storageversion.StatusStrategy,
		}},
		{apps.Kind("ControllerRevision"), "controllerrevisions", strategies{"": controllerrevision.Strategy}},
		{apps.Kind("DaemonSet"), "daemonsets", strategies{"": daemonset.Strategy, "status": daemonset.StatusStrategy}},
		{apps.Kind("Deployment"), "deployments", strategies{"": deployment.Strategy, "status": deployment.StatusStrategy}},
		{apps.Kind("ReplicaSet"), "replicasets", strategies{"": replicaset.Strategy, "status": replicaset.StatusStrategy}},
		{apps.Kind("StatefulSet"), "statefulsets", strategies{"": statefulset.Strategy, "status": statefulset.StatusStrategy}},
		{apps.Kind("DeploymentRollback"), "deployments/rollback",
			strategies{"": reviewOf(true, appsvalidation.ValidateDeploymentRollback)}},
		{authorization.Kind("LocalSubjectAccessReview"), "localsubjectaccessreviews",
			strategies{"": reviewOf(true, authorizationvalidation.ValidateLocalSubjectAccessReview).withGenerated("")}},
		{authorization.Kind("SelfSubjectAccessReview"), "selfsubjectaccessreviews",
			strategies{"": reviewOf(false, authorizationvalidation.ValidateSelfSubjectAccessReview).withGenerated("")}},
		{authorization.Kind("SubjectAccessReview"), "subjectaccessreviews",
			strategies{"": reviewOf(false, authorizationvalidation.ValidateSubjectAccessReview).withGenerated("")}},
		{autoscaling.Kind("HorizontalPodAutoscaler"), "horizontalpodautoscalers",
			strategies{"": horizontalpodautoscaler.Strategy, "status": horizontalpodautoscaler.StatusStrategy}},
		{autoscaling.Kind("Scale"), "scales", strategies{"": scales, "scale": scales}},
		{batch.Kind("CronJob"), "cronjobs", strategies{"": cronjob.Strategy, "status": cronjob.StatusStrategy}},
		{batch.Kind("Job"), "jobs", strategies{"": job.Strategy, "status": job.StatusStrategy}},
		{certificates.Kind("CertificateSigningRequest"), "certificatesigningrequests",
			strategies{"": csr.Strategy, "status": csr.StatusStrategy, "approval": csr.ApprovalStrategy}},
		{certificates.Kind("ClusterTrustBundle"), "clustertrustbundles", strategies{"": clustertrustbundle.Strategy}},
		{certificates.Kind("PodCertificateRequest"), "podcertificaterequests",
			strategies{"": requests, "status": podcertificaterequest.NewStatusStrategy(requests, allowAll(), atEpoch())}},
		{coordination.Kind("Lease"), "leases", strategies{"": lease.Strategy}},
		{coordination.Kind("LeaseCandidate"), "leasecandidates", strategies{"": leasecandidate.Strategy}},
		{discovery.Kind("EndpointSlice"), "endpointslices", strategies{"": endpointslice.Strategy}},
		{flowcontrol.Kind("FlowSchema"), "flowschemas", strategies{"": flowschema.Strategy, "status": flowschema.StatusStrategy}},
		{flowcontrol.Kind("PriorityLevelConfiguration"), "prioritylevelconfigurations",
			strategies{"": prioritylevelconfiguration.Strategy, "status": prioritylevelconfiguration.StatusStrategy}},
		{lifecycle.Kind("Eviction"), "evictions", strategies{"": evictions, "status": eviction.NewStatusStrategy(evictions)}},
		{lifecycle.Kind("EvictionRequest"), "evictionrequests", strategies{
			"":       evictionRequests,
			"status": evictionrequest.NewStatusStrategy(evictionRequests),
		}},
		{networking.Kind("Ingress"), "ingresses", strategies{"": ingress.Strategy, "status": ingress.StatusStrategy}},
		{networking.Kind("IngressClass"), "ingressclasses", strategies{"": ingressclass.Strategy}},
		{networking.Kind("IPAddress"), "ipaddresses", strategies{"": ipaddress.Strategy}},
		{networking.Kind("NetworkPolicy"), "networkpolicies", strategies{"": networkpolicy.Strategy}},
		{networking.Kind("ServiceCIDR"), "servicecidrs", strategies{"": servicecidr.Strategy, "status": servicecidr.StatusStrategy}},
		{node.Kind("RuntimeClass"), "runtimeclasses", strategies{"": runtimeclass.Strategy}},
		{policy.Kind("PodDisruptionBudget"), "poddisruptionbudgets", strategies{
			"":       poddisruptionbudget.Strategy,
			"status": poddisruptionbudget.StatusStrategy,
		}},
		{rbac.Kind("ClusterRole"), "clusterroles", strategies{"": clusterrole.Strategy}},
		{rbac.Kind("ClusterRoleBinding"), "clusterrolebindings", strategies{"": clusterrolebinding.Strategy}},
		{rbac.Kind("Role"), "roles", strategies{"": role.Strategy}},
		{rbac.Kind("RoleBinding"), "rolebindings", strategies{"": rolebinding.Strategy}},
		{resource.Kind("DeviceClass"), "deviceclasses", strategies{"": deviceclass.Strategy}},
		{resource.Kind("DeviceTaintRule"), "devicetaintrules", strategies{
			"":       devicetaintrule.Strategy,
			"status": devicetaintrule.StatusStrategy,
		}},
		{resource.Kind("ResourceClaim"), "resourceclaims", strategies{"": claims, "status": resourceclaim.NewStatusStrategy(claims)}},
		{resource.Kind("ResourceClaimTemplate"), "resourceclaimtemplates",
			strategies{"": resourceclaimtemplate.NewStrategy(privilegedNamespaces{})}},
		{resource.Kind("ResourcePoolStatusRequest"), "resourcepoolstatusrequests",
			strategies{"": resourcepoolstatusrequest.Strategy, "status": resourcepoolstatusrequest.StatusStrategy}},
		{resource.Kind("ResourceSlice"), "resourceslices", strategies{"": resourceslice.Strategy}},
		{scheduling.Kind("CompositePodGroup"), "compositepodgroups", strategies{
			"":       composites,
			"status": compositepodgroup.NewStatusStrategy(composites),
		}},
		{scheduling.Kind("PodGroup"), "podgroups", strategies{"": groups, "status": podgroup.NewStatusStrategy(groups)}},
		{scheduling.Kind("PriorityClass"), "priorityclasses", strategies{"": priorityclass.Strategy}},
		{scheduling.Kind("Workload"), "workloads", strategies{"": workload.Strategy}},
		{storage.Kind("CSIDriver"), "csidrivers", strategies{"": csidriver.Strategy}},
		{storage.Kind("CSINode"), "csinodes", strategies{"": csinode.Strategy, "status": csinode.StatusStrategy}},
		{storage.Kind("CSIStorageCapacity"), "csistoragecapacities", strategies{"": csistoragecapacity.Strategy}},
		{storage.Kind("StorageClass"), "storageclasses", strategies{"": storageclass.Strategy}},
		{storage.Kind("VolumeAttachment"), "volumeattachments", strategies{
			"":       volumeattachment.Strategy,
			"status": volumeattachment.StatusStrategy,
		}},
		{storage.Kind("VolumeAttributesClass"), "volumeattributesclasses", strategies{"": volumeattributesclass.Strategy}},
		{storagemigration.Kind("StorageVersionMigration"), "storageversionmigrations",
			strategies{"": migration.Strategy, "status": migration.StatusStrategy}},
	}
}
