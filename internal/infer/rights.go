package infer

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/casecluster"
)

// right is a question for a right of the user, as a webhook asks it about every object: its verb, group, resource,
// subresource, namespace and name, in this order.
type right [6]template

// The parts of a right.
const (
	rightVerb = iota
	rightGroup
	rightResource
	rightSubresource
	rightNamespace
	rightName
)

// template is a text of constants and fields of an object.
type template []piece

// piece is a field or, if that is nil, a constant.
type piece struct {
	constant string
	field    place
}

// of returns the text for an object. A field that is not set is empty, as in Go.
func (t template) of(object map[string]any) string {
	var out strings.Builder
	for _, p := range t {
		text := p.constant
		if p.field != nil {
			value, _ := p.field.names().at(object)
			text, _ = value.(string)
		}
		out.WriteString(text)
	}
	return out.String()
}

// fields returns the fields that a template reads.
func (t template) fields() (all []place) {
	for _, p := range t {
		if p.field != nil {
			all = append(all, p.field)
		}
	}
	return all
}

// of returns the right that is asked for about an object.
func (r right) of(object map[string]any) casecluster.Right {
	return casecluster.Right{
		Verb: r[rightVerb].of(object), Group: r[rightGroup].of(object), Resource: r[rightResource].of(object),
		Subresource: r[rightSubresource].of(object), Namespace: r[rightNamespace].of(object), Name: r[rightName].of(object),
	}
}

// partsOf returns the parts of a question in the order of right.
func partsOf(review harness.AccessReview) [6]string {
	return [6]string{review.Verb, review.Group, review.Resource, review.Subresource, review.Namespace, review.Name}
}

// rightQuestion is a question of the native validator about the rights of the user, with the object that it was asked about.
type rightQuestion struct {
	object map[string]any
	parts  [6]string
}

// explains reports whether a right is what a question asks for.
func (r right) explains(q rightQuestion) bool {
	for n, t := range r {
		if t.of(q.object) != q.parts[n] {
			return false
		}
	}
	return true
}

// Bounds of the rights that are considered.
const (
	mostRights            = 4
	mostTemplates         = 24 // of one text
	mostRightCombinations = 512
	mostPieces            = 3  // fields of one text
	mostExamples          = 24 // questions whose combinations are tried
)

// explainQuestions returns the rights that explain all questions, the one that explains the most first. Of equal ones, the one
// with the fewest fields is chosen.
func explainQuestions(all []rightQuestion, root *spec.Schema) (rights []right) {
	for len(all) > 0 && len(rights) < mostRights {
		var best right
		most := 0
		for n := range min(len(all), mostExamples) {
			for _, one := range combinations(all[n*len(all)/min(len(all), mostExamples)], root) {
				covers := 0
				for _, q := range all {
					if one.explains(q) {
						covers++
					}
				}
				if covers > most {
					best, most = one, covers
				}
			}
		}
		rights = append(rights, best)
		all = slices.DeleteFunc(slices.Clone(all), best.explains)
	}
	return rights
}

// combinations returns the rights that a question may be, those with few fields first.
func combinations(q rightQuestion, root *spec.Schema) []right {
	fields := fieldTexts(q.object, root)
	all := []right{{}}
	for n, text := range q.parts {
		var more []right
		for _, t := range templatesOf(text, fields) {
			for _, known := range all {
				known[n] = t
				more = append(more, known)
			}
		}
		all = more[:min(len(more), mostRightCombinations)]
	}
	number := func(r right) (sum int) {
		for _, t := range r {
			sum += len(t.fields())
		}
		return sum
	}
	slices.SortStableFunc(all, func(x, y right) int { return number(x) - number(y) })
	return all
}

// fieldText is a field of an object with its text.
type fieldText struct {
	at   place
	text string
}

// fieldTexts returns the fields with texts that a schema knows, the outer ones first.
func fieldTexts(object map[string]any, root *spec.Schema) (all []fieldText) {
	var visit func(at place, value any)
	visit = func(at place, value any) {
		switch value := value.(type) {
		case string:
			if value != "" && kindOf(at.schema(root)) == text {
				all = append(all, fieldText{at, value})
			}
		case map[string]any:
			for _, name := range sortedKeys(value) {
				if child := at.below(name); child.schema(root) != nil {
					visit(child, value[name])
				}
			}
		}
	}
	visit(nil, object)
	slices.SortStableFunc(all, func(a, b fieldText) int { return cmp.Compare(len(a.at), len(b.at)) })
	return all
}

// templatesOf returns the templates that a text may be from, the constant first.
func templatesOf(text string, fields []fieldText) []template {
	if text == "" {
		return []template{nil}
	}
	all := []template{{{constant: text}}}
	var split func(before template, constant, rest string, left int)
	split = func(before template, constant, rest string, left int) {
		for at := range rest {
			if at > 0 && !isBoundary(rest[at-1]) && !isBoundary(rest[at]) || len(all) >= mostTemplates {
				continue
			}
			for _, f := range fields {
				tail, found := strings.CutPrefix(rest[at:], f.text)
				if !found || tail != "" && !isBoundary(tail[0]) && !isBoundary(f.text[len(f.text)-1]) {
					continue
				}
				t := slices.Clone(before)
				if head := constant + rest[:at]; head != "" {
					t = append(t, piece{constant: head})
				}
				t = append(t, piece{field: f.at})
				if whole := withConstant(t, tail); len(all) < mostTemplates {
					all = append(all, whole)
				}
				if left > 1 && tail != "" {
					split(t, "", tail, left-1)
				}
			}
		}
	}
	split(nil, "", text, mostPieces)
	return all
}

func withConstant(t template, tail string) template {
	if tail == "" {
		return t
	}
	return append(slices.Clone(t), piece{constant: tail})
}

// isBoundary reports whether a byte separates the parts of a name.
func isBoundary(c byte) bool { return strings.IndexByte("./:-_", c) >= 0 }
