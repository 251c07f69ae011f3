package plaintext

import "strings"

// Gutter is the prefix of lines of a text, so that none of them looks like a line of the program.
const Gutter = "| "

// Stack returns the stack of a goroutine as lines with a gutter, at most as many as people read.
func Stack(stack string) []string {
	var lines []string
	all := strings.Split(strings.TrimRight(stack, "\n"), "\n")
	for i, line := range all {
		if i == MaxBlock/2 {
			return append(lines, More(len(all)-i)+" lines")
		}
		depth := len(line) - len(strings.TrimLeft(line, "\t"))
		lines = append(lines, Gutter+strings.Repeat("    ", depth)+Cut(line[depth:], MaxLine))
	}
	return lines
}
