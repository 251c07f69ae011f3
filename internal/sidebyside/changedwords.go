package sidebyside

import "unicode"

// Cell is a column of an error, and the spans of its text that differ from the other side.
type Cell struct {
	Text    string
	Differs []Span
}

// Span is a range of runes without its end.
type Span struct{ Start, End int }

// plain returns cells without marks.
func plain(texts []string) []Cell {
	var cells []Cell
	for _, text := range texts {
		cells = append(cells, Cell{Text: text})
	}
	return cells
}

// Compare returns the cells of both sides with their differences marked. If one side has no
// error, nothing is marked.
func Compare(native, declarative []string) (a, b []Cell) {
	a, b = plain(native), plain(declarative)
	if native == nil || declarative == nil {
		return a, b
	}
	for i := range a {
		a[i].Differs, b[i].Differs = changedWords(native[i], declarative[i])
	}
	return a, b
}

// word is a run of letters and digits, or another character that is not a space.
type word struct {
	text string
	Span
}

// maxAlignment limits the work for one pair of texts: the product of their numbers of words.
const maxAlignment = 1 << 18

// changedWords returns the words of each text that are not in a longest common subsequence of
// both. It marks nothing if the texts have several words and too little in common, because it
// would mark everything.
func changedWords(a, b string) (inA, inB []Span) {
	if a == b {
		return nil, nil
	}
	runesA, runesB := []rune(a), []rune(b)
	wordsA, wordsB := words(runesA), words(runesB)
	if len(wordsA)*len(wordsB) > maxAlignment {
		return middles(runesA, runesB)
	}
	keptA, keptB, kept := align(wordsA, wordsB)
	longer := max(len(wordsA), len(wordsB))
	switch {
	case kept == longer: // they part in spaces only
		return middles(runesA, runesB)
	case longer > 1 && 3*kept < longer:
		return nil, nil
	}
	return unkept(wordsA, keptA), unkept(wordsB, keptB)
}

func words(text []rune) []word {
	var found []word
	for at := 0; at < len(text); {
		end := at + 1
		for isWord(text[at]) && end < len(text) && isWord(text[end]) {
			end++
		}
		if !unicode.IsSpace(text[at]) {
			found = append(found, word{string(text[at:end]), Span{at, end}})
		}
		at = end
	}
	return found
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// align returns which words of each text are in a longest common subsequence, and its length.
func align(a, b []word) (keptA, keptB []bool, kept int) {
	// longest[i][j] is that of a[i:] and b[j:].
	longest := make([][]int, len(a)+1)
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].text == b[j].text {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	keptA, keptB = make([]bool, len(a)), make([]bool, len(b))
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].text == b[j].text:
			keptA[i], keptB[j] = true, true
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return keptA, keptB, longest[0][0]
}

// unkept joins consecutive words that are not kept into spans.
func unkept(words []word, kept []bool) []Span {
	var spans []Span
	for i, word := range words {
		switch {
		case kept[i]:
		case i > 0 && !kept[i-1]:
			spans[len(spans)-1].End = word.End
		default:
			spans = append(spans, word.Span)
		}
	}
	return spans
}

// middles returns two texts without their common beginning and end.
func middles(a, b []rune) (inA, inB []Span) {
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	tail := 0
	for tail < min(len(a), len(b))-start && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return []Span{{start, len(a) - tail}}, []Span{{start, len(b) - tail}}
}
