package plaintext

import "strings"

// Systems that run builds take parts of a log for commands, which set variables of later
// steps, hide words or forge messages. GitHub's runner takes a line that begins with ::
// behind white space, and ##[ anywhere (actions/runner, ActionCommand.cs); Azure's agent
// ##vso[ anywhere; TeamCity ##teamcity[. Both stdout and stderr are read so.
const (
	// lineCommand makes a command at the beginning of a line.
	lineCommand = "::"
	// commandMark begins one anywhere: a word and a bracket follow.
	commandMark = "##"
	longestWord = 20
)

// beginsCommand says that a text begins with what is a command anywhere.
func beginsCommand(text string) bool {
	rest, marked := strings.CutPrefix(text, commandMark)
	if !marked {
		return false
	}
	for i := 0; i < len(rest) && i <= longestWord; i++ {
		if !isLetter(rest[i]) {
			return rest[i] == '['
		}
	}
	return false
}

// mayBegin says that a text, which ends here, may begin such a command with what follows.
func mayBegin(text string) bool {
	if len(text) < len(commandMark) {
		return strings.HasPrefix(commandMark, text)
	}
	rest, marked := strings.CutPrefix(text, commandMark)
	return marked && len(rest) <= longestWord && strings.TrimFunc(rest, func(r rune) bool { return r < 0x80 && isLetter(byte(r)) }) == ""
}

func isLetter(b byte) bool { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' }
