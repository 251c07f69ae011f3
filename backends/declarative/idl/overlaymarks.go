package idl

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/diffrun/diffrun/userfile"
)

// Marks gives each line of an overlay, as it is written, a name that stays when others are added
// or moved: generated files name lines by it. Lines are markers and uses of sets.
func (o *Overlay) Marks() map[string]userfile.Position {
	marks := map[string]userfile.Position{}
	add := func(section string, lines []overlayLine) {
		for _, each := range lines {
			text := section + "\n" + each.text + "\n" + each.set
			for _, parameter := range slices.Sorted(maps.Keys(each.arguments)) {
				text += "\n" + parameter + "=" + each.arguments[parameter]
			}
			sum := sha256.Sum256([]byte(text))
			name := hex.EncodeToString(sum[:4])
			for marks[name] != (userfile.Position{}) { // the same text twice
				name += "'"
			}
			marks[name] = each.at
		}
	}
	for _, t := range o.types {
		section := t.name
		for _, version := range t.versions {
			section += "@" + version
		}
		add(section, t.written)
		for _, name := range slices.Sorted(maps.Keys(t.fields)) {
			add(section+"."+name, t.fields[name].written)
		}
	}
	for _, set := range o.sets {
		add("set "+set.name, set.written)
	}
	return marks
}
