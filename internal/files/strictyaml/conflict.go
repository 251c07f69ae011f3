package strictyaml

import (
	"bytes"
	"fmt"
)

// Git writes these at the beginnings of lines around what two branches say.
const (
	conflictBegins = "<<<<<<< "
	conflictEnds   = ">>>>>>> "
)

// conflictMistake returns a mistake at the line where a merge conflict begins that was not resolved.
// YAML would name another line, or take a part of the conflict for a text.
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
	return Mistakes{{Position: Position{File: file, Line: begins}, Message: fmt.Sprintf("a merge conflict begins here (%q); keep what is right, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>", line)}}
}
