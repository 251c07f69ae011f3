package html

import (
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/sidebyside"
	"github.com/diffrun/diffrun/reports/internal/display"
)

// causeNumbers numbers the causes of a run in order of appearance, starting at one.
type causeNumbers struct {
	groups  causes.Groups
	numbers map[*causes.Group]int
	first   []int // the number of the first result that shows each
}

// causesOfResult are the causes of a result, in the order of causes.Groups.Add. Zero means no
// cause.
type causesOfResult struct{ numbers []int }

func (c *causesOfResult) next() int {
	number := c.numbers[0]
	c.numbers = c.numbers[1:]
	return number
}

// add adds the unexplained differences of a result.
func (c *causeNumbers) add(r harness.Result, result int) *causesOfResult {
	if c.numbers == nil {
		c.numbers = map[*causes.Group]int{}
	}
	var found causesOfResult
	for _, group := range c.groups.Add(r) {
		if group != nil && c.numbers[group] == 0 {
			c.first = append(c.first, result)
			c.numbers[group] = len(c.first)
		}
		found.numbers = append(found.numbers, c.numbers[group])
	}
	return &found
}

// causeData is a cause for the page's scripts. Result is the number of the first result with it.
type causeData struct {
	Number      int    `json:"number"`
	ID          string `json:"id"`   // the same in every run
	What        string `json:"what"` // a class, or the failing part
	Effect      string `json:"effect,omitempty"`
	Kind        string `json:"kind,omitempty"`
	Field       string `json:"field,omitempty"`
	Native      string `json:"native,omitempty"`
	Declarative string `json:"declarative,omitempty"`
	Text        string `json:"text,omitempty"`
	Found       int    `json:"found"`
	Inputs      int    `json:"inputs"`
	Cases       int    `json:"cases"`
	Result      int    `json:"result"`
	Allowed     bool   `json:"allowed,omitempty"` // by the gate of the run
}

// sorted returns the causes in the order of the page.
func (c *causeNumbers) sorted() []causeData {
	sorted := []causeData{}
	for _, group := range c.groups.Sorted() {
		number := c.numbers[group]
		cause := causeData{
			Number: number, ID: group.ID, What: unmetNote, Effect: string(group.Effect), Text: group.First.Text,
			Found: group.Found, Inputs: group.Inputs, Cases: group.Cases, Result: c.first[number-1], Allowed: group.Allowed &&
				group.Kind != causes.Fault,
		}
		switch group.Kind {
		case causes.Fault:
			cause.What = "fault of " + group.First.Of
		case causes.Difference:
			cause.What, cause.Kind, cause.Field = string(group.Cause.Class), display.Name(group.Cause.Kind),
				sidebyside.Place(group.Cause.Field)
			if group.First.Native != nil {
				cause.Native = group.First.Native.String()
			}
			if group.First.Declarative != nil {
				cause.Declarative = group.First.Declarative.String()
			}
		}
		sorted = append(sorted, cause)
	}
	return sorted
}
