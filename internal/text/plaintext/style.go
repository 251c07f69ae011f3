package plaintext

// Style is how a terminal shows a text: an SGR code of ECMA-48.
type Style string

// All styles; a Writer allows no others.
const (
	Bold   Style = "1"
	Dim    Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
)

// Styles lists all styles.
func Styles() []Style { return []Style{Bold, Dim, Red, Green, Yellow} }

// begin switches a style on, and styleEnd switches all styles off.
func (s Style) begin() string { return "\x1b[" + string(s) + "m" }

const styleEnd = "\x1b[0m"

// On returns a text in the style.
func (s Style) On(text string) string { return s.begin() + text + styleEnd }
