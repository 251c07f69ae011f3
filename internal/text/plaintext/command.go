package plaintext

import "strings"

// CI systems interpret parts of a log as commands, which set variables of later steps, hide words or forge
// messages. For GitHub's runner, a command is a line that begins with :: after white space, or ##[ anywhere
// (actions/runner, ActionCommand.cs); for Azure's agent ##vso[ anywhere; for TeamCity ##teamcity[. They read
// both stdout and stderr.
const (
	// lineCommand begins a command at the beginning of a line.
	lineCommand = "::"
	// commandMark, followed by a word and a bracket, begins a command anywhere.
	commandMark = "##"
	longestWord = 20
)

// beginsCommand reports whether a text begins with a command that may be anywhere in a line.
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

// mayBegin reports whether an incomplete text may be the beginning of such a command.
func mayBegin(text string) bool {
	if len(text) < len(commandMark) {
		return strings.HasPrefix(commandMark, text)
	}
	rest, marked := strings.CutPrefix(text, commandMark)
	return marked && len(rest) <= longestWord && strings.TrimFunc(rest, func(r rune) bool { return r < 0x80 && isLetter(byte(r)) }) == ""
}

func isLetter(b byte) bool { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' }
