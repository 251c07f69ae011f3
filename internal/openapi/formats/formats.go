// Package formats is the one table of the formats that texts have by the keyword "format".
//
// What a format means is decided by kube-openapi's strfmt, and for those of KEP-4153 by functions of hand-written
// validation. The table has what its users need beside: examples, lengths, and names in the CEL library "format".
package formats

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Format is a format of texts. Lists of them must not be changed.
type Format struct {
	Name string
	// Right are texts that have the format, and Wrong are texts that do not.
	Right, Wrong []string
	// Longest is the greatest length of a text with the format; 0: none is known.
	Longest int
	// Short means that its texts are short although some part of them can be repeated.
	Short bool
	// Typed means that CEL has a type for it: values are no texts in rules (k8s.io/apiserver/pkg/cel/common, SchemaDeclType).
	Typed bool
	// CEL is the format of the same meaning in the library "format"; "": there is none.
	CEL string
	// Since is the first release of Kubernetes that validates the format in definitions; "": all do. An earlier release stores
	// it and checks nothing (KEP-4153, Upgrade / Downgrade Strategy).
	Since string
	// Proposed means that KEP-4153 adds it: no API server knows it.
	Proposed bool
	// Violations returns what is wrong with a text, for formats of names; nil: it is another format.
	Violations func(text string) []string
}

// mostOfUUID is the length of a UUID with its dashes.
const mostOfUUID = 36

// all has the formats of k8s.io/apiextensions-apiserver/pkg/apiserver/validation (formats.go), in the order in which random
// schemas choose from them, then those of KEP-4153.
var all = []Format{
	{Name: "date-time", Short: true, Typed: true, CEL: "datetime",
		Right: []string{"2020-02-29T23:59:59Z", "2020-01-01T00:00:00.5+02:00", "2020-01-01T00:00:00.000001Z"},
		Wrong: []string{"2020-01-01", "2021-02-29T00:00:00Z", ""}},
	{Name: "date", Longest: 10, Typed: true, CEL: "date",
		Right: []string{"2020-02-29"}, Wrong: []string{"2021-02-29", "2020-1-1", ""}},
	{Name: "duration", Short: true, Typed: true, Right: []string{"1h30m", "22 ns", "3d"}, Wrong: []string{"1 fortnight", "h", ""}},
	{Name: "byte", Typed: true, CEL: "byte", Right: []string{"YWJj", ""}, Wrong: []string{"YW*j", "YWJ"}},
	{Name: "ipv4", Short: true, Right: []string{"10.0.0.1", "255.255.255.255"}, Wrong: []string{"10.0.0.256", "::1", ""}},
	{Name: "ipv6", Short: true, Right: []string{"::1", "fe80::1"}, Wrong: []string{"10.0.0.1", ":::", ""}},
	{Name: "cidr", Short: true, Right: []string{"10.0.0.0/8", "::/0"}, Wrong: []string{"10.0.0.0/33", "10.0.0.0", ""}},
	{Name: "mac", Short: true, Right: []string{"01:02:03:04:05:06"}, Wrong: []string{"01:02:03", ""}},
	{Name: "uri", CEL: "uri", Right: []string{"https://example.com/a?b", "/a"}, Wrong: []string{"a b", "", "%"}},
	{Name: "email", Right: []string{"a@example.com"}, Wrong: []string{"a", "@", ""}},
	{Name: "hostname", Short: true, Right: []string{"example.com", "a"}, Wrong: []string{"-a", "a..b", ""}},
	{Name: "uuid", Longest: mostOfUUID, CEL: "uuid", Right: []string{"123e4567-e89b-12d3-a456-426614174000"},
		Wrong: []string{"123e4567", "123e4567-e89b-12d3-a456-42661417400g", ""}},
	{Name: "uuid3", Longest: mostOfUUID, Right: []string{"6fa459ea-ee8a-3ca4-894e-db77e160355e"},
		Wrong: []string{"6fa459ea-ee8a-4ca4-894e-db77e160355e"}},
	{Name: "uuid4", Longest: mostOfUUID, Right: []string{"16fd2706-8baf-433b-82eb-8c7fada847da"},
		Wrong: []string{"16fd2706-8baf-333b-82eb-8c7fada847da"}},
	{Name: "uuid5", Longest: mostOfUUID, Right: []string{"886313e1-3b8a-5372-9b90-0c9aee199e5d"},
		Wrong: []string{"886313e1-3b8a-4372-9b90-0c9aee199e5d"}},
	{Name: "isbn", Short: true, Right: []string{"0321751043", "978-0321751041"}, Wrong: []string{"0321751044", ""}},
	{Name: "isbn10", Short: true, Right: []string{"0321751043"}, Wrong: []string{"978-0321751041"}},
	{Name: "isbn13", Short: true, Right: []string{"978-0321751041"}, Wrong: []string{"0321751043"}},
	{Name: "creditcard", Short: true, Right: []string{"4012888888881881"}, Wrong: []string{"4012888888881882x", "1"}},
	{Name: "ssn", Longest: 11, Right: []string{"111-22-3333"}, Wrong: []string{"111-22-333"}},
	{Name: "hexcolor", Longest: 7, Right: []string{"#FFFFFF", "abc"}, Wrong: []string{"#FFFF", "red"}},
	{Name: "rgbcolor", Short: true, Right: []string{"rgb(1,2,3)"}, Wrong: []string{"rgb(1,2)", "rgb(256,0,0)"}},
	{Name: "bsonobjectid", Longest: 24, Right: []string{"507f1f77bcf86cd799439011"}, Wrong: []string{"507f1f77"}},
	{Name: "password", Right: []string{"any thing"}},
	{Name: "k8s-short-name", Longest: validation.DNS1123LabelMaxLength, CEL: "dns1123Label", Since: "1.34",
		Violations: validation.IsDNS1123Label, Right: []string{"a-b", "a"}, Wrong: []string{"A", "-a", "a.b", ""}},
	{Name: "k8s-long-name", Longest: validation.DNS1123SubdomainMaxLength, CEL: "dns1123Subdomain", Since: "1.34",
		Violations: validation.IsDNS1123Subdomain, Right: []string{"a.b", "a"}, Wrong: []string{"A", "a..b", ""}},

	{Name: "dns1123subdomain", Longest: validation.DNS1123SubdomainMaxLength, CEL: "dns1123Subdomain", Proposed: true,
		Violations: validation.IsDNS1123Subdomain, Right: []string{"a", "a.b", "example.com"},
		Wrong: []string{"A", "a..b", "-a", ""}},
	{Name: "dns1123label", Longest: validation.DNS1123LabelMaxLength, CEL: "dns1123Label", Proposed: true,
		Violations: validation.IsDNS1123Label, Right: []string{"a", "a-b", "abc"}, Wrong: []string{"A", "a.b", "-a", ""}},
	{Name: "dns1035label", Longest: validation.DNS1035LabelMaxLength, CEL: "dns1035Label", Proposed: true,
		Violations: validation.IsDNS1035Label, Right: []string{"a", "a-b"}, Wrong: []string{"1a", "A", ""}},
}

// Of returns the format of a name, in which dashes do not count. The zero Format: none has the name.
func Of(name string) Format {
	name = strings.ReplaceAll(name, "-", "") // as in strfmt
	return first(func(f Format) bool { return strings.ReplaceAll(f.Name, "-", "") == name })
}

// OfCEL returns the format with the meaning of a format of the CEL library, if possible one that API servers know; the
// zero Format: there is none.
func OfCEL(name string) Format {
	return first(func(f Format) bool { return f.CEL == name })
}

// HasType reports whether CEL has a type for texts of a format. Dashes count.
func HasType(name string) bool {
	return first(func(f Format) bool { return f.Name == name }).Typed
}

// Names returns the names of the formats that are wanted, those of KEP-4153 last.
func Names(wanted func(Format) bool) (names []string) {
	for _, f := range all {
		if wanted(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

// first returns the first format that is wanted.
func first(wanted func(Format) bool) Format {
	if at := slices.IndexFunc(all, wanted); at >= 0 {
		return all[at]
	}
	return Format{}
}
