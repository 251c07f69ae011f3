package cel

// Spare counts what rules that are not run could have cost, as the cost of rules that are
// planned is counted. It is false, and nothing is counted, where that is not surely within
// the budget: not for costs that count exactly, and not beyond half of the budget, so
// that the rules which do run have the other half.
func (e *Evaluator) Spare(cost uint64) bool {
	half := max(e.budget, 0) / 2
	if e.exact || e.planned > half || cost > uint64(half-e.planned) {
		return false
	}
	e.planned += int64(cost)
	return true
}
