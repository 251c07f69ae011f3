package errorsites

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// NoSite is what Assign gives for an error that no site can have made.
const NoSite = -1

// Assign says which sites made errors: for each error the index of a site, or NoSite. Ran says
// how often each site ran for the errors, by the index of the site; sites that are not in it
// made none. A site makes at most as many errors as it ran, as long as that explains all
// errors. Of several sites whose source fits an error, the one that says most about it made it;
// if they say equally much, the sites that come first made the errors that come first.
func Assign(sites []Site, ran map[int]int, errs field.ErrorList) []int {
	a := assignment{ran: ran, made: make([]int, len(errs)), by: map[int][]int{}}
	for at, err := range errs {
		a.made[at] = NoSite
		a.candidates = append(a.candidates, fitting(sites, ran, err))
	}
	order := make([]int, len(errs))
	for at := range order {
		order[at] = at
	}
	slices.SortStableFunc(order, func(one, other int) int {
		return cmp.Compare(best(a.candidates[other]), best(a.candidates[one]))
	})
	for _, at := range order {
		if !a.place(at, map[int]bool{}) && len(a.candidates[at]) > 0 {
			a.made[at] = a.candidates[at][0].site // the validator put an error into its list twice
		}
	}
	return a.made
}

type candidate struct{ site, score int }

func best(candidates []candidate) int {
	if len(candidates) == 0 {
		return -1
	}
	return candidates[0].score
}

// fitting gives the sites that ran and can have made an error, the likeliest first.
func fitting(sites []Site, ran map[int]int, err *field.Error) []candidate {
	var all []candidate
	for site := range ran {
		if score, ok := sites[site].pattern.fits(err); ok {
			all = append(all, candidate{site, score})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.site, b.site))
	})
	return all
}

// assignment gives errors to sites, at most as many to each as it ran.
type assignment struct {
	ran        map[int]int
	candidates [][]candidate
	made       []int         // by error
	by         map[int][]int // the errors of a site
}

// place gives an error to a site. If all its sites are taken, errors that have another site
// make room.
func (a *assignment) place(at int, tried map[int]bool) bool {
	for _, c := range a.candidates[at] {
		if tried[c.site] {
			continue
		}
		tried[c.site] = true
		if len(a.by[c.site]) < a.ran[c.site] {
			a.by[c.site] = append(a.by[c.site], at)
			a.made[at] = c.site
			return true
		}
		for i, other := range a.by[c.site] {
			if a.place(other, tried) {
				a.by[c.site][i], a.made[at] = at, c.site
				return true
			}
		}
	}
	return false
}

// Fitting gives the sites that can have made an error and whose source says most about it, of
// those that ran. It is for errors of which nobody knows what ran for them.
func Fitting(sites []Site, ran func(site int) bool, err *field.Error) []int {
	all := map[int]int{}
	for i := range sites {
		if ran(i) {
			all[i] = 1
		}
	}
	var likeliest []int
	candidates := fitting(sites, all, err)
	for _, c := range candidates {
		if c.score == best(candidates) {
			likeliest = append(likeliest, c.site)
		}
	}
	return likeliest
}
