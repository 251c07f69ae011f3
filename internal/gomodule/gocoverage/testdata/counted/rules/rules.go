package rules

// Grade has blocks that run, that do not, and a function within a function.
func Grade(points int) string {
	if points > 100 {
		return "too many"
	}
	name := func() string {
		if points > 50 {
			return "good"
		}
		return "bad"
	}
	switch {
	case points < 0:
		return "too few"
	case points == 0:
		return "none"
	}
	for points > 10 {
		points -= 10
	}
	return name()
}

// Unused never runs.
func Unused() string { return "" }
