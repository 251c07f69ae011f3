package infer

import "errors"

// work counts what is done for a site, so that a hard one leaves time for the others. Unlike time, it is the same on a
// busy machine.
type work struct {
	asked     int // inputs that the native validator was asked about
	evaluated int // expressions, each on a value
}

// The work for a site in one turn. Most sites need a tenth of it.
const (
	mostAsked     = 6_000
	mostEvaluated = 20_000_000
)

// errSpent ends the search for the explanation of a site.
var errSpent = errors.New("the work for one error is spent")

// spent returns errSpent if the work for the site is done.
func (w *work) spent() error {
	if w.asked > mostAsked || w.evaluated > mostEvaluated {
		return errSpent
	}
	return nil
}
