package coverage

import (
	"slices"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// target compares a target with the file, and returns the new figures of the file.
func (c *Comparison) target(t *Target, old *RatchetTarget) RatchetTarget {
	updated := RatchetTarget{Suite: t.Suite, Target: t.Name}
	for i, s := range sections() {
		*updated.sectionsOf()[i] = c.section(t, s, old.sectionsOf()[i])
	}
	return updated
}

// section compares one section. A figure fell if more places were lost than were added. Places that the
// schema no longer has are not lost.
func (c *Comparison) section(t *Target, s section, old *RatchetSection) RatchetSection {
	now := RatchetSection{}
	there := map[string]string{} // names by digest
	covered := map[string]bool{}
	for _, p := range s.of(t) {
		name := digest(placeName(p))
		if there[name] == "" {
			now.Of++
		}
		there[name] = placeName(p)
		if s.covered(p) && !covered[name] {
			covered[name] = true
			now.Places = append(now.Places, name)
		}
	}
	slices.Sort(now.Places)
	now.Covered = len(now.Places)
	lost := slices.DeleteFunc(slices.Clone(old.Places),
		func(name string) bool { return covered[name] || there[name] == "" && t.Inputs > 0 })
	came := slices.DeleteFunc(slices.Clone(now.Places), func(name string) bool { return slices.Contains(old.Places, name) })
	if len(lost) > len(came) {
		c.Lower = append(c.Lower, Loss{
			Of:      t.Suite + ": " + t.Name,
			Section: s.name,
			Now:     now.Covered,
			Before:  old.Covered,
			Places:  namesOf(lost, there),
		})
		return *old
	}
	c.Higher = c.Higher || now.Of != old.Of || !slices.Equal(now.Places, old.Places)
	return now
}

// namesOf returns the names of digests, sorted.
func namesOf(digests []string, names map[string]string) []string {
	var all []string
	for _, one := range digests {
		if names[one] != "" {
			all = append(all, names[one])
		}
	}
	slices.Sort(all)
	return all
}

// quoted returns a text as YAML in quotes, on one line.
func quoted(text string) plaintext.Text {
	json, err := plaintext.JSON(text)
	if err != nil {
		return `""`
	}
	return plaintext.Text(json)
}
