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

// validateGateway wants each listener to be told from the others; one without a
// hostname is told from one that has one (gateway-api #2369).
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
			return field.ErrorList{field.Invalid(listeners, nil, "combination of port, protocol and hostname must be unique for each listener")}
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

// validateHTTPRoute takes names of headers as HTTP does, whose case means nothing
// (gateway-api #2277).
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

// validateWorkloadGroup wants a template, but no address in it: each workload of the
// group has its own (istio #52749).
func validateWorkloadGroup(_ context.Context, object, _ *workloadGroup) field.ErrorList {
	if object.Spec.Template == nil {
		return field.ErrorList{field.Required(field.NewPath("spec", "template"), "")}
	}
	return nil
}

type listener struct {
	Spec struct {
		TLS *struct {
			Mode string `json:"mode"` // no omitempty: Go cannot tell "" from none
		} `json:"tls"`
	} `json:"spec"`
}

// validateListener wants a mode wherever there is TLS, also in an empty struct
// (kubernetes #120226).
func validateListener(_ context.Context, object, _ *listener) field.ErrorList {
	if tls := object.Spec.TLS; tls != nil && tls.Mode != "Terminate" && tls.Mode != "Passthrough" {
		return field.ErrorList{field.Invalid(field.NewPath("spec", "tls"), nil, "mode must be Terminate or Passthrough")}
	}
	return nil
}
