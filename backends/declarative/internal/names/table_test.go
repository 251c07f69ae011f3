package names_test

import (
	"fmt"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative/internal/names"
)

// sets are names that are easily mistaken for one another.
func sets() []struct {
	why   string
	names []string
} {
	var many []string
	for i := range 3000 {
		many = append(many, fmt.Sprintf("beginning%dend of it", i))
	}
	var same []string
	for i := range 10000 {
		same = append(same, fmt.Sprintf("prefix-%05d-suffixsuffix", i))
	}
	return []struct {
		why   string
		names []string
	}{
		{"none", nil},
		{"more than a search could step over that agree in all bytes that are hashed first", same},
		{"the empty name is one", []string{""}},
		{"lengths from 0 to 9", []string{"", "a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh", "abcdefghi"}},
		{"the bytes that are not hashed tell them apart", []string{"12345678a12345678", "12345678b12345678", "12345678c12345678"}},
		{"one byte in the middle of short names", []string{"aba", "aca", "ada", "aa", "a"}},
		{"as a Pod has them", []string{"name", "image", "command", "args", "workingDir", "ports", "envFrom", "env", "resources", "volumeMounts", "volumeDevices", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle"}},
		{"a full page of them, alike at both ends", many},
	}
}

// TestFind finds each name, and none that only looks like one.
func TestFind(t *testing.T) {
	for _, tt := range sets() {
		table := names.Make(tt.names)
		want := map[string]int{}
		for i, name := range tt.names {
			want[name] = i
		}
		for _, name := range tt.names {
			for _, alike := range []string{name, name + "x", "x" + name, name[:len(name)/2] + "\x00" + name[len(name)/2:], name[:len(name)/2]} {
				i, there := want[alike]
				if !there {
					i = -1
				}
				if got := table.Find(alike); got != i {
					t.Errorf("%s: %q is number %d, want %d", tt.why, alike, got, i)
				}
			}
		}
		if table.Len() != len(tt.names) {
			t.Errorf("%s: %d names, want %d", tt.why, table.Len(), len(tt.names))
		}
	}
	var zero names.Table
	if zero.Find("a") != -1 || zero.Find("") != -1 {
		t.Error("the zero table has names")
	}
}

// TestTwice: the first of two equal names counts.
func TestTwice(t *testing.T) {
	table := names.Make([]string{"a", "b", "a"})
	if got := table.Find("a"); got != 0 {
		t.Errorf("got %d", got)
	}
}

// TestMany: there may be any number of names, and of two equal ones the first counts.
// What to look up in a map is not learned then.
func TestMany(t *testing.T) {
	for _, n := range []int{1<<16 - 1, 1 << 16, 1<<16 + 2} {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprint("name", i)
		}
		all[n-1] = all[5]
		table := names.Make(all)
		for i, name := range all[:n-1] {
			if got := table.Find(name); got != i {
				t.Fatalf("of %d: %s is number %d", n, name, got)
			}
		}
		if i := table.Find(all[n-1]); i != 5 || table.Find("name") != -1 || table.Find("") != -1 {
			t.Errorf("of %d: the last is number %d", n, i)
		}
		order := names.NewOrder(&table)
		for range 100 {
			order.Learn(map[string]any{"name1": 1, "name7": 1})
		}
		if got := len(order.Lookups(2)) > 0; got != (n < 1<<16) {
			t.Errorf("of %d: something was learned: %t", n, got)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("a", "ab", "abc", "abcdefgh")
	f.Add("", "\x00", "12345678x12345678", "12345678y12345678")
	f.Fuzz(func(t *testing.T, a, b, c, not string) {
		table := names.Make([]string{a, b, c})
		for i, name := range []string{a, b, c} {
			if got := table.Find(name); got < 0 || got > i || table.Name(got) != name {
				t.Errorf("%q is number %d", name, got)
			}
		}
		if got := table.Find(not); got >= 0 && table.Name(got) != not {
			t.Errorf("%q is number %d, which is %q", not, got, table.Name(got))
		}
	})
}

func BenchmarkFind(b *testing.B) {
	fields := sets()[5].names
	table := names.Make(fields)
	plain := map[string]int{}
	for i, name := range fields {
		plain[name] = i
	}
	b.Run("table", func(b *testing.B) {
		for i := range b.N {
			table.Find(fields[i%len(fields)])
		}
	})
	b.Run("map", func(b *testing.B) {
		for i := range b.N {
			_ = plain[fields[i%len(fields)]]
		}
	})
}
