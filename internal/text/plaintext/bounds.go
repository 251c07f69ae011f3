package plaintext

// The limits of everything that is shown to people. Formats for programs have none.
const (
	// MaxText is the number of bytes that are shown of a message, name or other text.
	MaxText = 2_000
	// MaxLines is the number of lines that are shown of a text, and MaxLine the number of bytes
	// of each line if there are several.
	MaxLines = 20
	MaxLine  = 300
	// MaxValue is the number of bytes that are shown of the bad value of an error. The message
	// follows it.
	MaxValue = 200
	// MaxCell is the number of bytes that are shown of a text in a table, whose column becomes as
	// wide.
	MaxCell = 100
	// MaxNames is the number of names that are listed in a sentence.
	MaxNames = 50
	// MaxItems is the number of items that are listed on lines of their own: mistakes, the errors
	// of an object, the differences of a case.
	MaxItems = 100
	// MaxBlock is the number of lines of a report about one case.
	MaxBlock = 200
)

// slack is the number of bytes by which a text may exceed its limit and still be shown whole. Omitting a few
// bytes saves nothing, and a text that was cut and inserted into another one is not cut again.
func slack(bound int) int { return bound + bound/2 }
