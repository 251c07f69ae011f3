package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// fate is how far a line was tested.
type fate string

const (
	fateBroken      fate = "broken"
	fateUnbroken    fate = "unbroken"
	fateNothing     fate = "nothing to break"
	fateUnexpressed fate = "not expressed"
	fateUnserved    fate = "no kind"
)

// withoutRule has the tags that reject nothing by themselves, and why.
var withoutRule = map[string]string{
	"optional":            "says that a field may be missing",
	"listMapKey":          "names the key of a list, which listType=map or unique=map holds",
	"listType=atomic":     "says how a list is merged",
	"isSubresource":       "says which requests a type is for",
	"supportsSubresource": "says which requests a type is for",
	"discriminator":       "names the field that the members of a union depend on",
}

// fateOf returns the fate of a line. A member of a union is broken by the rule of its union.
func (l tagLines) fateOf(line *tagLine) fate {
	_, without := withoutRule[line.tag()]
	switch {
	case line.unexpressed != "":
		return fateUnexpressed
	case without:
		return fateNothing
	case !line.made && strings.HasSuffix(line.owner, ".ScaleSpec"):
		return fateUnserved
	case line.broken || l.brokenUnion(line):
		return fateBroken
	}
	return fateUnbroken
}

func (l tagLines) brokenUnion(line *tagLine) bool {
	if !slices.Contains([]string{"unionMember", "zeroOrOneOfMember", "item", "listType=map"}, line.tag()) &&
		!strings.HasPrefix(line.tag(), "unique") {
		return false
	}
	for _, other := range l {
		sameField := line.field == other.field || line.tag() == "unionMember"
		if other.broken && other.owner == line.owner && sameField && (other.tag() == line.tag() || other.tag() == "listMapKey") {
			return true
		}
	}
	return false
}

// drawTagsPage writes the page with the tags and the lines that no case breaks.
func drawTagsPage(lines tagLines) string {
	var out strings.Builder
	byTag, total := map[string]map[fate]int{}, map[fate]int{}
	for _, line := range lines {
		if byTag[line.tag()] == nil {
			byTag[line.tag()] = map[fate]int{}
		}
		byTag[line.tag()][lines.fateOf(line)]++
		total[lines.fateOf(line)]++
	}
	requests := byTag["isSubresource"][fateNothing] + byTag["supportsSubresource"][fateNothing]
	fmt.Fprintf(&out, tagsHead, len(lines), requests, len(lines)-requests, total[fateUnexpressed], total[fateNothing],
		total[fateBroken], total[fateUnbroken], total[fateUnserved])
	out.WriteString("\n## Tags\n\n| tag | lines | not expressed | nothing to break | broken by a case | not broken | no kind " +
		"|\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, tag := range slices.Sorted(maps.Keys(byTag)) {
		n := byTag[tag]
		sum := 0
		for _, each := range n {
			sum += each
		}
		fmt.Fprintf(&out, "| `%s` | %d | %d | %d | %d | %d | %d |\n", tag, sum, n[fateUnexpressed], n[fateNothing],
			n[fateBroken], n[fateUnbroken], n[fateUnserved])
	}
	drawUnbroken(&out, lines)
	return out.String()
}

// drawUnbroken writes the lines that no case can break, with the reason, and counts those that cases could break.
func drawUnbroken(out *strings.Builder, lines tagLines) {
	type missing struct{ reached, unreached int }
	missed := map[string]*missing{}
	out.WriteString("\n## Lines that no case can break\n\n| line | type and field | tag | why |\n| --- | --- | --- | --- |\n")
	for _, line := range lines.sorted() {
		fate := lines.fateOf(line)
		if fate != fateUnbroken && fate != fateUnexpressed && fate != fateUnserved {
			continue
		}
		if why := whyNot(fate, line); why != "" {
			fmt.Fprintf(out, "| %s:%d | %s | `%s` | %s |\n", line.file, line.line, strings.TrimSuffix(line.owner+" "+line.field, " "),
				line.text, why)
			continue
		}
		group, _, _ := strings.Cut(line.file, "/")
		if missed[group] == nil {
			missed[group] = &missing{}
		}
		if line.reached {
			missed[group].reached++
		} else {
			missed[group].unreached++
		}
	}
	out.WriteString("\n## Lines that cases do not break yet\n\n| group | reached by a case | not reached |\n| --- | --- | --- |\n")
	for _, group := range slices.Sorted(maps.Keys(missed)) {
		fmt.Fprintf(out, "| %s | %d | %d |\n", group, missed[group].reached, missed[group].unreached)
	}
}

const tagsHead = `# The +k8s: validation tags of k8s.io/api, and what tests them

Upstream writes validations as tags, ` + "`+k8s:…`" + `, into the Go types of k8s.io/api v0.37. Three validators
read the same lines: the hand-written code, of which the tags repeat a part; the Go code that
validation-gen generates from them; and our schemas, which package
backends/declarative/idl makes of them. ` + "`diffrun run cases/tags`" + ` compares them, with
the [backends](reference/suites.md#backends) ` + "`handwritten`, `generated` and `tags`" + `.
[Another page](tags-disagreements.md) lists where they disagree. ` + "`make tags`" + ` writes both.

The files have %d lines with tags of validation-gen: %d say which requests a type is for, and %d are
about values. A wrapper and what it wraps count once, and a type counts in each version of the API.
Our schemas express all but %d.
Of these lines, %d have nothing that an object could break, %d are broken by a case of
cases/tags/objects, %d are not, and %d belong to types that no kind of ours has.
`

const tagsDisagree = `# Where hand-written code, validation-gen and schemas disagree about +k8s: tags

Three validators are compared, as [the page about the tags](tags.md) explains. Each row is a difference
that is traced and accepted, with the first case that shows it: the exceptions are in
cases/tags/generated and cases/tags/handwritten. Everything else is the same, or the same in other words
by the rules there.
`

// whyNot returns why no case can break a line; it is empty if a case could.
func whyNot(of fate, line *tagLine) string {
	switch of {
	case fateUnexpressed:
		return line.unexpressed
	case fateUnserved:
		return "no kind of ours has the type"
	}
	switch {
	case line.tag() == "forbidden":
		return "the registry strategy drops the field while its feature is disabled, before anything validates it"
	case strings.HasSuffix(line.text, "minimum=-2147483648"):
		return "no number of the Go type is below"
	}
	return ""
}

func (l tagLines) sorted() []*tagLine {
	return slices.SortedFunc(maps.Values(l), func(a, b *tagLine) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
}

// drawDisagreements writes the page with a row for each exception: the answers of all three in its first case.
func drawDisagreements(run *tagRun) string {
	var out strings.Builder
	out.WriteString(tagsDisagree + "\n| kind | case | field | native | generated | tags | differences | why |\n| --- | --- " +
		"| --- | --- | --- | --- | --- | --- |\n")
	type row struct {
		key   string
		field string
		found int
		why   string
	}
	rows := map[string]*row{}
	var order []string
	for _, suite := range []string{"tags-generated", "tags-handwritten"} {
		for _, key := range run.order {
			for _, pair := range run.results[suite][key].Pairs {
				if pair.Exception == nil {
					continue
				}
				if rows[pair.Exception.ID] == nil {
					rows[pair.Exception.ID] = &row{key: key, field: pair.Field(), why: pair.Exception.Why}
					order = append(order, pair.Exception.ID)
				}
				rows[pair.Exception.ID].found++
			}
		}
	}
	for _, id := range order {
		r := rows[id]
		generated, handwritten := run.results["tags-generated"][r.key], run.results["tags-handwritten"][r.key]
		fmt.Fprintf(&out, "| %s | %s | `%s` | %s | %s | %s | %d | %s |\n", apiname.Target(generated.Version),
			strings.TrimPrefix(generated.Case.ID, "../objects/"), r.field,
			said(handwritten.Native.Errors, r.field), said(generated.Native.Errors, r.field),
			said(generated.Declarative.Errors, r.field), r.found, r.why)
	}
	return out.String()
}

// said returns the errors of a validator at a field, or below or above it.
func said(errs field.ErrorList, at string) string {
	var all []string
	for _, err := range fielderror.Canonical(errs) {
		if err.Field == at || strings.HasPrefix(err.Field, at+"[") || strings.HasPrefix(at, err.Field+"[") {
			detail := err.Detail
			if len(detail) > 60 {
				detail = detail[:60] + "…"
			}
			all = append(all, strings.TrimSpace(strings.TrimPrefix(string(err.Type), "FieldValue")+" "+strings.ReplaceAll(detail, "|",
				"\\|")))
		}
	}
	if len(all) == 0 {
		return "accepts"
	}
	return strings.Join(all, "; ")
}
