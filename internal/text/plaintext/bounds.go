package plaintext

// The bounds of everything that is shown to people. Formats for programs have none.
const (
	// MaxText is how many bytes of one message, name or other text are shown.
	MaxText = 2_000
	// MaxLines is how many lines of a text are shown that has several, and MaxLine how
	// many bytes of each.
	MaxLines = 20
	MaxLine  = 300
	// MaxValue is how many bytes of the value are shown that an error is about: what is
	// wrong with it stands behind it.
	MaxValue = 200
	// MaxCell is how many bytes of a text are shown in a table, as wide as which the
	// column becomes.
	MaxCell = 100
	// MaxNames is how many names are listed in a sentence.
	MaxNames = 50
	// MaxItems is how many things are listed that have lines of their own: mistakes,
	// the errors of an object, the differences of a case.
	MaxItems = 100
	// MaxBlock is how many lines of a report are about one case.
	MaxBlock = 200
)

// slack is how much longer than its bound a text may be and still be shown whole: to
// leave out a few bytes saves nobody's time, and a text that was cut and then put into
// another one is not cut again.
func slack(bound int) int { return bound + bound/2 }
