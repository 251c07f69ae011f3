package harness

import "github.com/diffrun/diffrun/harness/contract"

// The types that every backend uses.
type (
	// Backend validates an Input.
	Backend = contract.Backend
	// Input is one Case in one version, ready for a backend.
	Input = contract.Input
	// Request is the request of a client, without the objects.
	Request = contract.Request
	// User is the user of a request, for webhooks and policies that read it.
	User = contract.User
)
