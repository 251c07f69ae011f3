package reports

import (
	"time"

	"github.com/diffrun/diffrun/reports/record"
)

// originObject is the JSON of an Origin.
type originObject struct {
	Started   *time.Time `json:"started"`
	Commit    string     `json:"commit"`
	Modified  bool       `json:"modified"`
	SourceURL string     `json:"sourceURL"`
	RunURL    string     `json:"runURL"`
}

func newOriginObject(o record.Origin) originObject {
	object := originObject{Commit: o.Commit, Modified: o.Modified, SourceURL: o.SourceURL, RunURL: o.RunURL}
	if !o.Started.IsZero() {
		object.Started = new(o.Started.UTC())
	}
	return object
}

func (o originObject) origin() record.Origin {
	origin := record.Origin{Commit: o.Commit, Modified: o.Modified, SourceURL: o.SourceURL, RunURL: o.RunURL}
	if o.Started != nil {
		origin.Started = *o.Started
	}
	return origin
}
