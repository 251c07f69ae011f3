package storage

import (
	"slices"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/files/definitions"
)

// Loss is a field of a served version that the storage version prunes.
type Loss struct {
	// Version is the version that has the field, and Storage the one that objects are stored in.
	Version, Storage *definitions.Version
	// Path is the field, such as "spec.doors[*].color"; a last step "*" are all fields that are not declared.
	Path string
	// At is the place of the field in the schema of Version, such as "properties[spec].properties[size]".
	At string
}

// Reason returns why the field is lost, as a relative clause about the storage version.
func (l Loss) Reason() string {
	if strings.HasSuffix(l.Path, otherFields) {
		return "which prunes fields that it does not declare"
	}
	return "which does not have the field"
}

// Lost returns the fields of the served versions of a definition that are lost when objects are stored, in the order of
// the versions and of the paths. It returns nothing if a webhook converts objects, because it may keep fields
// under other names, and nothing if spec.preserveUnknownFields is set. The error is that of pruning.Compile.
func Lost(d *definitions.Definition) ([]Loss, error) {
	stored := d.Storage()
	if stored == nil || d.CRD.Spec.PreserveUnknownFields || d.ConvertedByWebhook() {
		return nil, nil
	}
	var all []Loss
	for _, version := range d.Versions {
		if !version.Served || version == stored {
			continue
		}
		lost, err := lostBetween(version, stored)
		if err != nil {
			return nil, version.Placed(err)
		}
		all = append(all, lost...)
	}
	return all, nil
}

// lostBetween prunes the widest object of a version by the storage version.
func lostBetween(version, stored *definitions.Version) ([]Loss, error) {
	opts := pruning.Options{Root: true, Metadata: pruning.LeaveMetadata}
	own, err := pruning.Compile(version.Schema, opts)
	if err != nil {
		return nil, err
	}
	by, err := pruning.Compile(stored.Schema, opts)
	if err != nil {
		return nil, err
	}
	object, places, err := widestObject(version.Schema, stored.Schema)
	if err != nil {
		return nil, err
	}
	var all []Loss
	for _, path := range by.Prune(own.Prune(object).Object).Dropped {
		all = append(all, Loss{Version: version, Storage: stored, Path: strings.ReplaceAll(path, "[0]", "[*]"), At: places[path]})
	}
	return withoutImplied(all), nil
}

// withoutImplied removes the fields below a value that may be anything, if every undeclared field of that value is lost.
func withoutImplied(all []Loss) []Loss {
	return slices.DeleteFunc(slices.Clone(all), func(inner Loss) bool {
		return slices.ContainsFunc(all, func(outer Loss) bool {
			within, lost := strings.CutSuffix(outer.Path, otherFields)
			return lost && inner.At == outer.At && inner.Path != outer.Path && strings.HasPrefix(inner.Path, within)
		})
	})
}
