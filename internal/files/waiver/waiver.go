package waiver

import (
	"errors"
	"fmt"
	"net/url"
	"time"
)

// IssueURL is the URL of a page.
type IssueURL string

// UnmarshalText implements encoding.TextUnmarshaler.
func (u *IssueURL) UnmarshalText(text []byte) error {
	parsed, err := url.Parse(string(text))
	if err != nil || parsed.Host == "" || parsed.Scheme != "https" && parsed.Scheme != "http" {
		return fmt.Errorf("issue %q is not the URL of a page; write https://…", text)
	}
	*u = IssueURL(text)
	return nil
}

// JSONSchema implements strictyaml.Described.
func (IssueURL) JSONSchema() map[string]any {
	return map[string]any{"type": "string", "pattern": "^https?://"}
}

// Day is a calendar day in UTC.
type Day time.Time

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Day) UnmarshalText(text []byte) error {
	parsed, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		return fmt.Errorf("%q is not a day; write it as 2027-06-30", text)
	}
	*d = Day(parsed)
	return nil
}

// JSONSchema implements strictyaml.Described.
func (Day) JSONSchema() map[string]any {
	return map[string]any{"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}"}
}

// Over reports whether the day has passed.
func (d Day) Over(now time.Time) bool { return !now.Before(time.Time(d).AddDate(0, 0, 1)) }

// String returns the day as YYYY-MM-DD.
func (d Day) String() string { return time.Time(d).Format(time.DateOnly) }

// Terms are the keys that every exception has.
type Terms struct {
	Why     string    `yaml:"why"`
	Owner   string    `yaml:"owner"`
	Issue   *IssueURL `yaml:"issue"`
	Expires *Day      `yaml:"expires"`
}

// Missing is a missing key of an entry, and its purpose.
type Missing struct{ Key, Hint string }

// Missing returns the missing keys. what names what is accepted, such as "the difference". A key with a
// wrong value is not missing, because decoding has reported it.
func (t Terms) Missing(what string) []Missing {
	var missing []Missing
	for _, key := range []struct {
		Missing
		is bool
	}{
		{Missing{"why", "the reason why " + what + " is acceptable"}, t.Why == ""},
		{Missing{"owner", "the team or person responsible for it"}, t.Owner == ""},
		{Missing{"issue", "the URL where it is discussed"}, t.Issue == nil},
		{Missing{"expires", "the last day on which it holds, such as 2027-06-30"}, t.Expires == nil},
	} {
		if key.is {
			missing = append(missing, key.Missing)
		}
	}
	return missing
}

// CheckExpires returns an error if a text cannot be the last day of an exception.
func CheckExpires(text string, now time.Time) error {
	var last Day
	if err := last.UnmarshalText([]byte(text)); err != nil {
		return err
	}
	if last.Over(now) {
		return errors.New(text + " is in the past; use a future date")
	}
	return nil
}
