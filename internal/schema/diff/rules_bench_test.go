package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/schema/diff"
)

// BenchmarkWitness makes the examples of many rules of one object. The time for each rule should
// not grow with their number.
func BenchmarkWitness(b *testing.B) {
	for _, shape := range []struct{ name, old, now string }{
		{"new", "", "!has(self.f%[1]d) || has(self.g%[1]d) && self.g%[1]d.size() > 3"},
		{"reworded", "!has(self.f%[1]d) || has(self.g%[1]d) && self.g%[1]d.size() > 3",
			"!has(self.f%[1]d) || has(self.g%[1]d) && self.g%[1]d.size() > 4"},
		{"required", "self.f%[1]d < 100", "self.f%[1]d < 90"},
		{"unshown", "", "!has(self.g%[1]d) || self.g%[1]d.find('[0-9]{40}') == ''"},
		{"transition", "!has(oldSelf.f%[1]d) || has(self.f%[1]d)", "!has(oldSelf.f%[1]d) || has(self.f%[1]d) && self.f%[1]d " +
			">= oldSelf.f%[1]d"},
	} {
		for _, rules := range []int{5, 20, 80} {
			of := func(rule string) diff.Side {
				var fields, written, required []string
				for i := range rules {
					fields = append(fields, fmt.Sprintf("f%[1]d: {type: integer}, g%[1]d: {type: string, maxLength: 64}", i))
					written = append(written, fmt.Sprintf(`{rule: "`+rule+`", message: "rule %[1]d"}`, i))
					required = append(required, fmt.Sprintf("f%d", i))
				}
				rest := ""
				if rule != "" {
					rest = ", x-kubernetes-validations: [" + strings.Join(written, ", ") + "]"
				}
				if shape.name == "required" {
					rest += ", required: [" + strings.Join(required, ", ") + "]"
				}
				return side(b, "{type: object, properties: {spec: {type: object, properties: {"+strings.Join(fields, ", ")+"}"+rest+"}}}")
			}
			b.Run(fmt.Sprintf("%s/%d", shape.name, rules), func(b *testing.B) {
				one, other := of(shape.old), of(shape.now)
				changes := diff.Walk(one, other)
				shown := 0
				for b.Loop() {
					all, err := diff.Witness(b.Context(), one, other, changes, 1)
					if err != nil {
						b.Fatal(err)
					}
					shown = 0
					for _, change := range all {
						shown += min(len(change.Examples), 1)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*rules), "ms/rule")
				b.ReportMetric(float64(shown)/float64(rules), "shown")
			})
		}
	}
}
