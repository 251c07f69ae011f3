package plaintext

import "strings"

// Gutter stands before lines that a text begins itself, so that none of them can pass for
// one of the program.
const Gutter = "| "

// Stack gives the stack of a goroutine as lines with a gutter, not more of them than
// anybody reads.
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
