package redaction_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/findings/redaction"
)

// BenchmarkRedact measures the cost of redacting a difference of a small object and of a large one.
func BenchmarkRedact(b *testing.B) {
	for _, size := range []int{1 << 10, 50 << 10, 1 << 20} {
		data := map[string]any{}
		for i := range size / 100 {
			data[fmt.Sprint("key-", i)] = strings.Repeat(fmt.Sprint("value", i, " "), 8)
		}
		result := said(b, map[string]any{"apiVersion": "example.com/v1", "kind": "Cage", "spec": map[string]any{"open": data}},
			field.Invalid(field.NewPath("spec"), 1, "value7 of key-8 must be at most 3 characters long, and no canary"))
		b.Run(fmt.Sprint(size>>10, "KB"), func(b *testing.B) {
			for b.Loop() {
				_ = (&redaction.Redactor{}).Result(result)
			}
		})
	}
}
