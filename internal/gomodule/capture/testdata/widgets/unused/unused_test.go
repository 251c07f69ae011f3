package unused

import "testing"

func TestSize(t *testing.T) {
	if size() != 1 {
		t.Fatal(size())
	}
}
