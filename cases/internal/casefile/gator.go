package casefile

import (
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// readGator reads a Suite of gator, the test runner of Gatekeeper
// (github.com/open-policy-agent/gatekeeper/v3/pkg/gator/verify, suite.go). A test of it is a template with a
// constraint, so a suite that has only one constraint selects its test.
func readGator(suite part, only string) (list []sample, names []string) {
	for _, test := range suite.parts("tests") {
		name := test.text("name")
		names = append(names, name)
		if only != "" && only != name || test.flag("invalid") {
			continue
		}
		why := ""
		switch {
		case suite.flag("skip") || test.flag("skip"):
			why = "the gator suite skips the test"
		case test.text("expansion") != "":
			why = "the gator test expands its objects, which no API server does"
		}
		cases := test.parts("cases")
		for _, c := range cases {
			list = append(list, gatorCase(name, c, why)...)
		}
		if len(cases) == 0 {
			list = append(list, unlooked(test.at(""), test.path+" has no cases; add some, or remove the test"))
		}
	}
	return list, names
}

// gatorCase returns the sample of a case, and that it says nothing if it has no assertions. why says why it is left
// out, if it is.
func gatorCase(test string, c part, why string) []sample {
	id, file := test+"/"+c.text("name"), c.text("object")
	if file == "" {
		c.of.mistakes.Addf(c.at(""), "%s has no object", c.path)
	}
	switch {
	case why != "":
	case c.flag("skip"):
		why = "the gator suite skips the case"
	case len(c.texts("inventory")) > 0:
		why = "the case needs the objects of a cluster (inventory)"
	}
	decision := gatorDecision(c)
	list := []sample{{at: c.at(""), file: file, complete: func(of *harness.Case, _ string, _ *reading) string {
		if decided(of, decision); why != "" {
			leaveOut(of, why)
		}
		return id
	}}}
	if why == "" && len(c.items("assertions")) == 0 {
		text := c.path + ` has no assertions, so only the default of gator says that the object is accepted; write assertions: ` +
			`[{violations: "no"}], or what it violates`
		list = append(list, unlooked(c.at(""), text))
	}
	return list
}

// gatorDecision returns what the assertions of a case say. Without assertions there must be no violation. It is
// empty if they only deny violations with certain messages.
func gatorDecision(c part) words.Decision {
	decision := words.Admitted
	for _, assertion := range c.parts("assertions") {
		violations, message := assertion.fields["violations"], assertion.text("message")
		switch number, isNumber := violations.(int64); {
		case violations == nil || violations == true || violations == "yes" || isNumber && number > 0:
			return words.Denied
		case violations == false || violations == "no" || isNumber && number == 0:
			if message != "" {
				decision = ""
			}
		default:
			assertion.mustf("violations", "yes, no, or a number")
		}
	}
	return decision
}

// unlooked returns a sample that is a problem of the test.
func unlooked(at strictyaml.Position, text string) sample {
	return sample{at: at, problems: func(*reading) []problem { return []problem{{at, text}} }}
}
