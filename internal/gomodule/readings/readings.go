// Package readings has what the source of the validators of a suite says about objects of a kind: package read reads
// functions, and the same place is often come to by several of them.
package readings

import (
	"context"
	"fmt"
	"slices"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/gomodule/read"
)

// Reading is what the source of the native validator says about a place that makes an error. It is a guess: whether it
// is right, only answers tell.
type Reading struct {
	read.Site
	// OnlyCreates is true if no update comes to the place, OnlyUpdates if no creation does.
	OnlyCreates, OnlyUpdates bool
}

// Source returns the line that makes the error.
func (r *Reading) Source() string { return fmt.Sprintf("%s:%d", r.Pos.Filename, r.Pos.Line) }

// Add adds what the source says for an operation (empty: any), once: creates and updates often come to one place in the same
// way.
func Add(all []*Reading, site read.Site, operation string) []*Reading {
	added := &Reading{site, operation == "CREATE", operation == "UPDATE"}
	isKnown := false
	for _, r := range all {
		if r.Pos == site.Pos && r.Field == site.Field {
			added.OnlyCreates, added.OnlyUpdates = added.OnlyCreates && r.OnlyCreates, added.OnlyUpdates && r.OnlyUpdates
			r.OnlyCreates, r.OnlyUpdates = added.OnlyCreates, added.OnlyUpdates
			isKnown = isKnown || celexpr.DigestOf(r.Condition) == celexpr.DigestOf(site.Condition)
		}
	}
	if isKnown {
		return all
	}
	return append(all, added)
}

// Program is the source of validators.
type Program struct {
	source *read.Program
	roots  []read.Root
}

// Load reads packages, as the go command names them in a directory.
func Load(ctx context.Context, directory string, patterns ...string) (*Program, error) {
	source, err := read.Load(ctx, directory, patterns...)
	if err != nil {
		return nil, err
	}
	return &Program{source, source.Roots()}, nil
}

// Of returns what the source says about objects of a kind, and the parts that are left out. If the functions that validate
// are all about one type, it is the kind, whatever its name.
func (p *Program) Of(kind string) (all []*Reading, left []read.Unread) {
	isOther := func(root read.Root) bool { return root.Kind() != p.roots[0].Kind() }
	severalKinds := slices.ContainsFunc(p.roots, isOther)
	for _, root := range p.roots {
		if severalKinds && root.Kind() != kind {
			continue
		}
		sites, without := p.source.Read(root)
		for _, site := range sites {
			all = Add(all, site, root.Operation)
		}
		left = append(left, without...)
	}
	return all, left
}
