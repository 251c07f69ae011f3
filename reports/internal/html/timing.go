package html

import (
	"fmt"
	"math"
	"time"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// timing is the times of both validators. An input counts only if both decided, so both
// distributions have the same inputs.
type timing struct{ native, declarative distribution }

func (t *timing) add(r harness.Result) {
	if r.Native.Fault != nil || r.Declarative.Fault != nil || r.Native.Elapsed <= 0 || r.Declarative.Elapsed <= 0 {
		return
	}
	t.native.add(r.Native.Elapsed)
	t.declarative.add(r.Declarative.Elapsed)
}

// distribution counts times in logarithmic steps, so its size does not grow with their number.
type distribution struct {
	counts map[int]int
	n      int
	max    time.Duration
}

const (
	// stepsPerDecade is the number of counted steps, each 4 % above the previous one.
	stepsPerDecade = 60
	// barsPerDecade is the number of bars in the picture.
	barsPerDecade = 6
)

func (d *distribution) add(elapsed time.Duration) {
	if d.counts == nil {
		d.counts = map[int]int{}
	}
	d.counts[int(math.Floor(math.Log10(float64(elapsed))*stepsPerDecade))]++
	d.n++
	d.max = max(d.max, elapsed)
}

// quantile returns the time that a share of all times does not exceed, rounded up to a step.
func (d *distribution) quantile(share float64) time.Duration {
	wanted, seen := int(math.Ceil(share*float64(d.n))), 0
	for step := 0; ; step++ {
		if seen += d.counts[step]; seen >= wanted {
			return min(d.max, time.Duration(math.Pow(10, (float64(step)+0.5)/stepsPerDecade)))
		}
	}
}

// bars returns the number of times in each bar.
func (d *distribution) bars() map[int]int {
	bars := map[int]int{}
	for step, n := range d.counts {
		bars[step/(stepsPerDecade/barsPerDecade)] += n
	}
	return bars
}

// timingData is the picture of both distributions: native bars point up, declarative bars down.
type timingData struct {
	Inputs string
	Bars   []barData
	Ticks  []tickData
	Rows   []timesData
	// Above and Below are the names of the two sides.
	Above, Below string
}

type barData struct {
	Class               string
	X, Y, Width, Height float64
	Title               string
}

type tickData struct {
	X    float64
	Text string
}

// timesData has the figures of one side.
type timesData struct{ Side, Class, Median, P90, P99, Max string }

const (
	// The picture has room for the bars of each side above and below the scale.
	timingWidth, timingHalf, timingScale = 720.0, 90.0, 24.0
)

// draw returns the picture, or nil if nothing was timed.
func (t *timing) draw(sides harness.Sides) *timingData {
	if t.native.n == 0 {
		return nil
	}
	above, below := sides.Labels()
	above, below = plaintext.Line(above), plaintext.Line(below)
	native, declarative := t.native.bars(), t.declarative.bars()
	first, last, highest := math.MaxInt, 0, 0
	for _, bars := range []map[int]int{native, declarative} {
		for bar, n := range bars {
			first, last, highest = min(first, bar), max(last, bar), max(highest, n)
		}
	}
	first = first / barsPerDecade * barsPerDecade
	last = (last/barsPerDecade+1)*barsPerDecade - 1
	width := timingWidth / float64(last-first+1)
	drawn := &timingData{
		Inputs: plaintext.Count(t.native.n, "input"),
		Rows:   []timesData{t.native.times(above, "native"), t.declarative.times(below, "declarative")},
		Above:  above,
		Below:  below,
	}
	for bar := first; bar <= last; bar++ {
		x := rounded(float64(bar-first) * width)
		if bar%barsPerDecade == 0 {
			drawn.Ticks = append(drawn.Ticks, tickData{x, shortTime(timeOfBar(bar), 2)})
		}
		for _, side := range []struct {
			name, class string
			n           int
		}{{above, "native", native[bar]}, {below, "declarative", declarative[bar]}} {
			if side.n == 0 {
				continue
			}
			height := max(1, rounded(timingHalf*float64(side.n)/float64(highest)))
			y := timingHalf - height
			if side.class == "declarative" {
				y = timingHalf + timingScale
			}
			title := fmt.Sprintf("%s: %s from %s to %s", side.name, plaintext.Count(side.n, "input"), shortTime(timeOfBar(bar), 2),
				shortTime(timeOfBar(bar+1), 2))
			drawn.Bars = append(drawn.Bars, barData{side.class, x, rounded(y), rounded(width - 1), height, title})
		}
	}
	return drawn
}

func (d *distribution) times(side, class string) timesData {
	return timesData{side, class, shortTime(d.quantile(0.5), 2), shortTime(d.quantile(0.9), 2), shortTime(d.quantile(0.99), 2),
		shortTime(d.max, 3)}
}

func timeOfBar(bar int) time.Duration {
	return time.Duration(math.Round(math.Pow(10, float64(bar)/barsPerDecade)))
}

// shortTime formats a time with a number of digits.
func shortTime(d time.Duration, digits int) string {
	if d <= 0 {
		return "0s"
	}
	unit := math.Pow(10, max(0, math.Floor(math.Log10(float64(d)))-float64(digits-1)))
	return time.Duration(math.Round(float64(d)/unit) * unit).String()
}

func rounded(x float64) float64 { return math.Round(x*10) / 10 }
