package reports

import (
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/causes"
)

// htmlCauses numbers the causes of a run in order of appearance, starting at one.
type htmlCauses struct {
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
func (c *htmlCauses) add(r harness.Result, result int) *causesOfResult {
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

// htmlCause is a cause for the page's scripts. Result is the number of the first result with it.
type htmlCause struct {
	Number      int    `json:"number"`
	What        string `json:"what"` // a class, or what is at fault
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
func (c *htmlCauses) sorted() []htmlCause {
	sorted := []htmlCause{}
	for _, group := range c.groups.Sorted() {
		number := c.numbers[group]
		cause := htmlCause{
			Number: number, What: unmetNote, Effect: string(group.Effect), Text: group.First.Text,
			Found: group.Found, Inputs: group.Inputs, Cases: group.Cases, Result: c.first[number-1], Allowed: group.Allowed && group.What != causes.Fault,
		}
		switch group.What {
		case causes.Fault:
			cause.What = "fault of the " + group.First.Of
		case causes.Difference:
			cause.What, cause.Kind, cause.Field = string(group.Cause.Class), name(group.Cause.Kind), place(group.Cause.Field)
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
