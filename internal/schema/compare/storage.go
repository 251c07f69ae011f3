package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/schema/diff"
	schemastorage "github.com/diffrun/diffrun/internal/schema/storage"
)

// lost returns a part for each version of B with the fields that are lost when its objects are stored, and that A stores.
func (c *comparer) lost(named func(string) string, a, b *definitions.Definition, sidesA, sidesB map[string]diff.Side) ([]Part, error) {
	before, errA := schemastorage.Lost(a)
	now, errB := schemastorage.Lost(b)
	if err := joined(errA, errB); err != nil {
		return nil, err
	}
	fresh := slices.DeleteFunc(now, func(l schemastorage.Loss) bool {
		return slices.ContainsFunc(before, func(old schemastorage.Loss) bool {
			return old.Version.Version == l.Version.Version && old.Path == l.Path
		})
	})
	storedByA := a.Storage()
	return c.lossParts(named, fresh, sidesB, func(l schemastorage.Loss, object map[string]any) (storedA, storedB map[string]any) {
		was, had := sidesA[l.Version.Version]
		if !had || storedByA == nil {
			return nil, nil
		}
		storedA = sidesA[storedByA.Version].Stored(was.Stored(object))
		return storedA, sidesB[l.Storage.Version].Stored(sidesB[l.Version.Version].Stored(object))
	})
}

// lostBetween is lost for two versions of one definition, the sides A and B: one of them, or a third, is stored.
func (c *comparer) lostBetween(a, b *definitions.Version, sideA, sideB diff.Side) ([]Part, error) {
	all, err := schemastorage.Lost(b.Of)
	if err != nil {
		return nil, err
	}
	sides := map[string]diff.Side{a.Version: sideA, b.Version: sideB}
	all = slices.DeleteFunc(all, func(l schemastorage.Loss) bool {
		return l.Version.Version != a.Version && l.Version.Version != b.Version
	})
	named := func(title string) string { return title }
	return c.lossParts(named, all, sides, func(l schemastorage.Loss, object map[string]any) (storedA, storedB map[string]any) {
		if _, shown := sides[l.Storage.Version]; !shown {
			return nil, nil
		}
		return sideA.Stored(object), sideB.Stored(object)
	})
}

// stores returns what A and B store of an object that has the field of a loss; nil: the sides do not say.
type stores func(loss schemastorage.Loss, object map[string]any) (storedA, storedB map[string]any)

// lossParts returns a part for each version that loses fields.
func (c *comparer) lossParts(named func(string) string, all []schemastorage.Loss, sides map[string]diff.Side, show stores) ([]Part, error) {
	var parts []Part
	for i := 0; i < len(all); {
		version, stored := all[i].Version, all[i].Storage
		examples, err := c.losing(sides, version, stored)
		if err != nil {
			return nil, err
		}
		var changes []diff.Change
		for ; i < len(all) && all[i].Version == version; i++ {
			change := diff.Change{
				Effect: diff.Stored, Kind: kindLost, Path: all[i].Path,
				What: fmt.Sprintf("lost at each write of a %s object: it is stored as %s, %s", version.Version, stored.Version,
					all[i].Reason()),
			}
			if object := examples[all[i].Path]; object != nil {
				if storedA, storedB := show(all[i], object); storedA != nil {
					change.Examples = []diff.Example{{Effect: diff.Stored, Object: object, StoredA: storedA, StoredB: storedB}}
				}
			}
			changes = append(changes, change)
		}
		title := fmt.Sprintf("version %s, stored as %s", version.Version, stored.Version)
		parts = append(parts, Part{Title: named(title), Changes: c.levelled(changes, version.Version, false)})
	}
	return parts, nil
}

// losing returns valid objects of a version by the field that the storage version prunes. It is empty if the storage version is not
// among the sides.
func (c *comparer) losing(sides map[string]diff.Side, version, stored *definitions.Version) (map[string]map[string]any, error) {
	from, to := sides[version.Version], sides[stored.Version]
	if from.Stored == nil || to.Stored == nil {
		return nil, nil
	}
	var gone []diff.Change
	for _, change := range diff.Walk(from, to) {
		if change.Effect == diff.Narrower && (change.Kind == diff.KindField || change.Kind == diff.KindFields) {
			gone = append(gone, change)
		}
	}
	shown, err := diff.Witness(c.ctx, from, to, gone, c.opts.Seed)
	if err != nil {
		return nil, err
	}
	objects := map[string]map[string]any{}
	for _, change := range shown {
		if len(change.Examples) == 0 {
			continue
		}
		path := change.Path
		if change.Kind == diff.KindFields {
			path = strings.TrimPrefix(path+".*", ".")
		}
		objects[path] = change.Examples[0].Object
	}
	return objects, nil
}
