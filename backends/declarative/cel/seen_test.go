package cel

import "testing"

// TestSeen: what is alike in some way and not the same is new, wherever chance puts it.
func TestSeen(t *testing.T) {
	items := []datum{
		textDatum(""), intDatum(0), no.datum(), textDatum("a"), textDatum("b"), intDatum(1), yes.datum(), intDatum(-1), textDatum("1"), textDatum("ab"),
	}
	for range 64 { // each has a seed of its own
		var s seen
		for range 2 { // a second time in the same room
			s.reset(len(items))
			for _, item := range items {
				if !s.add(&item) {
					t.Fatalf("%+v is not new", item)
				}
			}
			for _, item := range items {
				if s.add(&item) {
					t.Fatalf("%+v is new again", item)
				}
			}
		}
	}
}
