package errorsites

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// NoSite is the result of Assign for an error that no site can have made.
const NoSite = -1

// Assign returns for each error the index of the site that made it, or NoSite. ran has how often each
// site ran, by its index; other sites made no error. A site makes at most as many errors as it ran, if
// that explains all errors. If the source of several sites fits an error, the site whose source says
// most about it is chosen; if they say equally much, earlier sites made earlier errors.
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
			a.made[at] = a.candidates[at][0].site // the validator added an error to its list twice
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

// fitting returns the sites that ran and can have made an error, the likeliest first.
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

// assignment assigns errors to sites, at most as many to each as it ran.
type assignment struct {
	ran        map[int]int
	candidates [][]candidate
	made       []int         // by error
	by         map[int][]int // the errors of a site
}

// place assigns an error to a site. If all its sites are taken, it moves errors that fit other sites.
func (a *assignment) place(at int, tried map[int]bool) bool {
	for _, c := range a.candidates[at] {
		if !tried[c.site] && len(a.by[c.site]) < a.ran[c.site] {
			tried[c.site] = true
			a.by[c.site] = append(a.by[c.site], at)
			a.made[at] = c.site
			return true
		}
	}
	for _, c := range a.candidates[at] {
		if tried[c.site] {
			continue
		}
		tried[c.site] = true
		for i, other := range a.by[c.site] {
			if a.place(other, tried) {
				a.by[c.site][i], a.made[at] = at, c.site
				return true
			}
		}
	}
	return false
}

// Likeliest returns, of the sites that ran and can have made an error, those whose source says most
// about it. It is used if it was not counted which sites ran for the error.
func Likeliest(sites []Site, ran func(site int) bool, err *field.Error) []int {
	all := map[int]int{}
	for i := range sites {
		if ran(i) {
			all[i] = 1
		}
	}
	var found []int
	candidates := fitting(sites, all, err)
	for _, c := range candidates {
		if c.score == best(candidates) {
			found = append(found, c.site)
		}
	}
	return found
}
