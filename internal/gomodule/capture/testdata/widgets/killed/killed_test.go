package killed_test

import (
	"testing"

	v1 "example.com/widgets/api/v1"
	"example.com/widgets/killed"
)

func TestKilled(t *testing.T) {
	for size := range int32(9) {
		killed.Validate(&v1.Widget{Spec: v1.WidgetSpec{Size: size}})
	}
}
