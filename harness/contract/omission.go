package contract

import "github.com/diffrun/diffrun/harness/words"

// Omission is a field of a case that a backend does not see.
type Omission struct {
	Field string
	Why   words.OmissionReason
}
