package keyword

import (
	"encoding/json"

	"github.com/diffrun/diffrun/backends/declarative/tally"
)

// Reach is a check that finds nothing: it notes which keywords check a value. It runs before
// them, in schemas that are compiled to be counted.
type Reach []tally.ID

// Check notes the keywords.
func (r Reach) Check(s Subject) { s.Reached(r) }

// EnumUse is a check that finds nothing: it notes which value of an enum is used. The keys are
// those of EnumText.
type EnumUse map[string][]tally.ID

// Check notes the value.
func (u EnumUse) Check(s Subject) {
	if places := u[EnumText(s.Value().JSON())]; places != nil {
		s.Reached(places)
	}
}

// EnumText writes a value of an enum as JSON.
func EnumText(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "" // a value that JSON has not is in no enum
	}
	return string(text)
}
