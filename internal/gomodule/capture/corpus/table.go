package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

// table is a case file as people write it: one object, and cases that are patches of it.
type table struct {
	Target  string         `yaml:"target"`
	Objects map[string]any `yaml:"objects"`
	Cases   []tableCase    `yaml:"cases"`
}

type tableCase struct {
	Name        string  `yaml:"name"`
	Why         string  `yaml:"why"`
	Old         *recipe `yaml:"old,omitempty"`
	recipe      `yaml:",inline"`
	Operation   string        `yaml:"operation,omitempty"`
	Subresource string        `yaml:"subresource,omitempty"`
	Want        []expectation `yaml:"want"`
}

// recipe describes an object: a patch of the commonest object, or the whole object.
type recipe struct {
	Object any            `yaml:"object"`
	Patch  map[string]any `yaml:"patch,omitempty"`
}

type expectation struct {
	Type   string `yaml:"type"`
	Field  string `yaml:"field"`
	Detail string `yaml:"detail,omitempty"`
}

// commonest is the name of the object that the patches apply to.
const commonest = "common"

// tables returns the contents of case files by name. Cases of parts are left out, because a suite
// compares objects.
func (c *Corpus) tables() (map[string][]byte, error) {
	files := map[string][]byte{}
	for rest := c.Cases; len(rest) > 0; {
		name := rest[0].file()
		end := slices.IndexFunc(rest, func(one *Case) bool { return one.file() != name })
		if end < 0 {
			end = len(rest)
		}
		made, err := newTable(rest[:end])
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		encoder := yaml.NewEncoder(&out)
		encoder.SetIndent(2)
		if err := encoder.Encode(made); err != nil {
			return nil, err
		}
		files[Tables.nameOf(name)] = out.Bytes()
		rest = rest[end:]
	}
	return files, nil
}

// newTable returns the table with the cases of one kind.
func newTable(cases []*Case) (*table, error) {
	base := commonestOf(cases)
	document, err := values(base)
	if err != nil {
		return nil, err
	}
	made := &table{Target: cases[0].Target(), Objects: map[string]any{commonest: document}}
	names := map[string]int{}
	for _, c := range cases {
		row := tableCase{Name: c.name(names), Why: c.why(), Operation: c.Operation, Subresource: c.Subresource, Want: []expectation{}}
		if row.recipe, err = newRecipe(base, c.Object); err != nil {
			return nil, err
		}
		if c.Old != nil {
			old, err := newRecipe(base, c.Old)
			if err != nil {
				return nil, err
			}
			row.Old = &old
		}
		for _, e := range c.Recorded.Errors {
			row.Want = append(row.Want, expectation{string(e.Type), e.Field, e.Detail})
		}
		if c.Recorded.Panicked {
			continue // the wanted result is unknown
		}
		made.Cases = append(made.Cases, row)
	}
	return made, nil
}

// Panicked returns the number of cases of objects whose validator panicked. Tables leave them out.
func (c *Corpus) Panicked() int {
	n := 0
	for _, one := range c.Cases {
		if one.Recorded.Panicked {
			n++
		}
	}
	return n
}

// commonestOf returns the object that most cases have, and the first of several.
func commonestOf(cases []*Case) json.RawMessage {
	times := map[string]int{}
	var best string
	for _, c := range cases {
		for _, object := range []json.RawMessage{c.Old, c.Object} {
			if object == nil {
				continue
			}
			if times[string(object)]++; best == "" || times[string(object)] > times[best] {
				best = string(object)
			}
		}
	}
	return json.RawMessage(best)
}

// newRecipe returns a recipe with the patch of an object. An object with a null has no patch, because
// null removes a field in a merge patch.
func newRecipe(base, object json.RawMessage) (recipe, error) {
	if bytes.Equal(base, object) {
		return recipe{Object: commonest}, nil
	}
	patch, err := jsonpatch.CreateMergePatch(base, object)
	if err != nil {
		return recipe{}, err
	}
	if again, err := jsonpatch.MergePatch(base, patch); err == nil && jsonpatch.Equal(again, object) {
		document, err := values(patch)
		return recipe{Object: commonest, Patch: document}, err
	}
	document, err := values(object)
	return recipe{Object: document}, err
}

// values decodes a document with the number types of YAML.
func values(data json.RawMessage) (map[string]any, error) {
	document, err := decode(data)
	if err != nil {
		return nil, err
	}
	return plainNumbers(document).(map[string]any), nil
}

func plainNumbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, item := range value {
			value[key] = plainNumbers(item)
		}
	case []any:
		for i, item := range value {
			value[i] = plainNumbers(item)
		}
	case json.Number:
		if n, err := value.Int64(); err == nil {
			return n
		}
		if f, err := value.Float64(); err == nil {
			return f
		}
	}
	return value
}

// name returns the name of a case: the name of its test. The second case of a test is "TestX (2)".
func (c *Case) name(names map[string]int) string {
	test := c.Recorded.Test
	if test == "" {
		test = c.ID
	}
	if names[test]++; names[test] > 1 {
		return fmt.Sprintf("%s (%d)", test, names[test])
	}
	return test
}

// why returns the test that the case comes from, and the inputs besides the objects.
func (c *Case) why() string {
	function := c.Recorded.Function[strings.LastIndex(c.Recorded.Function, "/")+1:]
	return strings.Join(append([]string{c.Recorded.Source + " calls " + function}, c.Recorded.Inputs()...), "; ")
}
