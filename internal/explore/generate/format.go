package generate

import "sync"

// format is a format of strings with values that have it and that do not.
type format struct {
	name       string
	right, bad []string
}

// formats lists the formats of pkg/apiserver/validation/formats.go of apiextensions-apiserver, and
// one that it does not know.
func formats() []format {
	return []format{
		{name: "date-time", right: []string{"2020-02-29T23:59:59Z", "2020-01-01T00:00:00.5+02:00", "2020-01-01T00:00:00.000001Z"},
			bad: []string{"2020-01-01", "2021-02-29T00:00:00Z", ""}},
		{name: "date", right: []string{"2020-02-29"}, bad: []string{"2021-02-29", "2020-1-1", ""}},
		{name: "duration", right: []string{"1h30m", "22 ns", "3d"}, bad: []string{"1 fortnight", "h", ""}},
		{name: "byte", right: []string{"YWJj", ""}, bad: []string{"YW*j", "YWJ"}},
		{name: "ipv4", right: []string{"10.0.0.1", "255.255.255.255"}, bad: []string{"10.0.0.256", "::1", ""}},
		{name: "ipv6", right: []string{"::1", "fe80::1"}, bad: []string{"10.0.0.1", ":::", ""}},
		{name: "cidr", right: []string{"10.0.0.0/8", "::/0"}, bad: []string{"10.0.0.0/33", "10.0.0.0", ""}},
		{name: "mac", right: []string{"01:02:03:04:05:06"}, bad: []string{"01:02:03", ""}},
		{name: "uri", right: []string{"https://example.com/a?b", "/a"}, bad: []string{"a b", "", "%"}},
		{name: "email", right: []string{"a@example.com"}, bad: []string{"a", "@", ""}},
		{name: "hostname", right: []string{"example.com", "a"}, bad: []string{"-a", "a..b", ""}},
		{name: "uuid", right: []string{"123e4567-e89b-12d3-a456-426614174000"},
			bad: []string{"123e4567", "123e4567-e89b-12d3-a456-42661417400g", ""}},
		{name: "uuid3", right: []string{"6fa459ea-ee8a-3ca4-894e-db77e160355e"}, bad: []string{"6fa459ea-ee8a-4ca4-894e-db77e160355e"}},
		{name: "uuid4", right: []string{"16fd2706-8baf-433b-82eb-8c7fada847da"}, bad: []string{"16fd2706-8baf-333b-82eb-8c7fada847da"}},
		{name: "uuid5", right: []string{"886313e1-3b8a-5372-9b90-0c9aee199e5d"}, bad: []string{"886313e1-3b8a-4372-9b90-0c9aee199e5d"}},
		{name: "isbn", right: []string{"0321751043", "978-0321751041"}, bad: []string{"0321751044", ""}},
		{name: "isbn10", right: []string{"0321751043"}, bad: []string{"978-0321751041"}},
		{name: "isbn13", right: []string{"978-0321751041"}, bad: []string{"0321751043"}},
		{name: "creditcard", right: []string{"4012888888881881"}, bad: []string{"4012888888881882x", "1"}},
		{name: "ssn", right: []string{"111-22-3333"}, bad: []string{"111-22-333"}},
		{name: "hexcolor", right: []string{"#FFFFFF", "abc"}, bad: []string{"#FFFF", "red"}},
		{name: "rgbcolor", right: []string{"rgb(1,2,3)"}, bad: []string{"rgb(1,2)", "rgb(256,0,0)"}},
		{name: "bsonobjectid", right: []string{"507f1f77bcf86cd799439011"}, bad: []string{"507f1f77"}},
		{name: "password", right: []string{"any thing"}},
		{name: "k8s-short-name", right: []string{"a-b", "a"}, bad: []string{"A", "-a", "a.b", ""}},
		{name: "k8s-long-name", right: []string{"a.b", "a"}, bad: []string{"A", "a..b", ""}},
		{name: "never-heard-of", right: []string{"x", ""}},
	}
}

// Formats lists the names of the formats that the API server knows, and of one that it does not know.
func Formats() []string {
	var names []string
	for _, one := range formats() {
		names = append(names, one.name)
	}
	return names
}

// markerFormats lists the formats of KEP-4153's markers, which the API server does not know.
func markerFormats() []format {
	return []format{
		{name: "dns1123label", right: []string{"a", "a-b", "abc"}, bad: []string{"A", "a.b", "-a", ""}},
		{name: "dns1123subdomain", right: []string{"a", "a.b", "example.com"}, bad: []string{"A", "a..b", "-a", ""}},
		{name: "dns1035label", right: []string{"a", "a-b"}, bad: []string{"1a", "A", ""}},
	}
}

// formatsByName has all formats.
var formatsByName = sync.OnceValue(func() map[string]format {
	all := map[string]format{}
	for _, f := range append(formats(), markerFormats()...) {
		all[f.name] = f
	}
	all["datetime"] = all["date-time"]
	return all
})

func formatOf(name string) (format, bool) {
	f, known := formatsByName()[name]
	return f, known
}
