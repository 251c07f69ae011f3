package equivalence

import (
	"fmt"

	"github.com/diffrun/diffrun/userfile"
)

// Usage is how often a rule or an exception of a user's file explained something, and the data to judge
// that.
type Usage struct {
	// Rule is the name of the rule, or Exception the id of the exception.
	Rule      string `json:"rule"`
	Exception string `json:"exception"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	Hits      int64  `json:"hits"`
	// Foreign is true if it concerns nothing in the run: it may be for a different suite.
	Foreign bool `json:"foreign"`
	// MaxHits, Expired, Expires, Owner and Issue are those of an exception.
	MaxHits int    `json:"maxHits"`
	Expired bool   `json:"expired"`
	Expires string `json:"expires"`
	Owner   string `json:"owner"`
	Issue   string `json:"issue"`
}

// Position returns its place in the file.
func (u Usage) Position() userfile.Position {
	return userfile.Position{File: u.File, Line: u.Line, Column: u.Column}
}

// Usages returns what the ledger counted: rules, then exceptions, in their order. Built-in rules are
// omitted: they may be unused, because they serve many suites.
func (l *Ledger) Usages() []Usage {
	usages := []Usage{}
	for _, rule := range l.rules {
		if !rule.Builtin {
			usages = append(usages, Usage{
				Rule: rule.Name, File: rule.Position.File, Line: rule.Position.Line, Column: rule.Position.Column,
				Hits: load(l.ruleHits[rule]),
			})
		}
	}
	for _, exception := range l.exceptions {
		usages = append(usages, Usage{
			Exception: exception.ID, File: exception.Position.File, Line: exception.Position.Line, Column: exception.Position.Column,
			Hits: load(l.hits[exception]), MaxHits: exception.MaxHits, Expired: exception.Expired,
			Expires: exception.Expires.Format("2006-01-02"), Owner: exception.Owner, Issue: exception.Issue,
		})
	}
	return usages
}

// Unused reports whether it explained nothing, and is not expired.
func (u Usage) Unused() bool { return u.Hits == 0 && !u.Expired }

// Problem returns why the rule or exception must be changed or removed, as "file:line: message"; empty:
// it need not. The usage must be that of a full run: some of the cases may not use all rules.
func (u Usage) Problem() string {
	message := ""
	switch {
	case u.Rule != "" && u.Unused():
		message = fmt.Sprintf("rule %q made no pair of errors equivalent; remove it, or add the case that needs it", u.Rule)
	case u.Rule != "":
	case u.Expired:
		message = fmt.Sprintf("exception %q expired on %s; %s must renew it (%s) or remove it", u.Exception, u.Expires, u.Owner, u.Issue)
	case u.Unused():
		message = fmt.Sprintf("exception %q accepted no difference; remove it", u.Exception)
	case u.MaxHits > 0 && u.Hits > int64(u.MaxHits):
		message = fmt.Sprintf("exception %q accepted %d differences, maxHits is %d; look at the new ones and say maxHits: %d, "+
			"or narrow it", u.Exception, u.Hits, u.MaxHits, u.Hits)
	}
	if message == "" {
		return ""
	}
	return u.Position().String() + ": " + message
}
