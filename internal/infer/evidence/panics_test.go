package evidence

import (
	"go/token"
	"testing"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/gomodule/read"
)

// TestPanicReadings: a panic has the readings of panics at its line, and an error there has none of them.
func TestPanicReadings(t *testing.T) {
	at := token.Position{Filename: "example.com/api/thing.go", Line: 7}
	panics := &Reading{Site: read.Site{Pos: at, Type: read.PanicType}}
	fails := &Reading{Site: read.Site{Pos: at, Type: "error", Text: "must be set"}}
	elsewhere := &Reading{Site: read.Site{Pos: token.Position{Filename: at.Filename, Line: 8}, Type: read.PanicType}}
	e := &Evidence{Target: &Target{Readings: []*Reading{fails, panics, elsewhere}}}

	of := &PanicSite{Err: fielderror.Panic("panic: oh", "example.com/api/thing.go:7 (api.validate)")}
	if got := e.PanicReadings(of); len(got) != 1 || got[0] != panics {
		t.Errorf("readings of the panic: %v, want the one at its line", got)
	}
	site := &Site{Key: SiteKey{Source: "example.com/api/thing.go:7"}}
	if got := e.ReadingsOf(site); len(got) != 1 || got[0] != fails {
		t.Errorf("readings of the error: %v, want that of the error", got)
	}
	e.Sites, e.Panics = []*Site{site}, []*PanicSite{of}
	if got := e.Unseen(); len(got) != 1 || got[0] != elsewhere {
		t.Errorf("unseen: %v, want the panic of the other line", got)
	}
}
