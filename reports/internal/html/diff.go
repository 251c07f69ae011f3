package html

import (
	"github.com/pmezard/go-difflib/difflib"
)

// diffContext is how many equal lines the page shows around each change of an update.
const diffContext = 3

// hunk is a block of lines of an update: the number of its first line in the old and in the new object,
// and its lines, each after its sign: "-" only old, "+" only new, " " both.
type hunk struct {
	Old   int      `json:"old"`
	New   int      `json:"new"`
	Lines []string `json:"lines"`
}

// maxDiff limits the lines of objects that are compared, because the work is their product.
const maxDiff = 5_000

// diff returns the changes of an update. It returns nil if there is no old object, or the objects are too
// long.
func diff(old, object objectLines) []hunk {
	if len(old.lines) == 0 || len(object.lines) == 0 || len(old.lines)+len(object.lines) > maxDiff {
		return nil
	}
	hunks := []hunk{}
	for _, group := range difflib.NewMatcher(old.lines, object.lines).GetGroupedOpCodes(diffContext) {
		made := hunk{Old: group[0].I1 + 1, New: group[0].J1 + 1}
		add := func(sign string, lines []string) {
			for _, line := range lines {
				made.Lines = append(made.Lines, sign+line)
			}
		}
		for _, code := range group {
			switch code.Tag {
			case 'e':
				add(" ", old.lines[code.I1:code.I2])
			default: // replaced, deleted, inserted
				add("-", old.lines[code.I1:code.I2])
				add("+", object.lines[code.J1:code.J2])
			}
		}
		hunks = append(hunks, made)
	}
	return hunks
}
