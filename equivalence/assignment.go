package equivalence

import (
	"cmp"
	"slices"
)

// maxAssigned bounds the assignment problems that are solved exactly: so many
// errors of a side that are connected by possible pairs. Kubernetes' own
// objects stay under 30; 512 take about a tenth of a second.
const maxAssigned = 512

// assign chooses links so that no line is used twice: as many as possible, and
// among such choices the cheapest. Groups of lines without a link between them
// are solved one by one. The links must be sorted; the choice depends on
// nothing else.
func assign(links []link) []link {
	var chosen []link
	for _, group := range components(links) {
		switch natives, declaratives := endpoints(group); {
		case len(group) == 1:
			chosen = append(chosen, group...)
		case max(len(natives), len(declaratives)) > maxAssigned:
			chosen = append(chosen, cheapestFirst(group)...)
		default:
			chosen = append(chosen, solve(group, natives, declaratives)...)
		}
	}
	slices.SortFunc(chosen, compareLinks)
	return chosen
}

// components splits links into groups that share no line.
func components(links []link) [][]link {
	parent := map[int]int{}
	var root func(int) int
	root = func(node int) int {
		up, known := parent[node]
		if !known || up == node {
			parent[node] = node
			return node
		}
		parent[node] = root(up)
		return parent[node]
	}
	node := func(l link) (native, declarative int) { return l.native, -1 - l.declarative }
	for _, link := range links {
		native, declarative := node(link)
		parent[root(native)] = root(declarative)
	}
	place := map[int]int{}
	var groups [][]link
	for _, link := range links {
		native, _ := node(link)
		at, known := place[root(native)]
		if !known {
			at = len(groups)
			place[root(native)] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], link)
	}
	return groups
}

// endpoints gives the lines of both sides that a group connects, sorted.
func endpoints(group []link) (natives, declaratives []int) {
	for _, link := range group {
		natives = append(natives, link.native)
		declaratives = append(declaratives, link.declarative)
	}
	slices.Sort(natives)
	slices.Sort(declaratives)
	return slices.Compact(natives), slices.Compact(declaratives)
}

func cheapestFirst(group []link) []link {
	group = slices.Clone(group)
	slices.SortStableFunc(group, func(a, b link) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), compareLinks(a, b))
	})
	usedNative, usedDeclarative := map[int]bool{}, map[int]bool{}
	var chosen []link
	for _, link := range group {
		if !usedNative[link.native] && !usedDeclarative[link.declarative] {
			usedNative[link.native], usedDeclarative[link.declarative] = true, true
			chosen = append(chosen, link)
		}
	}
	return chosen
}

// solve fills a square matrix of costs, in which a missing link costs more
// than all links together, and solves it.
func solve(group []link, natives, declaratives []int) []link {
	size := max(len(natives), len(declaratives))
	missing := 1
	for _, link := range group {
		missing = max(missing, size*link.cost+1)
	}
	costs := make([][]int, size)
	at := make([][]*link, size)
	for i := range costs {
		costs[i], at[i] = slices.Repeat([]int{missing}, size), make([]*link, size)
	}
	for n := range group {
		i, _ := slices.BinarySearch(natives, group[n].native)
		j, _ := slices.BinarySearch(declaratives, group[n].declarative)
		costs[i][j], at[i][j] = group[n].cost, &group[n]
	}
	var chosen []link
	for i, j := range hungarian(costs) {
		if at[i][j] != nil {
			chosen = append(chosen, *at[i][j])
		}
	}
	return chosen
}

// hungarian solves the assignment problem for a square matrix: it gives the
// column of each row so that the sum of costs is least, in cubic time (Kuhn
// 1955, in the form with potentials and shortest augmenting paths).
func hungarian(costs [][]int) []int {
	size := len(costs)
	const free = -1
	rowPotential, columnPotential := make([]int, size), make([]int, size)
	rowOf := slices.Repeat([]int{free}, size) // by column
	for row := range costs {
		// Grow a tree of alternating paths from this row until it meets a free
		// column. came[j] is the column before j on the path, free at its start.
		slack := slices.Repeat([]int{int(^uint(0) >> 1)}, size)
		came := slices.Repeat([]int{free}, size)
		done := make([]bool, size)
		i, j := row, free
		for {
			next, delta := free, int(^uint(0)>>1)
			for k := range size {
				if done[k] {
					continue
				}
				if reduced := costs[i][k] - rowPotential[i] - columnPotential[k]; reduced < slack[k] {
					slack[k], came[k] = reduced, j
				}
				if slack[k] < delta {
					next, delta = k, slack[k]
				}
			}
			rowPotential[row] += delta
			for k := range size {
				if done[k] {
					rowPotential[rowOf[k]] += delta
					columnPotential[k] -= delta
				} else {
					slack[k] -= delta
				}
			}
			j = next
			done[j] = true
			if rowOf[j] == free {
				break
			}
			i = rowOf[j]
		}
		for j != free {
			before := came[j]
			if before == free {
				rowOf[j] = row
			} else {
				rowOf[j] = rowOf[before]
			}
			j = before
		}
	}
	columnOf := make([]int, size)
	for column, row := range rowOf {
		columnOf[row] = column
	}
	return columnOf
}
