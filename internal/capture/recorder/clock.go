//go:build go1.22

package recorder

import (
	"bytes"
	"regexp"
	"strings"
	"time"
)

// began is when the process began.
var began = time.Now()

// aboutNow is how far from the beginning of the process a time is one of the clock. Tests that
// need an hour or a day from now add it to the clock.
const aboutNow = 48 * time.Hour

// noon is what the beginning of the process is written as.
var noon = time.Date(2000, 1, 1, 12, 0, 0, 0, time.UTC)

var timestamps = regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})`)

// steady writes the times of the clock in a text as if the process had always begun at noon,
// to the minute, so that another run of the same tests has the same text.
func steady(text []byte, began time.Time) []byte {
	near := false
	for _, at := range []time.Time{began.Add(-aboutNow), began.Add(aboutNow)} {
		near = near || bytes.Contains(text, []byte(at.UTC().Format("2006-01-")))
	}
	if !near {
		return text
	}
	return timestamps.ReplaceAllFunc(text, func(found []byte) []byte {
		t, err := time.Parse(time.RFC3339Nano, string(found))
		if err != nil || t.Sub(began).Abs() > aboutNow {
			return found
		}
		layout := time.RFC3339
		if dot := bytes.IndexByte(found, '.'); dot >= 0 {
			layout = "2006-01-02T15:04:05." + strings.Repeat("0", bytes.IndexAny(found[dot:], "Z+-")-1) + "Z07:00"
		}
		return []byte(noon.Add(t.Sub(began).Round(time.Minute)).Format(layout))
	})
}
