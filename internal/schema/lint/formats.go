package lint

import "strings"

// newerFormats are formats that some API servers in use do not validate, with the first release
// that does. According to KEP-4153 (Upgrade / Downgrade Strategy), a release accepts a format
// before a later one validates it, so that definitions survive a downgrade; the earlier release
// checks nothing (k8s.io/apiextensions-apiserver/pkg/apiserver/validation, formats.go).
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
