package contract

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// Notes are what a Backend adds to its errors.
type Notes struct {
	// Warnings are messages for the user that do not refuse the object, such as the warnings of a
	// webhook. Empty ones and duplicates are dropped.
	Warnings []string
	// Omitted are the fields of the case that the Backend does not look at.
	Omitted []Omission
	// Asked are the guards that were asked (Capabilities.Guards), in their order.
	Asked []Asked
	// Located are errors of guards with their places, such as the policy and its line.
	Located []Located
	// Stored is the document that would be stored for an accepted object: after mutation,
	// defaulting and pruning, in the version of the request. If both sides accept an input and add
	// a document, these are compared (equivalence.Result).
	Stored map[string]any
	// Admitted is Stored before it was written, if it is stored in another version than that of the request,
	// StoredAs, as in autoscaling/v1. The fields that Stored lacks were lost at the write.
	Admitted map[string]any
	StoredAs string
	// Converted are Stored as the other versions of its kind return it. Versions that both sides add are compared
	// (equivalence.Result).
	Converted []Converted
	// Executed are the places of the code of a validator that the input executed, and how often. The
	// number of a place is that of package internal/gomodule/errorsites.
	Executed map[int]int
	// AccessReviews are the questions about the rights of users that a validator asked the cluster.
	AccessReviews []AccessReview
}

// AccessReview is a question for the rights of a user, as in a SubjectAccessReview of authorization.k8s.io.
type AccessReview struct {
	User  User
	Verb  string
	Group string
	// Resource is the plural name, as in "secrets".
	Resource, Subresource string
	// Namespace and Name are empty for all.
	Namespace, Name string
	Allowed         bool
}

// Converted is a stored document in another version of its kind: converted, and not defaulted again.
type Converted struct {
	// Version is that of the document, as in autoscaling/v1.
	Version string
	// Object is the document; nil if it cannot be converted.
	Object map[string]any
	// Why it cannot be converted; empty: it can.
	Why string
}

// AddNotes adds notes to the answer of a Backend. ctx is that of Backend.Validate.
func AddNotes(ctx context.Context, notes Notes) {
	all, ok := ctx.Value(notesKey{}).(*collectedNotes)
	if !ok {
		return
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, warning := range notes.Warnings {
		if warning != "" && !slices.Contains(all.Warnings, warning) {
			all.Warnings = append(all.Warnings, warning)
		}
	}
	all.Omitted = append(all.Omitted, notes.Omitted...)
	all.Asked = append(all.Asked, notes.Asked...)
	all.Located = append(all.Located, notes.Located...)
	if notes.Stored != nil {
		all.Stored, all.Admitted, all.StoredAs = notes.Stored, notes.Admitted, notes.StoredAs
	}
	all.Converted = append(all.Converted, notes.Converted...)
	for place, times := range notes.Executed {
		if all.Executed == nil {
			all.Executed = map[int]int{}
		}
		all.Executed[place] += times
	}
	all.AccessReviews = append(all.AccessReviews, notes.AccessReviews...)
}

// collectedNotes are the notes of one answer.
type collectedNotes struct {
	mu sync.Mutex
	Notes
}

type notesKey struct{}

// noting returns a context that collects notes.
func noting(ctx context.Context) (context.Context, *collectedNotes) {
	n := &collectedNotes{}
	return context.WithValue(ctx, notesKey{}, n), n
}

// CollectNotes returns a context in which notes are collected apart from those of ctx, and a function that
// returns them. A Backend that remembers the answers of another one adds them again.
func CollectNotes(ctx context.Context) (context.Context, func() Notes) {
	ctx, collected := noting(ctx)
	return ctx, func() Notes {
		collected.mu.Lock()
		defer collected.mu.Unlock()
		notes := collected.Notes
		notes.Executed = maps.Clone(notes.Executed)
		return notes
	}
}
