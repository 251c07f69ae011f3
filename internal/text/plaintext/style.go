package plaintext

// Style is how a terminal is to show a text: a code of ECMA-48, SGR.
type Style string

// These are all styles; a Writer lets no other pass.
const (
	Bold   Style = "1"
	Dim    Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
)

// Styles lists all styles.
func Styles() []Style { return []Style{Bold, Dim, Red, Green, Yellow} }

// begin is what switches a style on, and styleEnd what switches all off.
func (s Style) begin() string { return "\x1b[" + string(s) + "m" }

const styleEnd = "\x1b[0m"

// On gives a text in the style.
func (s Style) On(text string) string { return s.begin() + text + styleEnd }
