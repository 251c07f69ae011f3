package coverage

// Sites are the calls of hand-written validators that make errors.
type Sites struct {
	Packages []SitePackage `json:"packages"`
	// Elsewhere counts errors that no call of the packages made, as far as the source says.
	Elsewhere int `json:"elsewhere"`
	// Ambiguous counts errors of validators outside of diffrun that several calls can have
	// made. They count for none.
	Ambiguous int `json:"ambiguous"`
}

// SitePackage is the sites of a package, by file and line.
type SitePackage struct {
	Path  string `json:"package"`
	Sites []Site `json:"sites"`
}

// Site is a call with what became of it.
type Site struct {
	// File is the import path of the package with the name of the file behind it.
	File string `json:"file"`
	Line int    `json:"line"`
	// Name tells it from the others of the package when lines are added.
	Name string `json:"name"`
	SiteCounts
}

// SiteCounts is what became of a site.
type SiteCounts struct {
	// Executed says that some input ran it.
	Executed bool `json:"executed"`
	// Seen counts the errors that it made and that stand in results, Matched those that a
	// declared error matched, and Differs those that are a difference, accepted or not.
	Seen    int `json:"seen"`
	Matched int `json:"matched"`
	Differs int `json:"differs"`
}

// Add adds what another part of a run counted.
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
		{"unseen", "executed, and no error of it is ever compared", func(s Site) bool { return s.Executed && s.Matched+s.Differs == 0 }},
		{"different", "its error differs", func(s Site) bool { return s.Differs > 0 }},
	}
}

// siteFigure is one of the figures of a package.
type siteFigure struct {
	name string
	has  func(Site) bool
}

// siteFigures are those of a package; each site that has one has those before it.
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
