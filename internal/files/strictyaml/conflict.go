package strictyaml

import (
	"bytes"
	"fmt"
)

// Git writes these at the beginnings of lines around the versions of two branches.
const (
	conflictBegins = "<<<<<<< "
	conflictEnds   = ">>>>>>> "
)

// conflictMistake returns a mistake at the first line of an unresolved merge conflict. The YAML parser
// would name another line, or read a part of the conflict as a string.
func conflictMistake(file string, data []byte) error {
	begins, ends := 0, false
	for number, line := range bytes.Split(data, []byte("\n")) {
		switch {
		case begins == 0 && bytes.HasPrefix(line, []byte(conflictBegins)):
			begins = number + 1
		case begins > 0 && bytes.HasPrefix(line, []byte(conflictEnds)):
			ends = true
		}
	}
	if !ends {
		return nil
	}
	line := bytes.TrimSpace(bytes.Split(data, []byte("\n"))[begins-1])
	return Mistakes{
		{Position: Position{
			File: file,
			Line: begins,
		}, Message: fmt.Sprintf("a merge conflict begins here (%q); keep the right lines, and delete those that begin with "+
			"<<<<<<<, ======= and >>>>>>>", line)},
	}
}
