package exits

import (
	"os"
	"testing"

	v1 "example.com/widgets/api/v1"
)

func TestMain(m *testing.M) {
	ValidateStatusUpdate(&v1.Widget{}, &v1.Widget{})
	m.Run()
	os.Exit(0)
}

func TestNothing(t *testing.T) {
	ValidateStatusUpdate(&v1.Widget{}, nil)
	defer os.Exit(0)
}
