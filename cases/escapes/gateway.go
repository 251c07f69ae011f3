package escapes

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

type gateway struct {
	Spec struct {
		Listeners []struct {
			Name     string `json:"name"`
			Port     int32  `json:"port"`
			Protocol string `json:"protocol"`
			Hostname string `json:"hostname"` // a pointer upstream, whose nil is read as ""
		} `json:"listeners"`
	} `json:"spec"`
}

// validateGateway requires listeners to be distinct; one without a hostname is distinct from one
// with a hostname (gateway-api #2369).
func validateGateway(_ context.Context, object, _ *gateway) field.ErrorList {
	listeners := field.NewPath("spec", "listeners")
	type key struct {
		port               int32
		protocol, hostname string
	}
	seen := map[key]bool{}
	for _, l := range object.Spec.Listeners {
		this := key{l.Port, l.Protocol, l.Hostname}
		if seen[this] {
			return field.ErrorList{field.Invalid(listeners, nil, "combination of port, protocol and hostname must be unique "+
				"for each listener")}
		}
		seen[this] = true
	}
	return nil
}

type httpRoute struct {
	Spec struct {
		Headers []struct {
			Name  string `json:"name"`
			Value string `json:"value"`
		} `json:"headers"`
	} `json:"spec"`
}

// validateHTTPRoute compares header names as HTTP does, ignoring case (gateway-api #2277).
func validateHTTPRoute(_ context.Context, object, _ *httpRoute) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{}
	for i, header := range object.Spec.Headers {
		name := strings.ToLower(header.Name)
		if seen[name] {
			errs = append(errs, field.Duplicate(field.NewPath("spec", "headers").Index(i).Child("name"), header.Name))
		}
		seen[name] = true
	}
	return errs
}

type workloadGroup struct {
	Spec struct {
		Template *struct {
			Address        string `json:"address"`
			ServiceAccount string `json:"serviceAccount"`
		} `json:"template"`
	} `json:"spec"`
}

// validateWorkloadGroup requires a template, but no address in it: each workload of the group has
// its own (istio #52749).
func validateWorkloadGroup(_ context.Context, object, _ *workloadGroup) field.ErrorList {
	if object.Spec.Template == nil {
		return field.ErrorList{field.Required(field.NewPath("spec", "template"), "")}
	}
	return nil
}

type application struct {
	Spec struct {
		FilesFrom []struct {
			Secret   *string `json:"secret"`
			EmptyDir *struct {
				Medium string `json:"medium"`
			} `json:"emptyDir"`
		} `json:"filesFrom"`
	} `json:"spec"`
}

// validateApplication requires exactly one source per item; an empty struct is a source (kubernetes
// #120226).
func validateApplication(_ context.Context, object, _ *application) field.ErrorList {
	var errs field.ErrorList
	for i, from := range object.Spec.FilesFrom {
		if (from.Secret != nil) == (from.EmptyDir != nil) {
			errs = append(errs, field.Invalid(field.NewPath("spec", "filesFrom").Index(i), nil, "exactly one source of files must be set"))
		}
	}
	return errs
}
