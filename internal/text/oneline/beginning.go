package oneline

import "fmt"

// Beginning quotes the first bytes of what a program printed, for messages.
func Beginning(said []byte) string {
	const most = 200
	if len(said) <= most {
		return fmt.Sprintf("%q", said)
	}
	return fmt.Sprintf("%q… (%d bytes)", said[:most], len(said))
}
