package validation

import (
	"testing"

	v1 "example.com/widgets/api/v1"
)

func TestWidget(t *testing.T) {
	for _, tc := range []struct {
		name string
		size int32
		opts Options
	}{{"ok", 1, Options{}}, {"negative", -1, Options{}}, {"big", 11, Options{}}, {"big allowed", 11, Options{AllowBig: true}}, {"hidden", 11, Options{AllowBig: true, hidden: 3}}} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := &v1.Widget{Spec: v1.WidgetSpec{Size: tc.size, Color: "red"}}
			w.Name = "w"
			ValidateWidget(w, tc.opts)
		})
	}
}

func TestUpdate(t *testing.T) {
	a, b := &v1.Widget{}, &v1.Widget{}
	a.Spec.Color = "black"
	ValidateWidgetUpdate(a, b)
	ValidateAny(a, nil)
	ValidateSpec(&a.Spec, nil)
	done := make(chan bool)
	go func() { ValidateWidget(a, Options{}); close(done) }()
	<-done
}

func FuzzWidget(f *testing.F) {
	f.Add(int32(5))
	f.Fuzz(func(t *testing.T, n int32) { ValidateWidget(&v1.Widget{Spec: v1.WidgetSpec{Size: n}}, Options{}) })
}
