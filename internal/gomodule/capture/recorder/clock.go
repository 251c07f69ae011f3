//go:build go1.22

package recorder

import (
	"bytes"
	"regexp"
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
// so that another run of the same tests has the same text. The first of them is written to the
// minute; the others are as many seconds behind it as they were.
func steady(text []byte, began time.Time) []byte {
	near := false
	for _, at := range []time.Time{began.Add(-aboutNow), began.Add(aboutNow)} {
		near = near || bytes.Contains(text, []byte(at.UTC().Format("2006-01-")))
	}
	if !near {
		return text
	}
	var first time.Time
	for _, found := range timestamps.FindAll(text, -1) {
		if t, is := ofClock(found, began); is && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	at := noon.Add(first.Sub(began).Round(time.Minute))
	return timestamps.ReplaceAllFunc(text, func(found []byte) []byte {
		t, is := ofClock(found, began)
		if !is {
			return found
		}
		layout := time.RFC3339
		if dot := bytes.IndexByte(found, '.'); dot >= 0 && bytes.IndexAny(found[dot:], "Z+-") == len(".000000") {
			layout = "2006-01-02T15:04:05.000000Z07:00" // of metav1.MicroTime; other fractions vary in length
		}
		return []byte(at.Add(t.Sub(first)).Format(layout))
	})
}

// ofClock reads a time, to the second, and says that it is one of the clock.
func ofClock(text []byte, began time.Time) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339Nano, string(text))
	return t.Truncate(time.Second), err == nil && t.Sub(began).Abs() <= aboutNow
}
