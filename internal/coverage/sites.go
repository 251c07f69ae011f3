package coverage

// Sites are the calls of hand-written validators that make errors.
type Sites struct {
	Packages []SitePackage `json:"packages"`
	// Elsewhere counts errors that fit no call of the packages.
	Elsewhere int `json:"elsewhere"`
	// Ambiguous counts errors of validators outside of diffrun that fit several calls. They count for none
	// of them.
	Ambiguous int `json:"ambiguous"`
}

// SitePackage has the sites of a package, by file and line.
type SitePackage struct {
	Path  string `json:"package"`
	Sites []Site `json:"sites"`
}

// Site is a call with its counts.
type Site struct {
	// File is the import path of the package, followed by the name of the file.
	File string `json:"file"`
	Line int    `json:"line"`
	// Name identifies the site in the package, even if lines are added.
	Name string `json:"name"`
	SiteCounts
}

// SiteCounts are the counts of a site.
type SiteCounts struct {
	// Executed is true if an input ran it.
	Executed bool `json:"executed"`
	// Seen counts its errors in results, Matched those that match a declared error, and Differs those that
	// are a difference, accepted or not.
	Seen    int `json:"seen"`
	Matched int `json:"matched"`
	Differs int `json:"differs"`
}

// Add adds the counts of another part of the run.
func (c *SiteCounts) Add(other SiteCounts) {
	c.Executed = c.Executed || other.Executed
	c.Seen += other.Seen
	c.Matched += other.Matched
	c.Differs += other.Differs
}

// siteList is one of the lists of sites.
type siteList struct {
	name, title string
	has         func(Site) bool
}

// siteLists are the work lists of a package.
func siteLists() []siteList {
	return []siteList{
		{"unexecuted", "no input executes", func(s Site) bool { return !s.Executed }},
		{"unseen", "executed, but none of its errors is compared", func(s Site) bool { return s.Executed && s.Matched+s.Differs == 0 }},
		{"different", "its error differs", func(s Site) bool { return s.Differs > 0 }},
	}
}

// siteFigure is one of the figures of a package.
type siteFigure struct {
	name string
	has  func(Site) bool
}

// siteFigures are the figures of a package. A site that has one also has the previous ones.
func siteFigures() []siteFigure {
	return []siteFigure{
		{"executed", func(s Site) bool { return s.Executed }},
		{"seen", func(s Site) bool { return s.Seen > 0 }},
		{"matched", func(s Site) bool { return s.Matched > 0 }},
	}
}

func (p *SitePackage) figure(f siteFigure) Figure {
	made := Figure{Of: len(p.Sites)}
	for _, s := range p.Sites {
		if f.has(s) {
			made.Covered++
		}
	}
	return made
}

func (p *SitePackage) list(l siteList) []Site {
	var all []Site
	for _, s := range p.Sites {
		if l.has(s) {
			all = append(all, s)
		}
	}
	return all
}
