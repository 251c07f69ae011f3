package acceptance

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// placeholder matches a text that stands for one that somebody must write, as in a copied command.
var placeholder = regexp.MustCompile(`^(WHY|OWNER|URL|DAY|TEXT|NAME|YYYY-MM-DD|TODO\b.*|FIXME\b.*|XXX.*|<.*>|\.\.\.|…)$`)

// Check returns what a review lacks, one error for each: missing texts, and placeholders.
func Check(review exceptionfile.Review) []error {
	var errs []error
	for _, of := range fieldsOf(&review) {
		switch text := strings.TrimSpace(*of.value); {
		case text == "":
			errs = append(errs, fmt.Errorf("--%s is missing: %s", of.name, of.hint))
		case placeholder.MatchString(text):
			errs = append(errs, fmt.Errorf("--%s %s is a placeholder; write %s", of.name, text, of.hint))
		}
	}
	return errs
}

// reviewField is a part of a review.
type reviewField struct {
	name, hint string
	value      *string
}

func fieldsOf(review *exceptionfile.Review) []reviewField {
	return []reviewField{
		{"why", "the reason why the difference is acceptable", &review.Why},
		{"owner", "who is responsible for it", &review.Owner},
		{"issue", "the URL where it is discussed", &review.Issue},
		{"expires", "the last day on which it is accepted, such as 2027-06-30", &review.Expires},
	}
}

// Title describes a cause in a line.
func (c *Cause) Title() string {
	return fmt.Sprintf("%s, effect %s: %s %s", c.Group.Cause.Class, c.Effect, c.First.Target, c.Group.Cause.Field)
}

// Covers says how much a cause is.
func (c *Cause) Covers() string {
	return plaintext.Count(len(c.Differences), "difference") + " of " + plaintext.Count(len(distinct(c.Cases)), "case")
}

func distinct(texts []string) []string {
	var once []string
	known := map[string]bool{}
	for _, text := range texts {
		if !known[text] {
			known[text] = true
			once = append(once, text)
		}
	}
	return once
}

func join(ids []string) string {
	if len(ids) == 0 {
		return "none"
	}
	shown, more := plaintext.First(ids)
	var quoted []string
	for _, id := range shown {
		quoted = append(quoted, strconv.Quote(id))
	}
	text := strings.Join(quoted, ", ")
	if more > 0 {
		text += ", " + plaintext.More(more)
	}
	return text
}
