package policy

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
	"github.com/diffrun/diffrun/internal/infer/rules"
	"github.com/diffrun/diffrun/internal/infer/search"
	"github.com/diffrun/diffrun/internal/object"
)

// partsOf returns the parts of a question in the order of right.
func partsOf(review contract.AccessReview) [6]string {
	return [6]string{review.Verb, review.Group, review.Resource, review.Subresource, review.Namespace, review.Name}
}

// rightQuestion is a question of the native validator about the rights of the user, with the object that it was asked about.
type rightQuestion struct {
	object map[string]any
	parts  [6]string
}

// explains reports whether a right is what a question asks for.
func explains(r evidence.Right, q rightQuestion) bool {
	for n, t := range r {
		if t.Of(q.object) != q.parts[n] {
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
func explainQuestions(all []rightQuestion, root *spec.Schema) (rights []evidence.Right) {
	for len(all) > 0 && len(rights) < mostRights {
		var best evidence.Right
		most := 0
		for n := range min(len(all), mostExamples) {
			for _, one := range combinations(all[n*len(all)/min(len(all), mostExamples)], root) {
				covers := 0
				for _, q := range all {
					if explains(one, q) {
						covers++
					}
				}
				if covers > most {
					best, most = one, covers
				}
			}
		}
		rights = append(rights, best)
		all = slices.DeleteFunc(slices.Clone(all), func(q rightQuestion) bool { return explains(best, q) })
	}
	return rights
}

// combinations returns the rights that a question may be, those with few fields first.
func combinations(q rightQuestion, root *spec.Schema) []evidence.Right {
	fields := fieldTexts(q.object, root)
	all := []evidence.Right{{}}
	for n, text := range q.parts {
		var more []evidence.Right
		for _, t := range templatesOf(text, fields) {
			for _, known := range all {
				known[n] = t
				more = append(more, known)
			}
		}
		all = more[:min(len(more), mostRightCombinations)]
	}
	number := func(r evidence.Right) (sum int) {
		for _, t := range r {
			sum += len(t.Fields())
		}
		return sum
	}
	slices.SortStableFunc(all, func(x, y evidence.Right) int { return number(x) - number(y) })
	return all
}

// fieldText is a field of an object with its text.
type fieldText struct {
	at   evidence.Place
	text string
}

// fieldTexts returns the fields with texts that a schema knows, the outer ones first.
func fieldTexts(object map[string]any, root *spec.Schema) (all []fieldText) {
	var visit func(at evidence.Place, value any)
	visit = func(at evidence.Place, value any) {
		switch value := value.(type) {
		case string:
			if value != "" && rules.KindOf(at.Schema(root)) == rules.Text {
				all = append(all, fieldText{at, value})
			}
		case map[string]any:
			for _, name := range evidence.SortedKeys(value) {
				if child := at.Below(name); child.Schema(root) != nil {
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
func templatesOf(text string, fields []fieldText) []evidence.Template {
	if text == "" {
		return []evidence.Template{nil}
	}
	all := []evidence.Template{{{Constant: text}}}
	var split func(before evidence.Template, constant, rest string, left int)
	split = func(before evidence.Template, constant, rest string, left int) {
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
					t = append(t, evidence.Piece{Constant: head})
				}
				t = append(t, evidence.Piece{Field: f.at})
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

func withConstant(t evidence.Template, tail string) evidence.Template {
	if tail == "" {
		return t
	}
	return append(slices.Clone(t), evidence.Piece{Constant: tail})
}

// isBoundary reports whether a byte separates the parts of a name.
func isBoundary(c byte) bool { return strings.IndexByte("./:-_", c) >= 0 }

// Bounds of the questions about rights.
const (
	mostRightRounds   = 3
	mostRightVariants = 192 // of requests, in one round
	mostQuestions     = 4   // whose fields are changed
)

// findRights finds the rights that the native validator asks for, and asks about users who have them.
func (part *Part) findRights(ctx context.Context, pr *proposal.Prover) error {
	r := part.Evidence.Requests
	for range mostRightRounds {
		bases := slices.Clone(part.Evidence.Samples)
		if _, err := part.Evidence.Ask(ctx, part.withOtherTexts()); err != nil {
			return err
		}
		about := r.Root.Properties[r.SubjectField()]
		rights := explainQuestions(part.questions(), &about)
		if len(rights) == 0 {
			return nil
		}
		known := slices.EqualFunc(rights, r.Rights, func(a, b evidence.Right) bool {
			return celexpr.String(check(r, a)) == celexpr.String(check(r, b))
		})
		if known && len(part.Evidence.Samples) == len(bases) {
			break
		}
		if !known {
			part.forgetRights()
		}
		r.Rights = rights
		part.decodeAgain(pr)
		var inputs []explore.Input
		for _, s := range bases {
			if _, u, _ := r.Read(s.Object); u.Name == evidence.OrdinaryUser && len(inputs) < mostRightVariants {
				for _, doc := range r.RightVariants(s.Object) {
					inputs = append(inputs, explore.Input{Object: doc})
				}
			}
		}
		if _, err := part.Evidence.Ask(ctx, inputs); err != nil {
			return err
		}
	}
	return nil
}

// forgetRights drops the samples whose users have rights, before other rights take the names of these.
func (part *Part) forgetRights() {
	part.Evidence.Samples = slices.DeleteFunc(part.Evidence.Samples, func(s *evidence.Sample) bool {
		has, _ := object.Of(evidence.FieldRequest, evidence.FieldRights).Get(s.Object)
		fields, _ := has.(map[string]any)
		if !slices.Contains(slices.Collect(maps.Values(fields)), any(true)) {
			return false
		}
		delete(part.Evidence.Known, evidence.KeyOf(s.Input))
		if s.Accepted {
			part.Evidence.Accepted--
		}
		return true
	})
}

// decodeAgain decodes the samples with the rights, which expressions may now read.
func (part *Part) decodeAgain(pr *proposal.Prover) {
	part.Evidence.Target.Document.Root = part.Evidence.Requests.Schema(pr.Evidence.Target.Document.Root, pr.Evidence.Samples)
	part.finder.Universes, part.Evidence.Values = map[string]*search.Universe{}, map[string]*evidence.Values{}
	part.Evidence.Samples = slices.DeleteFunc(part.Evidence.Samples, func(s *evidence.Sample) bool {
		return !part.Evidence.Requests.Decode(s)
	})
}

// questions returns the questions about the users of the requests.
func (part *Part) questions() (all []rightQuestion) {
	for _, s := range part.Evidence.Samples {
		_, u, _ := part.Evidence.Requests.Read(s.Object)
		object, _ := s.Decoded[part.Evidence.Requests.SubjectField()].(map[string]any)
		for _, review := range s.Reviews {
			if review.User.Name == u.Name {
				all = append(all, rightQuestion{object, partsOf(review)})
			}
		}
	}
	return all
}

// withOtherTexts returns requests of the ordinary user that show from which fields the texts of questions are: one of these
// fields has another text.
func (part *Part) withOtherTexts() (inputs []explore.Input) {
	r := part.Evidence.Requests
	about := r.Root.Properties[r.SubjectField()]
	told := map[[6]string]bool{}
	for _, s := range part.Evidence.Samples {
		_, u, _ := r.Read(s.Object)
		object, _ := s.Decoded[r.SubjectField()].(map[string]any)
		for _, review := range s.Reviews {
			asked := rightQuestion{object, partsOf(review)}
			if u.Name != evidence.OrdinaryUser || told[asked.parts] || len(told) >= mostQuestions {
				continue
			}
			told[asked.parts] = true
			for _, field := range asked.fields(&about) {
				for _, to := range part.otherTexts(field, &about, asked) {
					doc := s.Object
					for _, of := range []string{evidence.FieldObject, evidence.FieldOldObject} {
						if doc[of] != nil {
							doc = evidence.Place{of}.Below(field...).Path().Put(doc, to)
						}
					}
					inputs = append(inputs, explore.Input{Object: doc})
				}
			}
		}
	}
	return inputs
}

// fields returns the fields that the texts of a question may be from.
func (q rightQuestion) fields(root *spec.Schema) (all []evidence.Place) {
	fields := fieldTexts(q.object, root)
	for _, text := range q.parts {
		for _, t := range templatesOf(text, fields) {
			for _, field := range t.Fields() {
				if !slices.ContainsFunc(all, func(known evidence.Place) bool { return slices.Equal(known, field) }) {
					all = append(all, field)
				}
			}
		}
	}
	return all
}

// otherTexts returns texts that a field may have in place of that of an object.
func (part *Part) otherTexts(field evidence.Place, root *spec.Schema, asked rightQuestion) (all []string) {
	now, _ := field.Path().Get(asked.object)
	text, _ := now.(string)
	for _, value := range field.Schema(root).Enum {
		if other, isText := value.(string); isText && other != text {
			return []string{other}
		}
	}
	for _, seen := range part.Evidence.ValuesAt(nil)[evidence.Place{part.Evidence.Requests.SubjectField()}.Below(field...).String()] {
		if other, isText := seen.(string); isText && other != text && other != "" && len(all) < 1 {
			all = append(all, other)
		}
	}
	return append(all, text+"0")
}
