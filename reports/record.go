package reports

import (
	"fmt"
	"slices"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/files/checksum"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/reports/internal/document"
	"github.com/diffrun/diffrun/reports/record"
)

// The types of this file are the JSON of a run without its results, published in run.schema.json and
// lines.schema.json. Every key is always present, and lists are never null.

// headerObject is what is known before the first result.
type headerObject struct {
	Tool    string        `json:"tool"`
	Version string        `json:"version"`
	Shard   string        `json:"shard"`
	Options []string      `json:"options"`
	FailOn  []string      `json:"failOn"`
	Suites  []suiteObject `json:"suites"`
	Origin  originObject  `json:"origin"`
}

type suiteObject struct {
	Name   string `json:"name"`
	Source string `json:"source"`
	// Backends are the names of the two that were compared.
	Backends [2]string `json:"backends"`
	// Sides are the names of native and declarative for people.
	Sides contract.SideNames `json:"sides"`
}

// footerObject is what is known after the last result.
type footerObject struct {
	Summary    document.Summary   `json:"summary"`
	Problems   []string           `json:"problems"`
	Notes      []string           `json:"notes"`
	LeftOut    []record.LeftOut   `json:"leftOut"`
	Incomplete bool               `json:"incomplete"`
	Narrowed   bool               `json:"narrowed"`
	Narrowings []record.Narrowing `json:"narrowings"`
	Tally      *record.Tally      `json:"tally"`
	// Coverage is null unless the run measured it.
	Coverage *coverageObject `json:"coverage"`
	Seconds  float64         `json:"seconds"`
	// Checksum is that of all lines of the run.
	Checksum *checksum.Sum `json:"checksum"`
}

func newHeaderObject(header Header) headerObject {
	suites := make([]suiteObject, 0, len(header.Suites))
	for _, suite := range header.Suites {
		object := suiteObject{Name: suite.Name, Source: suite.Source, Sides: suite.Compared.Called}
		object.Backends[0], object.Backends[1] = suite.Compared.Names()
		suites = append(suites, object)
	}
	return headerObject{
		Tool: "diffrun", Version: header.Version, Shard: header.Shard,
		Options: append([]string{}, header.Options...), FailOn: append([]string{}, header.FailOn...), Suites: suites,
		Origin: newOriginObject(header.Origin),
	}
}

func newFooterObject(footer Footer) footerObject {
	return footerObject{
		Summary:    document.NewSummary(footer.Summary),
		Problems:   append([]string{}, footer.Problems...),
		Notes:      append([]string{}, footer.Notes...),
		LeftOut:    append([]record.LeftOut{}, footer.LeftOut...),
		Incomplete: footer.Incomplete,
		Narrowed:   footer.Narrowed(),
		Narrowings: append([]record.Narrowing{}, footer.Narrowings...),
		Tally:      footer.Tally,
		Coverage:   newCoverageObject(footer.Coverage),
		Seconds:    footer.Elapsed.Seconds(),
	}
}

func (h headerObject) header() Header {
	header := Header{Version: h.Version, Shard: h.Shard, Options: h.Options, FailOn: h.FailOn, Origin: h.Origin.origin()}
	for _, suite := range h.Suites {
		compared := document.SidesOf(suite.Backends[0], suite.Backends[1])
		compared.Called = suite.Sides
		header.Suites = append(header.Suites, record.Suite{Name: suite.Name, Source: suite.Source, Compared: compared})
	}
	return header
}

func (f footerObject) footer() Footer {
	return Footer{
		Summary: f.Summary.Decode(), Problems: f.Problems, Notes: f.Notes, LeftOut: f.LeftOut, Incomplete: f.Incomplete,
		Narrowings: f.Narrowings,
		Tally:      f.Tally, Coverage: f.Coverage.coverage(), Elapsed: document.Seconds(f.Seconds),
	}
}

// check rejects words that no gate has, and names that no suite can have.
func (h headerObject) check() error {
	for _, suite := range h.Suites {
		if err := suite.Sides.Check(); err != nil {
			return fmt.Errorf("suites: %w", err)
		}
	}
	for _, word := range h.FailOn {
		if !slices.Contains(gate.Words(), word) {
			return fmt.Errorf("failOn: there is no %q", word)
		}
	}
	return nil
}
