package lint

import "strings"

// newerFormats are the formats that not every API server in use validates, and the first release
// that does. KEP-4153 (Upgrade / Downgrade Strategy) has a release store a format before one
// validates it, so that a definition may be downgraded; an API server that only stores it checks
// nothing (k8s.io/apiextensions-apiserver/pkg/apiserver/validation, formats.go).
func newerFormats() map[string]string {
	return map[string]string{"k8sshortname": "1.34", "k8slongname": "1.34"}
}

// newerFormat finds formats that older API servers store without validating them.
func newerFormat(v *visit) []hit {
	since, newer := newerFormats()[strings.ReplaceAll(v.s.Format, "-", "")]
	if !newer || !v.w.opts.Costs || v.typ() != "string" {
		return nil
	}
	return v.one("format", "the format %q is validated since Kubernetes %s", v.s.Format, since)
}
