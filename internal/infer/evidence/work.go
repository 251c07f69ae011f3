package evidence

import "errors"

// Work counts what is done for a site, so that a hard one leaves time for the others. Unlike time, it is the same on a
// busy machine.
type Work struct {
	asked     int // inputs that the native validator was asked about
	Evaluated int // expressions, each on a value
}

// The work for a site in one turn. Most sites need a tenth of it.
const (
	mostAsked     = 6_000
	mostEvaluated = 20_000_000
)

// ErrSpent ends the search for the explanation of a site.
var ErrSpent = errors.New("the work for one error is spent")

// Spent returns errSpent if the work for the site is done.
func (w *Work) Spent() error {
	if w.asked > mostAsked || w.Evaluated > mostEvaluated {
		return ErrSpent
	}
	return nil
}
