package reports

import (
	"encoding/json"

	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/reports/record"
)

// coverageObject is a Coverage that can be decoded again.
type coverageObject struct{ record.Coverage }

func newCoverageObject(c record.Coverage) *coverageObject {
	if c == nil {
		return nil
	}
	return &coverageObject{c}
}

// UnmarshalJSON decodes the output of MarshalJSON.
func (c *coverageObject) UnmarshalJSON(data []byte) error {
	var read coverage.Report
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	c.Coverage = read
	return nil
}

// coverage returns what was recorded, or nil.
func (c *coverageObject) coverage() record.Coverage {
	if c == nil {
		return nil
	}
	return c.Coverage
}
