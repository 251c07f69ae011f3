package equivalence

import (
	"cmp"
	"math"
	"slices"
)

// maxAssigned limits the assignment problems that are solved exactly. It is the number of errors of one
// side that possible pairs connect. Objects of Kubernetes stay under 30; 512 take about a tenth of a
// second.
const maxAssigned = 512

// assign returns a largest set of links that uses no line twice, and the cheapest such set. Groups that
// share no line are solved separately. The links must be sorted; the choice depends only on them.
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

// endpoints returns the lines of both sides that a group connects, sorted.
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

// solve solves a group exactly. In its square matrix of costs, a missing link costs more than all links
// together.
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

// hungarian solves the assignment problem for a square matrix: it returns the column of each row with the
// least total cost, in cubic time (Kuhn 1955, with potentials and shortest augmenting paths).
func hungarian(costs [][]int) []int {
	size := len(costs)
	m := matching{costs: costs, rowPotential: make([]int, size), columnPotential: make([]int, size),
		rowOf: slices.Repeat([]int{free}, size)}
	for row := range costs {
		m.add(row)
	}
	columnOf := make([]int, size)
	for column, row := range m.rowOf {
		columnOf[row] = column
	}
	return columnOf
}

// free means no row or no column.
const free = -1

// matching is the cheapest matching of the rows added so far.
type matching struct {
	costs                         [][]int
	rowPotential, columnPotential []int
	rowOf                         []int // by column
}

// add grows a tree of alternating paths from a row until it reaches a free column, and augments along the
// path to that column.
func (m *matching) add(row int) {
	size := len(m.costs)
	slack := slices.Repeat([]int{math.MaxInt}, size)
	before := slices.Repeat([]int{free}, size) // the previous column on the path to a column
	done := make([]bool, size)
	column := free
	for at := row; ; at = m.rowOf[column] {
		column = m.nearest(at, column, slack, before, done)
		m.lower(slack[column], row, slack, done)
		done[column] = true
		if m.rowOf[column] == free {
			break
		}
	}
	for ; before[column] != free; column = before[column] {
		m.rowOf[column] = m.rowOf[before[column]]
	}
	m.rowOf[column] = row
}

// nearest updates the slack of all columns for a row that joined the tree through a column, and returns
// the column with the least slack.
func (m *matching) nearest(row, by int, slack, before []int, done []bool) int {
	nearest := free
	for column := range m.costs {
		if done[column] {
			continue
		}
		if reduced := m.costs[row][column] - m.rowPotential[row] - m.columnPotential[column]; reduced < slack[column] {
			slack[column], before[column] = reduced, by
		}
		if nearest == free || slack[column] < slack[nearest] {
			nearest = column
		}
	}
	return nearest
}

// lower moves the potentials of the tree that began at a row by delta, so that
// its nearest column can join.
func (m *matching) lower(delta, row int, slack []int, done []bool) {
	m.rowPotential[row] += delta
	for column := range m.costs {
		if done[column] {
			m.rowPotential[m.rowOf[column]] += delta
			m.columnPotential[column] -= delta
		} else {
			slack[column] -= delta
		}
	}
}
