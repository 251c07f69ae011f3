package named

import (
	"testing"

	v1 "example.com/widgets/api/v1"
)

func TestNamed(t *testing.T) {
	w := &v1.Widget{Spec: v1.WidgetSpec{Size: 11}}
	if _, err := validate(w); err == nil || len(causes(w)) != 1 || len(Problems(w)) != 1 || Load(w) != nil {
		t.Fatal(err)
	}
}
