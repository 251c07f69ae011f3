package reports

import "github.com/diffrun/diffrun/harness"

// unguarded is the heading of the column of inputs that a definition refused before any guard was asked.
const unguarded = "unguarded"

// unguardedSentence says that results of worlds tell nothing of their guards. It is empty if there are
// none.
func unguardedSentence(summary harness.Summary) string {
	n := summary.Unguarded
	if n == 0 {
		return ""
	}
	tell := "They tell"
	if n == 1 {
		tell = "It tells"
	}
	return " Refused by the definition before any guard was asked (unguarded): " + count(n, "input") + ". " + tell + " nothing of webhooks, policies and mutations."
}
