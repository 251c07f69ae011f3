//go:build unix

package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/largeobject"
	"github.com/diffrun/diffrun/internal/testing/served"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/internal/validate"
)

// BenchmarkLines answers lines of JSON with objects of half a kilobyte to one, as `validate --jsonl --crd`
// does. Its contenders only decode the lines, so their ratios are the part of decode speed that is
// reached.
func BenchmarkLines(b *testing.B) {
	for _, file := range served.Definitions(b) {
		d := read(b, file)
		valid, invalid := d.lines(b)
		const repeated = 20 // so that what a stream needs at its beginning does not count
		for _, mix := range []struct {
			name  string
			lines [][]byte
		}{{"valid", valid}, {"invalid", invalid}, {"two-thirds-invalid", mixed(valid, invalid)}} {
			b.Run(d.name+"-"+mix.name, func(b *testing.B) {
				lines, err := validate.NewLines(validate.LinesOptions{Options: validate.Options{
					Engine: validate.Declarative, Definitions: []string{file}, Parallel: 1, Timeout: time.Minute,
					Warn: func([]plaintext.Text) {},
				}})
				if err != nil {
					b.Fatal(err)
				}
				all := slices.Repeat(mix.lines, repeated)
				text := bytes.Join(all, []byte("\n"))
				compare(b, func() {
					result, err := lines.Run(context.Background(), bytes.NewReader(text), io.Discard)
					if err != nil || result.Faults > 0 || result.Lines != len(all) {
						panic(fmt.Sprint(result, err))
					}
				}, decoders(all)...)
				b.ReportMetric(float64(len(text))/float64(len(all)), "B/line")
			})
		}
	}
}

// decoders decode lines and do nothing else.
func decoders(lines [][]byte) []contender {
	decode := func(unmarshal func([]byte, any) error) func() {
		return func() {
			for _, line := range lines {
				var decoded map[string]any
				if err := unmarshal(line, &decoded); err != nil {
					panic(err)
				}
			}
		}
	}
	return []contender{
		{"kjson", decode(func(line []byte, into any) error { _, err := kjson.UnmarshalStrict(line, into); return err })},
		{"encoding/json", decode(json.Unmarshal)},
	}
}

// lines returns lines with valid objects, and with variations of them that are not.
func (d *definition) lines(b *testing.B) (valid, invalid [][]byte) {
	const many = 24
	v := d.compile(b, d.schema(b))
	isValid := func(obj map[string]any) bool {
		return len(v.Validate(context.Background(), value.NewValueInterface(obj), nil)) == 0
	}
	options := generate.ObjectOptions{APIVersion: d.crd.Spec.Group + "/" + d.version.Name, Kind: d.crd.Spec.Names.Kind}
	for seed := range uint64(many) {
		source := generate.Seeded(seed)
		obj, err := largeobject.Grow(source, d.version.Schema.OpenAPIV3Schema, largeobject.Growth{
			Bytes: 512 + int(seed)*480/many, Valid: isValid, Object: options,
		})
		if err != nil {
			b.Fatal(err)
		}
		valid = append(valid, line(b, fmt.Sprint("valid/", seed), obj))
		wrong, faulty := obj, options
		for faulty.Faults = 4; isValid(wrong) || len(line(b, "", wrong)) > 1100; {
			wrong = generate.Vary(source, d.version.Schema.OpenAPIV3Schema, runtime.DeepCopyJSON(obj), faulty)
		}
		invalid = append(invalid, line(b, fmt.Sprint("invalid/", seed), wrong))
	}
	return valid, invalid
}

func line(b *testing.B, id string, obj map[string]any) []byte {
	encoded, err := json.Marshal(map[string]any{"id": id, "object": obj})
	if err != nil {
		b.Fatal(err)
	}
	return encoded
}

// mixed returns a line with a valid object and two with objects that are not, in turn.
func mixed(valid, invalid [][]byte) [][]byte {
	var all [][]byte
	for i := range invalid {
		if i%2 == 0 {
			all = append(all, valid[i/2])
		}
		all = append(all, invalid[i])
	}
	return all
}
