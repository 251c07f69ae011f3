package scaffold

import (
	"fmt"
	"maps"
	"slices"
)

func sortedKeys[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }

func index(i int) string { return fmt.Sprintf("[%d]", i) }
