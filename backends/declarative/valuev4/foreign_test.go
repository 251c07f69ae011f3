package valuev4_test

import value4 "sigs.k8s.io/structured-merge-diff/v4/value"

// foreign hides how a value and all values inside it are stored.
type foreign struct{ value4.Value }

func (v foreign) AsMap() value4.Map   { return foreignMap{v.Value.AsMap()} }
func (v foreign) AsList() value4.List { return foreignList{v.Value.AsList()} }

type foreignMap struct{ value4.Map }

func (m foreignMap) Get(key string) (value4.Value, bool) {
	v, ok := m.Map.Get(key)
	if !ok {
		return nil, false
	}
	return foreign{v}, true
}

func (m foreignMap) Iterate(fn func(string, value4.Value) bool) bool {
	return m.Map.Iterate(func(key string, v value4.Value) bool { return fn(key, foreign{v}) })
}

type foreignList struct{ value4.List }

func (l foreignList) At(i int) value4.Value   { return foreign{l.List.At(i)} }
func (l foreignList) Range() value4.ListRange { return foreignItems{l.List.Range()} }

type foreignItems struct{ value4.ListRange }

func (r foreignItems) Item() (int, value4.Value) {
	i, v := r.ListRange.Item()
	return i, foreign{v}
}
