package oneof

import (
	"fmt"
	"strings"
)

// Nearest returns the accepted word that a misspelled one most likely means, or "". At most a third of its letters
// differ, in words of one or two letters none; capitals do not count.
func Nearest[W ~string](word W, accepted []W) W {
	var nearest W
	least := len([]rune(word))/3 + 1
	for _, other := range accepted {
		if other == "" {
			continue
		}
		if n := Distance(strings.ToLower(string(word)), strings.ToLower(string(other))); n < least {
			nearest, least = other, n
		}
	}
	return nearest
}

// DidYouMean returns a question about a misspelled word, with a blank before it, or "".
func DidYouMean[W ~string](word W, accepted []W) string {
	if nearest := Nearest(word, accepted); nearest != "" {
		return fmt.Sprintf(" did you mean %q?", string(nearest))
	}
	return ""
}

// Distance returns the number of letters to insert, delete, replace, or swap with their neighbour
// to turn one text into the other (optimal string alignment).
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			replaced := rows[i-1][j-1]
			if x[i-1] != y[j-1] {
				replaced++
			}
			rows[i][j] = min(replaced, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
