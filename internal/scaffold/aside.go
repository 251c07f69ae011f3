package scaffold

import (
	"regexp"
	"slices"
	"strings"
)

// setAside says why a file is not what a repository deploys today.
type setAside struct {
	level asideLevel
	name  string // of the folder or file that says so
}

type asideLevel int

const (
	inUse         asideLevel = iota
	copied                   // documentation, examples, and what tools make of other files
	formerRelease            // what was in use
	tested                   // for tests and tools of developers
)

// asideWords are the names of folders of each level.
var asideWords = map[asideLevel][]string{
	copied: {
		"docs", "doc", "site", "website", "example", "examples", "demo", "demos", "dist", "bundle", "bundles", "sample", "samples",
	},
	formerRelease: {
		"old", "older", "archive", "archives", "archived", "release", "releases", "legacy", "deprecated", "obsolete", "previous",
		"backup", "backups", "history", "attic",
	},
	tested: {"testing", "fixtures", "testdata", "vendor", "third_party"},
}

// formerWords are the words in names of files that say the same.
var formerWords = regexp.MustCompile(`(^|[-_.])(old|legacy|deprecated|obsolete|previous)([-_.]|$)`)

// release matches the number of a release, which versions of an API do not look like.
var release = regexp.MustCompile(`(?:^|[-_])v?(\d+\.\d+(?:\.\d+)?)(?:[-+_].*|\.ya?ml|\.json)?$`)

// asideOf returns why a file is set aside, by its name and those of its folders.
func asideOf(name string) (found setAside) {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		level, lower := inUse, strings.ToLower(part)
		if i < len(parts)-1 {
			for _, of := range []asideLevel{copied, formerRelease, tested} {
				if slices.Contains(asideWords[of], lower) {
					level = of
				}
			}
			if isTest(part) {
				level = tested
			}
		} else if formerWords.MatchString(lower) {
			level = formerRelease
		}
		if level == inUse && release.MatchString(lower) {
			level = formerRelease
		}
		if level > found.level {
			found = setAside{level, part}
		}
	}
	return found
}

// releaseOf returns the number of the last release that the name of a file or its folders have, as semver writes it,
// or "".
func releaseOf(name string) (number string) {
	for part := range strings.SplitSeq(name, "/") {
		if match := release.FindStringSubmatch(part); match != nil {
			number = "v" + match[1]
		}
	}
	return number
}
