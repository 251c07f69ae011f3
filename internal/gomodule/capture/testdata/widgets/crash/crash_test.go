package crash

import (
	"testing"

	v1 "example.com/widgets/api/v1"
)

func TestRecovers(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Validate(&v1.Widget{Spec: v1.WidgetSpec{Size: 1}})
}

func TestCrash(t *testing.T) {
	Validate(&v1.Widget{Spec: v1.WidgetSpec{Color: "red"}})
	Validate(&v1.Widget{Spec: v1.WidgetSpec{Size: 2}})
}
