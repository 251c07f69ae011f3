package overlay

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/diffrun/diffrun/userfile"
)

// Marks returns the positions of the lines of the file, markers and uses of sets, by a name that stays
// the same when other lines are added or moved. Generated files refer to lines by this name.
func (o *File) Marks() map[string]userfile.Position {
	marks := map[string]userfile.Position{}
	add := func(section string, lines []writtenLine) {
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
	for _, t := range o.Types {
		section := t.Name
		for _, version := range t.Versions {
			section += "@" + version
		}
		add(section, t.written)
		for _, name := range slices.Sorted(maps.Keys(t.Fields)) {
			add(section+"."+name, t.Fields[name].written)
		}
	}
	for _, set := range o.sets {
		add("set "+set.name, set.written)
	}
	return marks
}
