package cel_test

import (
	"context"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// TestNetworkAndUTF8 evaluates the functions for addresses and UTF-8 that KEP-4153 adds to the libraries.
func TestNetworkAndUTF8(t *testing.T) {
	for _, tt := range []struct {
		rule, why string
		text      string // self
		fails     bool
		broken    string // part of the detail
	}{
		{rule: "ip(self).is4() && !ip(self).is6()", text: "10.0.0.1", why: "IPv4"},
		{rule: "ip(self).is6() && !ip(self).is4()", text: "fd00::1", why: "IPv6"},
		{rule: "isIP(self) && ip(self).is4()", text: "::ffff:10.0.0.1", fails: true, why: "IPv4 in IPv6 is no IP to Kubernetes"},
		{rule: "cidr(self).ip().is4()", text: "10.0.0.0/8", why: "the address of a range is an IP"},
		{rule: "cidr(self).overlaps(cidr('10.1.0.0/16'))", text: "10.0.0.0/8", why: "one contains the other"},
		{rule: "cidr('10.1.0.0/16').overlaps(cidr(self))", text: "10.0.0.0/8", why: "either way"},
		{rule: "cidr(self).overlaps('10.0.0.1/8')", text: "10.200.0.1/16", why: "bits beyond the prefix do not count, and text is a CIDR"},
		{rule: "cidr(self).overlaps(cidr('11.0.0.0/8'))", text: "10.0.0.0/8", fails: true, why: "neighbours"},
		{rule: "cidr(self).overlaps('::/0')", text: "0.0.0.0/0", fails: true, why: "the families have no address in common"},
		{rule: "cidr('10.0.0.0/8').overlaps(self)", text: "10.0.0.0", broken: "network address parse error", why: "no CIDR"},
		{rule: "cidr('10.0.0.0/8').overlaps(self)", text: "::ffff:10.0.0.0/104", broken: "is not allowed",
			why: "texts that cidr() rejects"},
		{rule: "self.isValid() && self.isPrint() && !self.isControl()", text: "", why: "nothing is wrong with nothing"},
		{rule: "self.isValid() && self.isPrint() && !self.isControl()", text: "größer als 東京", why: "letters and a space"},
		{rule: "self.isPrint()", text: "a\u00a0b", fails: true, why: "the only printable white space is the space"},
		{rule: "self.isPrint()", text: "a\nb", fails: true, why: "a line break is not printed"},
		{rule: "self.isControl()", text: "a\nb", why: "and controls"},
		{rule: "self.isControl()", text: "a\u2028b", fails: true, why: "a line separator is not printable and not a control character"},
		{rule: "!self.isPrint() && !self.isControl()", text: "a\u2028b", why: "so the two differ"},
		{rule: "self.isValid()", text: "a\xff", fails: true, why: "no UTF-8"},
		{rule: "b'a\\377'.isValid()", text: "", fails: true, why: "bytes that are no UTF-8"},
		{rule: "bytes(self).isValid()", text: "東", why: "bytes that are"},
	} {
		p, mistakes := newEnv(t).Compile(cel.Rule{Rule: tt.rule}, &types.Type{Kind: types.String})
		if len(mistakes) > 0 {
			t.Errorf("%s: %v", tt.rule, mistakes)
			continue
		}
		e := cel.NewEvaluator()
		e.Reset(1_000_000)
		want := cel.Passed
		switch {
		case tt.broken != "":
			want = cel.Broken
		case tt.fails:
			want = cel.Failed
		}
		outcome, details := e.Run(context.Background(), p, view.OfJSON(tt.text), view.View{}, false)
		if outcome != want || !strings.Contains(strings.Join(details, "; "), tt.broken) {
			t.Errorf("%s: %s on %q: outcome %d %q, want %d %q", tt.why, tt.rule, tt.text, outcome, details, want, tt.broken)
		}
	}
}

// TestCostOfUTF8 checks that the cost of a function that reads a string grows with the length of the string,
// both the estimate and the cost at run time.
func TestCostOfUTF8(t *testing.T) {
	for _, call := range []string{"self.isValid()", "bytes(self).isValid()", "self.isPrint()", "!self.isControl()"} {
		costs := map[int64]uint64{}
		var program *cel.Program
		for _, bound := range []int64{10, 10_000} {
			p, mistakes := newEnv(t).Compile(cel.Rule{Rule: call}, &types.Type{Kind: types.String, Bound: &bound})
			if len(mistakes) > 0 {
				t.Fatal(call, mistakes)
			}
			costs[bound], program = p.MaxCost, p
		}
		if costs[10] > 30 || costs[10_000] < 10_000/10 {
			t.Errorf("%s: estimated at %d for ten characters and %d for ten thousand", call, costs[10], costs[10_000])
		}
		e := cel.NewEvaluator()
		for size, fits := range map[int]bool{100: true, 10_000: false} {
			e.Reset(500)
			text := strings.Repeat("x", size)
			outcome, details := e.Run(context.Background(), program, view.OfJSON(text), view.View{}, false)
			if (outcome == cel.Passed) != fits {
				t.Errorf("%s on %d characters with a budget of 500: outcome %d %q", call, size, outcome, details)
			}
		}
	}
}

// TestNetworkTypes checks that the functions accept only addresses.
func TestNetworkTypes(t *testing.T) {
	for _, rule := range []string{
		"self.is4()",
		"cidr(self).is6()",
		"self.overlaps(self)",
		"cidr(self).overlaps(ip(self))",
		"ip(self).isPrint()",
	} {
		if _, mistakes := newEnv(t).Compile(cel.Rule{Rule: rule}, &types.Type{Kind: types.String}); len(mistakes) != 1 ||
			!strings.Contains(mistakes[0].Detail, "no matching overload") {
			t.Errorf("%s: %v", rule, mistakes)
		}
	}
}
