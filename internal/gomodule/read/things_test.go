package read_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

// thing returns an object as it is decoded: an inlined pointer is there if one of its fields is.
func thing(r *rand.Rand) *constructs.Thing { return decoded(filled(r)) }

// decoded returns an object after it was written and read.
func decoded(object *constructs.Thing) *constructs.Thing {
	made := &constructs.Thing{}
	if err := json.Unmarshal([]byte(text(object)), made); err != nil {
		panic(err)
	}
	return made
}

// filled returns an object with values of small sets, so that they are often equal.
func filled(r *rand.Rand) *constructs.Thing {
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
	more(r, made)
	for range r.IntN(3) {
		if made.Spec.Labels == nil {
			made.Spec.Labels = map[string]string{}
		}
		made.Spec.Labels[word(r)] = word(r)
	}
	mark(r, made)
	return made
}

// more gives an object the fields of other widths, and lists of lists.
func more(r *rand.Rand, made *constructs.Thing) {
	s := &made.Spec
	s.Big = []int64{0, 1, -1, 3, math.MaxInt32, math.MaxInt32 + 1, math.MaxInt64, math.MinInt64}[r.IntN(8)]
	s.Small = []int8{0, 1, -1, 64, math.MaxInt8, math.MinInt8}[r.IntN(6)]
	s.Port = []uint16{0, 1, 80, 1024, math.MaxUint16}[r.IntN(5)]
	s.Ratio = []float64{0, 0.5, 1, -1.5, 2}[r.IntN(5)]
	s.Replicas = number(r)
	s.Groups = several(r, group)
	s.Roll = optional(r, roll)
	s.Text = texts[r.IntN(len(texts))]
	if r.IntN(3) > 0 {
		s.Tags, s.Notes = append([]string{}, several(r, word)...), map[string]string{}
	}
	for range r.IntN(3) {
		if s.Peers == nil {
			s.Peers = map[string]constructs.Network{}
		}
		s.Peers[word(r)] = network(r)
	}
	if r.IntN(2) == 0 {
		all := []time.Duration{0, -time.Second, 500 * time.Millisecond, time.Minute, 36 * time.Hour}
		s.Timeout = &metav1.Duration{Duration: all[r.IntN(len(all))]}
	}
	s.From, s.Until, s.Since = moment(r), optional(r, moment), optional(r, moment)
	made.Generation = int64(r.IntN(3))
	if r.IntN(3) == 0 {
		at := moment(r)
		made.DeletionTimestamp = &at
	}
	made.Status.Phase = []constructs.Phase{"", constructs.Pending, constructs.Running, constructs.Done}[r.IntN(4)]
	made.Status.Ready = number(r)
	if r.IntN(6) == 0 {
		s.Size = []int32{math.MaxInt32, math.MinInt32, 1 << 30}[r.IntN(3)]
	}
}

// moment returns one of some times, of which one is zero.
func moment(r *rand.Rand) metav1.Time {
	return []metav1.Time{{}, metav1.Unix(0, 0), metav1.Unix(1_700_000_000, 0)}[r.IntN(3)]
}

// texts have letters of several bytes, parts and numbers.
var texts = []string{
	"", "a", "é", "éa", "aé", "日本語", "A", "K", "a b", " a", "a=b", "a=b=c", "=b", "a=", "a,b", "a,,b", "a-b", "a.b/c",
	"12", "+7", "-0",
	"007", "9223372036854775807", "9223372036854775808", "00000000000000000000001",
	"true", "T", "False", "no", "1h", "90s", "a\nb", "fast", "FAST",
	"25%", "101%", "é%", "%", "-99999999999999999999",
}

func group(r *rand.Rand) constructs.Group {
	made := constructs.Group{Name: word(r), Members: several(r, item)}
	if r.IntN(2) == 0 {
		made.Common = &constructs.Common{Owner: word(r)}
	}
	return made
}

func roll(r *rand.Rand) constructs.Roll {
	return constructs.Roll{
		Step: optional(r, func(r *rand.Rand) constructs.Step {
			return constructs.Step{At: optional(r, number), Kind: word(r)}
		}),
		Surge: optional(r, func(r *rand.Rand) intstr.IntOrString { return shares[r.IntN(len(shares))] }),
		Order: several(r, func(r *rand.Rand) constructs.Mode {
			return []constructs.Mode{constructs.Fast, constructs.Slow, "Odd"}[r.IntN(3)]
		}),
	}
}

// before returns the object before an update: another one, or the same but for one field.
func before(r *rand.Rand, object *constructs.Thing) *constructs.Thing {
	other, made := thing(r), decoded(object)
	if r.IntN(2) == 0 {
		made.Status = other.Status
	}
	switch r.IntN(10) {
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
	case 6:
		made.Spec.Groups, made.Spec.Tags = other.Spec.Groups, other.Spec.Tags
	case 7:
		made.Spec.Names = append(made.Spec.Names, word(r))
		made.Spec.Replicas = other.Spec.Replicas
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
