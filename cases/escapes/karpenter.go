package escapes

import (
	"context"
	"regexp"

	"github.com/robfig/cron/v3"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type nodePool struct {
	Spec struct {
		Disruption struct {
			Budgets []budget `json:"budgets"`
		} `json:"disruption"`
	} `json:"spec"`
}

type budget struct {
	Nodes    string  `json:"nodes"`
	Schedule *string `json:"schedule"`
	Duration *string `json:"duration"`
}

// validateBudgets checks each budget and stops at the first invalid one (karpenter #1003, #1006).
func validateBudgets(_ context.Context, object, _ *nodePool) field.ErrorList {
	for _, budget := range object.Spec.Disruption.Budgets {
		if (budget.Schedule == nil) != (budget.Duration == nil) {
			return field.ErrorList{field.Invalid(field.NewPath("spec", "disruption", "budgets"), nil,
				"'schedule' must be set with 'duration'")}
		}
	}
	return nil
}

// validateSchedules parses each schedule with the package that will run it (karpenter #1866,
// karpenter-provider-aws #7562).
func validateSchedules(_ context.Context, object, _ *nodePool) field.ErrorList {
	var errs field.ErrorList
	for i, budget := range object.Spec.Disruption.Budgets {
		if budget.Schedule == nil {
			continue
		}
		if _, err := cron.ParseStandard(*budget.Schedule); err != nil {
			at := field.NewPath("spec", "disruption", "budgets").Index(i).Child("schedule")
			errs = append(errs, field.Invalid(at, *budget.Schedule, "invalid schedule"))
		}
	}
	return errs
}

// validateNodePool reports budgets under the names that disruption and budgets had before
// (karpenter pkg/apis/v1beta1/nodepool_validation.go).
func validateNodePool(_ context.Context, object, _ *nodePool) field.ErrorList {
	nodes := regexp.MustCompile(`^((100|[0-9]{1,2})%|[0-9]+)$`)
	var errs field.ErrorList
	for i, budget := range object.Spec.Disruption.Budgets {
		if !nodes.MatchString(budget.Nodes) {
			at := field.NewPath("spec", "deprovisioning", "budget").Index(i).Child("nodes")
			errs = append(errs, field.Invalid(at, budget.Nodes, "must be a number of nodes or a percentage"))
		}
	}
	return errs
}
