package escapes

import (
	"context"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type nodeReadinessRule struct {
	Spec struct {
		NodeSelector metav1.LabelSelector `json:"nodeSelector"`
	} `json:"spec"`
}

// validateNodeReadinessRule refuses a selector that selects every node
// (node-readiness-controller #454).
func validateNodeReadinessRule(_ context.Context, object, _ *nodeReadinessRule) field.ErrorList {
	selector := object.Spec.NodeSelector
	if len(selector.MatchLabels) == 0 && len(selector.MatchExpressions) == 0 {
		return field.ErrorList{field.Required(field.NewPath("spec", "nodeSelector"), "")}
	}
	return nil
}

type order struct {
	Spec struct {
		CSR []byte `json:"csr"`
	} `json:"spec"`
	Status struct {
		State       string `json:"state"`
		Certificate []byte `json:"certificate"` // no omitempty: nil is written as null
	} `json:"status"`
}

// validateOrder requires a certificate request; the certificate itself comes later (cert-manager
// #1373).
func validateOrder(_ context.Context, object, _ *order) field.ErrorList {
	if len(object.Spec.CSR) == 0 {
		return field.ErrorList{field.Required(field.NewPath("spec", "csr"), "")}
	}
	return nil
}

type proxmoxMachine struct {
	Spec struct {
		SourceNode string `json:"sourceNode"`
		TemplateID *int64 `json:"templateID"`
	} `json:"spec"`
}

// validateProxmoxMachine requires a lower-case node name. The template to clone is optional,
// because objects of the older version cannot name one (cluster-api-provider-proxmox #609).
func validateProxmoxMachine(_ context.Context, object, _ *proxmoxMachine) field.ErrorList {
	if node := object.Spec.SourceNode; node != strings.ToLower(node) {
		return field.ErrorList{field.Invalid(field.NewPath("spec", "sourceNode"), node, "must be in lower case")}
	}
	return nil
}

type vsphereMachine struct {
	Status struct {
		Conditions []struct {
			Type   string `json:"type"`
			Reason string `json:"reason"` // Go's zero value is written as ""
		} `json:"conditions"`
	} `json:"status"`
}

// validateVSphereMachine requires the type of each condition; the reason is optional
// (cluster-api-provider-vsphere #4105).
func validateVSphereMachine(_ context.Context, object, _ *vsphereMachine) field.ErrorList {
	var errs field.ErrorList
	for i, condition := range object.Status.Conditions {
		if condition.Type == "" {
			errs = append(errs, field.Required(field.NewPath("status", "conditions").Index(i).Child("type"), ""))
		}
	}
	return errs
}
