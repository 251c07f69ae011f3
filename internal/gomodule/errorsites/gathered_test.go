package errorsites

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestGathered: errors that were put together, or that a validator returned, have no site where they are reported.
func TestGathered(t *testing.T) {
	f, err := load(&packages.Config{Context: t.Context()}, []string{"./testdata/gathering"})
	if err != nil {
		t.Fatal(err)
	}
	f.allErrors = true
	f.find()
	var got []string
	for _, site := range f.sites() {
		got = append(got, site.Function+" "+site.Call)
	}
	want := []string{
		"validate Required", "check New",
		"handler.handle Denied",  // of a text
		"handler.handle Errored", // of an error that another module made
		"handler.handle Errorf",  // and not the call around it
	}
	if !slices.Equal(got, want) {
		t.Errorf("sites: %q, want %q", got, want)
	}
}
