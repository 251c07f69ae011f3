package html

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// picturesData are the pictures at the top of the page.
type picturesData struct {
	Verdicts []segmentData
	Classes  *classesData
	Coverage []coverageBar
}

// segmentData is a part of a bar. X and Width are in thousandths of its length.
type segmentData struct {
	Class, Title string
	X, Width     float64
}

// newSegments draws the verdicts of all inputs as one bar. A verdict that occurs is visible.
func (h *report) newSegments(counted harness.Summary) []segmentData {
	const thinnest = 4.0
	var segments []segmentData
	at := 0.0
	for _, verdict := range words.Verdicts() {
		n := counted.Verdicts[verdict]
		if n == 0 || verdict == words.Inexpressible {
			continue
		}
		width := max(thinnest, 1000*float64(n)/float64(counted.Inputs))
		segments = append(segments, segmentData{
			Class: "verdict-" + string(verdict),
			Title: plaintext.Number(n) + " " + string(verdict),
			X:     at,
			Width: width,
		})
		at += width
	}
	for i := range segments { // what thin segments took
		segments[i].X, segments[i].Width = rounded(segments[i].X*1000/at), max(rounded(segments[i].Width*1000/at)-1, 1)
	}
	return segments
}

// classesData counts results with differences by kind and class.
type classesData struct {
	Classes []string
	Kinds   []classesOfKind
	More    string
}

type classesOfKind struct {
	Kind  string
	Cells []classCell
}

// classCell counts the results of a kind that have a difference of a class. Level is from 1 to 4,
// relative to the largest number of the table.
type classCell struct {
	Class, Number, Says string
	Open                bool // some are unexplained
	Level               int
}

// mostKinds limits the rows of the picture of kinds and classes.
const mostKinds = 6

// classCount counts results with a difference, and those in which one is unexplained.
type classCount struct{ all, open int }

// classCounts counts results by kind and class.
type classCounts map[string]map[difference.Class]classCount

// add counts a result.
func (c classCounts) add(gate gate.Gate, r harness.Result) {
	kind := display.Name(r.Version.Kind)
	found := map[difference.Class]bool{} // whether one is unexplained
	for _, pair := range r.Pairs {
		if !pair.Agrees() {
			found[pair.Class] = found[pair.Class] || gate.Differs(pair)
		}
	}
	if len(found) > 0 && c[kind] == nil {
		c[kind] = map[difference.Class]classCount{}
	}
	for class, isOpen := range found {
		count := c[kind][class]
		count.all++
		if isOpen {
			count.open++
		}
		c[kind][class] = count
	}
}

// totals adds up the counts of a kind.
func (c classCounts) totals(kind string) (total classCount) {
	for _, count := range c[kind] {
		total.all += count.all
		total.open += count.open
	}
	return total
}

// draw returns the table of kinds and classes, kinds with unexplained differences first. It returns
// nil if nothing differs.
func (c classCounts) draw() *classesData {
	if len(c) == 0 {
		return nil
	}
	made := &classesData{}
	var kinds []string
	largest := 1
	used := map[difference.Class]bool{}
	for kind, counts := range c {
		kinds = append(kinds, kind)
		for class, count := range counts {
			used[class] = true
			largest = max(largest, count.all)
		}
	}
	slices.SortFunc(kinds, func(a, b string) int {
		of, other := c.totals(a), c.totals(b)
		return cmp.Or(cmp.Compare(other.open, of.open), cmp.Compare(other.all, of.all), cmp.Compare(a, b))
	})
	if len(kinds) > mostKinds {
		made.More, kinds = plaintext.More(len(kinds)-mostKinds)+" kinds, in the table below", kinds[:mostKinds]
	}
	classes := slices.DeleteFunc(difference.Classes(), func(class difference.Class) bool { return !used[class] })
	for _, class := range classes {
		made.Classes = append(made.Classes, string(class))
	}
	for _, kind := range kinds {
		row := classesOfKind{Kind: kind}
		for _, class := range classes {
			row.Cells = append(row.Cells, newClassCell(kind, class, c[kind][class], largest))
		}
		made.Kinds = append(made.Kinds, row)
	}
	return made
}

func newClassCell(kind string, class difference.Class, count classCount, largest int) classCell {
	if count.all == 0 {
		return classCell{}
	}
	says := fmt.Sprintf("%s of %s: %s, %s unexplained", class, kind, plaintext.Count(count.all, "result"), plaintext.Number(count.open))
	return classCell{
		Class:  string(class),
		Number: plaintext.Number(count.all),
		Says:   says,
		Open:   count.open > 0,
		Level:  1 + 3*count.all/largest,
	}
}

// coverageBar is how much of something the cases reach.
type coverageBar struct {
	Name, Number string
	Width        float64 // in thousandths
}

// newCoverageBars returns the bars of all targets together.
func newCoverageBars(c summary.Coverage) []coverageBar {
	counted, ok := c.(coverage.Report)
	if !ok {
		return nil
	}
	var bars []coverageBar
	for _, total := range counted.Totals() {
		if total.Of > 0 {
			bars = append(bars, coverageBar{
				Name: total.Name, Number: plaintext.Number(total.Covered) + " of " + plaintext.Number(total.Of),
				Width: rounded(1000 * float64(total.Covered) / float64(total.Of)),
			})
		}
	}
	return bars
}
