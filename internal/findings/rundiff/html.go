package rundiff

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/internal/sidebyside"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

//go:embed page.html
var page string

type pageData struct {
	Sign, Outcome, Sentence string
	Fails                   bool
	Lacks                   []string
	Problems                []string
	RunURL                  string
	Sections                []pageSection
}

type pageSection struct {
	Title  string
	Found  string
	IsNew  bool
	Causes []pageCause
	More   string
}

type pageCause struct {
	Found, Cases, What, Effect, Kind, Field string
	Sides                                   []pageSide
	Text                                    string
	Case, Source, URL                       string
}

type pageSide struct{ Name, Text string }

// html writes the comparison as a page that loads nothing and needs no script.
func (c *Comparison) html(w io.Writer, runs Runs) error {
	outcome, fails := c.outcome()
	data := pageData{Sign: "✓", Outcome: outcome, Fails: fails, Sentence: c.sentence(runs), Lacks: runs.lacks()}
	if fails {
		data.Sign = "✗"
	}
	for _, problem := range c.NewProblems {
		data.Problems = append(data.Problems, plaintext.Line(problem))
	}
	if causetext.IsLink(runs.New.RunURL) {
		data.RunURL = runs.New.RunURL
	}
	for _, section := range c.sections() {
		all := section.groups.Sorted()
		if len(all) == 0 {
			continue
		}
		made := pageSection{Title: section.title, Found: plaintext.Count(found(section.groups), "time"), IsNew: section.isNew}
		for _, group := range all {
			made.Causes = append(made.Causes, newPageCause(group, runs.New.SourceURL))
		}
		if section.groups.More > 0 {
			made.More = plaintext.More(section.groups.More)
		}
		data.Sections = append(data.Sections, made)
	}
	parsed, err := template.New("comparison").Parse(page)
	if err != nil {
		return err
	}
	return parsed.Execute(w, data)
}

func newPageCause(group *causes.Group, sourceURL string) pageCause {
	first := group.First
	made := pageCause{
		Found: plaintext.Count(group.Found, "time"), Cases: plaintext.Count(group.Cases, "case"), What: string(group.Kind),
		Text: first.Text,
		Case: first.Case, Source: first.Source, URL: causetext.SourceURL(sourceURL, first.Source),
	}
	switch group.Kind {
	case causes.Fault:
		made.What = "fault of " + first.Of
	case causes.Difference:
		made.What, made.Effect = string(group.Cause.Class), string(group.Effect)
		made.Kind, made.Field = plaintext.Line(group.Cause.Kind), sidebyside.Place(group.Cause.Field)
		firstName, secondName := first.Sides.Labels()
		for _, side := range []struct {
			name string
			err  *causes.Error
		}{{firstName, first.Native}, {secondName, first.Declarative}} {
			made.Sides = append(made.Sides, pageSide{plaintext.Line(side.name), causetext.Side(side.err, "")})
		}
	}
	return made
}
