package k8s

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/gengo/v2/codetags"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
)

// k8sFormats returns the formats of k8s.io/apimachinery/pkg/api/validate (strfmt.go) as CEL templates.
// %[1]s is the expression to check.
func k8sFormats() map[string]string {
	subdomain := func(expression string) string {
		return "!format.dns1123Subdomain().validate(" + expression + ").hasValue()"
	}
	return map[string]string{
		"k8s-short-name":         "!format.dns1123Label().validate(%[1]s).hasValue()",
		"k8s-long-name":          subdomain("%[1]s"),
		"k8s-long-name-caseless": subdomain("%[1]s.lowerAscii()"),
		"k8s-label-key":          "!format.qualifiedName().validate(%[1]s).hasValue()",
		"k8s-prefixed-label-key": "%[1]s.contains('/') && !format.qualifiedName().validate(%[1]s).hasValue()",
		"k8s-label-value":        "!format.labelValue().validate(%[1]s).hasValue()",
		"k8s-path-segment-name":  "!(%[1]s in ['.', '..']) && !%[1]s.contains('/') && !%[1]s.contains('%%')",
		"k8s-uuid":               "%[1]s.matches('^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$')",
		"k8s-resource-pool-name": "size(bytes(%[1]s)) <= 253 && %[1]s.split('/').all(part, " + subdomain("part") + ")",
		// Upstream also accepts several slashes, as a comment there explains.
		"k8s-resource-fully-qualified-name": "%[1]s.split('/').size() > 2 || %[1]s.split('/').size() == 2 && " +
			"size(bytes(%[1]s.split('/')[0])) <= 63 && " +
			subdomain("%[1]s.split('/')[0]") + " && %[1]s.split('/')[1].matches('^[A-Za-z_][A-Za-z0-9_]{0,31}$')",
		"k8s-extended-resource-name": "%[1]s.contains('/') && !%[1]s.contains('kubernetes.io/') && !%[1]s.startsWith('requests.') && " +
			"!format.qualifiedName().validate('requests.' + %[1]s).hasValue()",
	}
}

// formatCondition returns a format as a CEL condition on an expression.
func formatCondition(format, on string) (string, error) {
	template, ok := k8sFormats()[format]
	if !ok {
		return "", fmt.Errorf("+k8s:format: unknown format %q; accepted: %s", format,
			strings.Join(slices.Sorted(maps.Keys(k8sFormats())), ", "))
	}
	return "(" + fmt.Sprintf(template, on) + ")", nil
}

// applyFormat sets the keyword format, if OpenAPI schemas of Kubernetes know the format. Otherwise it
// adds a rule.
func (k *dialect) applyFormat(t *target.Target, tag codetags.Tag) error {
	holds, err := formatCondition(tag.Value, "self")
	if err != nil {
		return err
	}
	if strfmt.Default.ContainsName(tag.Value) {
		return k.asKEP(t, tag)
	}
	c := &condition{holds, "must be of format " + tag.Value, field.ErrorTypeInvalid}
	target.AddRule(t.Schema(), c.rule())
	return nil
}
