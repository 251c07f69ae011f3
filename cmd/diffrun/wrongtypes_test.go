package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/internal/validate"
)

// validManifests have references between their fields, which rules check.
const validManifests = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, labels: {app: web}}
spec:
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      volumes: [{name: data, emptyDir: {sizeLimit: 1Gi}}]
      containers:
      - name: web
        image: nginx
        args: [a]
        ports: [{containerPort: 80, name: http}]
        resources: {limits: {cpu: 500m}}
        livenessProbe: {httpGet: {path: /, port: http}}
        volumeMounts: [{name: data, mountPath: /data}, {name: www, mountPath: /www}]
  volumeClaimTemplates: [{metadata: {name: www}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: NodePort, selector: {app: web}, ports: [{name: a, port: 80, targetPort: http}, {name: b, port: 81, nodePort: 30080}]}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: a}
spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /a}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: a}
spec: {rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: a, port: {number: 80}}}}]}}]}
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: a}
spec: {holderIdentity: a, renewTime: "2020-01-01T00:00:00.000000Z", leaseDurationSeconds: 15}
`

// TestWrongTypes checks that a value of a wrong type causes exactly one error, wherever it is: no second
// one for an absent value, a dangling reference or a default. If the Go type accepts it, there is none.
func TestWrongTypes(t *testing.T) {
	var places []string
	var manifests []string
	for text := range strings.SplitSeq(validManifests, "\n---\n") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(text), &object); err != nil {
			t.Fatal(err)
		}
		manifests, places = addWrong(manifests, places, object, object, "")
	}
	file := filepath.Join(t.TempDir(), "wrong.json")
	if err := os.WriteFile(file, []byte(strings.Join(manifests, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	accepted, refused := 0, 0
	options := validate.FilesOptions{
		Options: validate.Options{Engine: validate.Declarative, Timeout: time.Minute}, Files: []string{file},
		Builtins: (&program{Environment: run.Environment{Builtins: builtins()}}).validateBuiltins(),
	}
	number := 0
	options.Record = func(record validate.FileRecord) {
		switch place := places[number]; {
		case record.Fault != "" || len(record.Errors) > 1:
			t.Errorf("%s: %s%v", place, record.Fault, textsOf(record))
		case len(record.Errors) == 1:
			refused++
		case takesNumbers(place):
			accepted++
		default:
			t.Errorf("%s: no error", place)
		}
		number++
	}
	files, err := validate.NewFiles(options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := files.Run(t.Context(), strings.NewReader(""), new(strings.Builder)); err != nil {
		t.Fatal(err)
	}
	if number != len(places) || refused < 200 || accepted == 0 {
		t.Errorf("%d of %d objects, %d with an error, %d without", number, len(places), refused, accepted)
	}
}

// takesNumbers reports whether a Go type reads the number 7: quantities, and ports by name or number.
func takesNumbers(place string) bool {
	return strings.HasSuffix(place, " = 7") &&
		slices.ContainsFunc([]string{"cpu", "storage", "sizeLimit", "targetPort", "httpGet.port"}, func(field string) bool {
			return strings.Contains(place, "."+field+" ")
		})
}

// addWrong adds copies of an object with values of wrong types below a place.
func addWrong(manifests, places []string, object map[string]any, value any, at string) ([]string, []string) {
	wrong := func(path string, set func(any), was any) {
		for _, other := range []any{int64(7), true, []any{int64(1)}, map[string]any{"x": []any{int64(1)}}} {
			if isAlike(was, other) {
				continue
			}
			set(other)
			data, err := json.Marshal(object)
			if err != nil {
				panic(err)
			}
			manifests, places = append(manifests, string(data)), append(places, fmt.Sprintf("%v %s = %v", object["kind"], path, other))
		}
		set(was)
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if at == "" && name != "spec" && name != "metadata" {
				continue
			}
			path := strings.TrimPrefix(at+"."+name, ".")
			wrong(path, func(other any) { value[name] = other }, value[name])
			manifests, places = addWrong(manifests, places, object, value[name], path)
		}
	case []any:
		for i, item := range value {
			path := fmt.Sprintf("%s[%d]", at, i)
			wrong(path, func(other any) { value[i] = other }, item)
			manifests, places = addWrong(manifests, places, object, item, path)
		}
	}
	return manifests, places
}

// isAlike reports whether two values are of one type of JSON.
func isAlike(a, b any) bool {
	if _, isNumber := a.(float64); isNumber {
		a = int64(0)
	}
	return fmt.Sprintf("%T", a) == fmt.Sprintf("%T", b)
}

func textsOf(record validate.FileRecord) []string {
	var all []string
	for _, err := range record.Errors {
		all = append(all, err.Text)
	}
	return all
}
