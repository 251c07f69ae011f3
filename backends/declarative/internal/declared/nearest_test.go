package declared_test

import (
	"testing"

	"github.com/diffrun/diffrun/backends/declarative/internal/declared"
	"github.com/diffrun/diffrun/internal/testing/served"
)

const cluster = `
type: object
properties:
  spec:
    type: object
    properties:
      replica: {type: object, properties: {source: {type: string}}}
      certificates: {type: object, properties: {serverCASecret: {type: string}, clientCASecret: {type: string}}}
      servers: {type: array, items: {type: object, properties: {name: {type: string}, port: {x-kubernetes-int-or-string: true}}}}
      templates: {type: object, additionalProperties: {type: object, properties: {image: {type: string}}}}
      options: {type: object, additionalProperties: {type: string}}
      backup: {type: object, properties: {name: {type: string}, retentionPolicy: {type: string}}}
`

func TestNearest(t *testing.T) {
	schema := declared.Schema{Root: served.Schema(t, cluster)}
	for _, test := range []struct{ why, path, general, nearest string }{
		{"the name begins with that of a field", "spec.replicaCluster", "spec.replicaCluster", "spec.replica"},
		{"other capitals", "spec.certificates.servercasecret", "spec.certificates.servercasecret", "spec.certificates.serverCASecret"},
		{"a mistake above the last name", "spec.replicas.source", "spec.replicas.source", "spec.replica.source"},
		{"nothing is near below it, so what is above", "spec.replicas.colour", "spec.replicas.colour", "spec.replica"},
		{"an index", "spec.servers[12].nam", "spec.servers[*].nam", "spec.servers[*].name"},
		{"no index", "spec.servers.name", "spec.servers.name", "spec.servers[*].name"},
		{"a key of a map in brackets", "spec.templates[web].images", "spec.templates[*].images", "spec.templates[*].image"},
		{"and after a dot", "spec.templates.web.images", "spec.templates[*].images", "spec.templates[*].image"},
		{"a field as a key", "spec[backup]", "spec[*]", "spec.backup"},
		{"the only field of its name is elsewhere", "spec.retentionPolicy", "spec.retentionPolicy", "spec.backup.retentionPolicy"},
		{"without spec", "backup", "backup", "spec.backup"},
		{"two have the name elsewhere", "spec.certificates.name", "spec.certificates.name", ""},
		{"below a value without parts", "spec.backup.name.first", "spec.backup.name.first", ""},
		{"nothing like it", "spec.zone", "spec.zone", ""},
	} {
		if schema.Declares(test.path) {
			t.Errorf("%s: %s is declared", test.why, test.path)
		}
		if got := schema.General(test.path); got != test.general {
			t.Errorf("%s: %s is %s in general, want %s", test.why, test.path, got, test.general)
		}
		if got := schema.Nearest(test.path); got != test.nearest {
			t.Errorf("%s: nearest to %s is %q, want %q", test.why, test.path, got, test.nearest)
		}
	}
}

func TestMayBeKey(t *testing.T) {
	schema := declared.Schema{Root: served.Schema(t, cluster)}
	for _, test := range []struct {
		why, path string
		want      bool
	}{
		{"a key with dots", "spec.options.example.com/a", true},
		{"a key with dots of entries with fields", "spec.templates.example.com/a.image", true},
		{"a field of an entry", "spec.templates.web.images", false},
		{"a key in brackets has no end outside", "spec.options[web].image", false},
		{"a field of no map", "spec.replicaCluster", false},
		{"no path", "", false},
	} {
		if got := schema.MayBeKey(test.path); got != test.want {
			t.Errorf("%s: %s: %v, want %v", test.why, test.path, got, test.want)
		}
	}
}
