package read_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/diffrun/diffrun/internal/gomodule/read/testdata/constructs"
)

// quantities are around zero and one gibibyte, in several forms.
var quantities = []string{"", "0", "-1", "1", "1000m", "1Gi", "1024Mi", "1048577Ki", "2e9"}

// shares are numbers and percentages, right and wrong ones.
var shares = []intstr.IntOrString{
	intstr.FromInt32(0), intstr.FromInt32(-1), intstr.FromInt32(3),
	intstr.FromString("0%"), intstr.FromString("25%"), intstr.FromString("150%"),
	intstr.FromString("-10%"), intstr.FromString("+5%"), intstr.FromString("5"), intstr.FromString("%"), intstr.FromString("x%"),
}

// mark gives an object labels, annotations and quantities.
func mark(r *rand.Rand, made *constructs.Thing) {
	made.Labels = [](map[string]string){nil, {"app": "x"}, {"app": "y"}, {"other": "x"}}[r.IntN(4)]
	made.Annotations = [](map[string]string){nil, {"skip": ""}, {"other": "x"}}[r.IntN(3)]
	made.Needed.Share = shares[r.IntN(len(shares))]
	if text := quantities[r.IntN(len(quantities))]; text != "" {
		made.Needed.Storage = resource.MustParse(text)
	}
	if text := quantities[r.IntN(len(quantities))]; text != "" {
		made.Needed.Resources = corev1.ResourceList{corev1.ResourceName([]string{"cpu", "memory"}[r.IntN(2)]): resource.MustParse(text)}
	}
}

// thing returns an object with values of small sets, so that they are often equal.
func thing(r *rand.Rand) *constructs.Thing {
	made := &constructs.Thing{}
	made.Name = "x"
	made.Spec = constructs.Spec{
		Common:   constructs.Common{Owner: word(r)},
		Name:     word(r),
		Other:    word(r),
		Size:     number(r),
		Limit:    optional(r, number),
		Mode:     []constructs.Mode{"", constructs.Fast, constructs.Slow, "Odd"}[r.IntN(4)],
		Paused:   r.IntN(2) == 0,
		Enabled:  optional(r, func(r *rand.Rand) bool { return r.IntN(2) == 0 }),
		Network:  optional(r, network),
		Items:    several(r, item),
		Keyed:    several(r, item),
		Names:    several(r, word),
		Selected: optional(r, word),
		Address:  addresses[r.IntN(len(addresses))],
	}
	for range r.IntN(3) {
		if made.Spec.Labels == nil {
			made.Spec.Labels = map[string]string{}
		}
		made.Spec.Labels[word(r)] = word(r)
	}
	mark(r, made)
	return made
}

// before returns the object before an update: another one, or the same but for one field.
func before(r *rand.Rand, object *constructs.Thing) *constructs.Thing {
	other := thing(r)
	made := &constructs.Thing{}
	if err := json.Unmarshal([]byte(text(object)), made); err != nil {
		panic(err)
	}
	switch r.IntN(8) {
	case 0:
		made.Spec.Size = other.Spec.Size
	case 1:
		made.Spec.Mode = other.Spec.Mode
	case 2:
		made.Spec.Owner = other.Spec.Owner
	case 3:
		made.Spec.Network = other.Spec.Network
	case 4, 5:
		for i := range made.Spec.Items {
			made.Spec.Items[i].Count = number(r)
			made.Spec.Items[i].Weight = optional(r, number)
		}
	default:
		return other
	}
	return made
}

// unique returns items whose names are different, as those of a list of type map are.
func unique(items []constructs.Item) []constructs.Item {
	seen := map[string]bool{}
	return slices.DeleteFunc(items, func(item constructs.Item) bool {
		repeated := seen[item.Name]
		seen[item.Name] = true
		return repeated
	})
}

func word(r *rand.Rand) string {
	return []string{"", "a", "b", "c", "ab", "/a", "a/b", "A", "abcd", "1"}[min(r.IntN(14), 9)%10]
}

// addresses are texts that some functions parse, and others do not.
var addresses = []string{
	"", "10.0.0.1", "10.0.0.01", "256.0.0.1", "::1", "0:0::1", "fe80::1%eth0", "::ffff:1.2.3.4", "::FFFF:102:304", "::ffff:7", "a.b",
	"10.0.0.0/8", "10.0.0.1/8", "10.0.0.0/08", "010.0.0.0/8", "10.0.0.0/33", "2001:db8::/32", "2001:db8:0::/32", "2001:db8::1/32",
	"::ffff:1.2.3.4/128", "::ffff:1.2.3.0/120", "2001:db8::/129",
}

func number(r *rand.Rand) int32 { return int32(r.IntN(6)) - 1 }

func network(r *rand.Rand) constructs.Network {
	return constructs.Network{Host: word(r), Port: number(r)}
}

func item(r *rand.Rand) constructs.Item {
	return constructs.Item{
		Name: word(r), Count: number(r), Weight: optional(r, number), Needs: several(r, word), Network: optional(r, network),
	}
}

func optional[T any](r *rand.Rand, of func(*rand.Rand) T) *T {
	if r.IntN(2) == 0 {
		return nil
	}
	made := of(r)
	return &made
}

func several[T any](r *rand.Rand, of func(*rand.Rand) T) []T {
	var all []T
	for range r.IntN(4) {
		all = append(all, of(r))
	}
	return all
}
