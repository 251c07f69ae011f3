package marker

import "strings"

// Nearest returns the known name that a misspelled one most likely means, or "".
func Nearest(name string, known []string) string {
	best, bestDistance := "", 1<<30
	for _, each := range known {
		d := likeness(name, each)
		if d <= tolerance(each) && d < bestDistance {
			best, bestDistance = each, d
		}
	}
	return best
}

// likeness returns the edit distance between two names, ignoring case. A name without the first
// part of its namespace, such as "validation:Minimum", is close.
func likeness(name, known string) int {
	name, known = strings.ToLower(name), strings.ToLower(known)
	if strings.HasSuffix(known, ":"+name) && strings.Contains(name, ":") {
		return 1
	}
	return distance(name, known)
}

// tolerance returns how many typos to accept in a name.
func tolerance(known string) int {
	switch n := len(known); {
	case n <= 5:
		return 1
	case n <= 12:
		return 2
	}
	return 3
}

// distance returns the number of letters to insert, delete, replace, or swap with their neighbour
// to turn one text into the other (optimal string alignment).
func distance(a, b string) int {
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
