package infer

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// TestSpellings: a rule that compares texts is no proof if the validator takes other spellings for the same, or counts otherwise.
// What is proven beside it is right: the rules agree with the validator on all spellings.
func TestSpellings(t *testing.T) {
	t.Parallel()
	foldIn := func(text string, words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(word, text) })
	}
	for _, tt := range []struct {
		why    string
		ok     func(text string) bool
		detail string
		starts []string
		proven bool
	}{
		{"exactly one of two words", func(s string) bool { return s == "Auto" || s == "Manual" }, `must be "Auto" or "Manual"`,
			[]string{"Auto", "Manual"}, true},
		{"in any case", func(s string) bool { return foldIn(s, "Auto", "Manual") }, `must be "Auto" or "Manual"`,
			[]string{"Auto", "Manual"}, false},
		{"in upper case, too: another word", func(s string) bool { return s == "Auto" || s == "AUTO" }, `must be "Auto"`, []string{"Auto"},
			true},
		{"folded by Unicode", func(s string) bool { return s == "task" || s == "tas\u212a" }, `must be "task"`, []string{"task"}, false},
		{"with blanks around", func(s string) bool { return strings.TrimSpace(s) == "Auto" }, `must be "Auto"`, []string{"Auto"}, false},
		{"with a blank of Unicode", func(s string) bool { return strings.TrimSuffix(s, "\u00a0") == "Auto" }, `must be "Auto"`,
			[]string{"Auto"}, false},
		{"composed", func(s string) bool { return strings.ReplaceAll(s, "e\u0301", "é") == "café" }, `must be "café"`, []string{"café"},
			false},
		{"characters", func(s string) bool { return utf8.RuneCountInString(s) <= 10 }, "must be at most 10 characters", []string{"a"},
			true},
		{"units of UTF-16", func(s string) bool { return len(utf16.Encode([]rune(s))) <= 10 }, "must be at most 10 characters",
			[]string{"a"}, false},
		{"a number that is not too large", func(s string) bool { _, err := strconv.ParseInt(s, 10, 64); return err == nil },
			"must be a number", []string{"1", "20"}, false},
		{"a number in Go's notation", func(s string) bool { _, err := strconv.ParseInt(s, 0, 64); return err == nil },
			"must be a number", []string{"1", "20"}, false},
		{"not an hour, as a duration", func(s string) bool { d, err := time.ParseDuration(s); return err != nil || d != time.Hour },
			`must not be "1h"`, []string{"2h", ""}, false},
		{"not an address, in any notation", func(s string) bool {
			a, err := netip.ParseAddr(s)
			return err != nil || a.Unmap() != netip.MustParseAddr("10.0.0.1")
		}, `must not be "10.0.0.1"`, []string{"10.0.0.2"}, false},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			var starts []spec
			for _, start := range tt.starts {
				starts = append(starts, spec{"mode": start})
			}
			validate := func(s, _ spec) field.ErrorList {
				return when(!tt.ok(s.text("mode")), invalid("mode", s["mode"], tt.detail))
			}
			o := options()
			o.Inputs = 120
			report, err := Run(t.Context(), targetOf(t, definition("mode: {type: string}", "mode"), validate, starts...), o)
			if err != nil {
				t.Fatal(err)
			}
			if (report.Count(proposal.Proven) > 0) != tt.proven || len(report.Rules) > 0 != tt.proven {
				t.Errorf("proven %d, want %v:\n%s", report.Count(proposal.Proven), tt.proven, report.Text())
			}
		})
	}
}

// TestLabelsOfRules: a rule of the definition is no proof if a label or an annotation changes what the validator accepts.
func TestLabelsOfRules(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"true", ""} {
		target := worldOf(t, definition("size: {type: integer}"), func(r request) field.ErrorList {
			if free, has := r.labels["example.com/free"]; has && free == value {
				return nil
			}
			return when(r.object.number("size") > 10,
				invalid("size", r.object["size"], `must be at most 10 without the label "example.com/free"`))
		}, spec{"size": int64(3)}, spec{})
		target.Policies = nil
		report, err := Run(t.Context(), target, options())
		if err != nil {
			t.Fatal(err)
		}
		if report.Count(proposal.Proven) > 0 || len(report.Rules) > 0 {
			t.Errorf("label %q: proven:\n%s", value, report.Text())
		}
	}
}

// TestOneLabelFreesAnObject: a policy that asks for any label is no proof if the validator asks for one with a value. The
// sample that is free has no other label.
func TestOneLabelFreesAnObject(t *testing.T) {
	t.Parallel()
	target := worldOf(t, definition("size: {type: integer}"), func(r request) field.ErrorList {
		return when(r.object.number("size") > 5 && r.labels["big"] != "yes",
			invalid("size", r.object["size"], "only big things may have more than 5"))
	}, spec{"size": int64(1)}, spec{"size": int64(9)})
	free := map[string]any{"name": "a", "namespace": "b", "labels": map[string]any{"big": "yes"}}
	target.Starts = append(target.Starts, explore.Input{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Thing", "metadata": free, "spec": map[string]any{"size": int64(9)},
	}})
	report, err := Run(t.Context(), target, options())
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range report.Policies {
		if !strings.Contains(rule.String(), "labels['big'] == 'yes'") {
			t.Errorf("%s is proposed for all labels:\n%s", rule, report.Text())
		}
	}
}

// TestDurationsWithoutBound: Go refuses durations of more than 292 years, which no pattern tells. A rule that takes
// them is not proven, although it is right for every usual text.
func TestDurationsWithoutBound(t *testing.T) {
	for why, zero := range map[string]bool{"any duration": true, "a positive one": false} {
		report := run(t, definition("timeout: {type: string}"), func(s, _ spec) field.ErrorList {
			if d, err := time.ParseDuration(s.text("timeout")); s.has("timeout") && (err != nil || !zero && d <= 0) {
				return invalid("timeout", s.text("timeout"), "must be a duration")
			}
			return nil
		}, spec{"timeout": "1h30m"})
		if proven := report.Count(proposal.Proven); proven != 0 || len(report.Rules) != 0 {
			t.Errorf("%s: %d sites are proven by %v; want none:\n%s", why, proven, report.Rules, report.Text())
		}
	}
}
