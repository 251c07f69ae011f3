package policy

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apiserver/pkg/cel"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

var (
	selfField = regexp.MustCompile(`\bself\.(object|oldObject|request)\b`)
	hasObject = regexp.MustCompile(`(!?)has\((object|oldObject)\)`)
	keyAccess = regexp.MustCompile(`\b((?:object|oldObject)\.metadata\.(?:labels|annotations))\.([A-Za-z0-9_]+)`)
	hasKey    = regexp.MustCompile(`(!?)has\(((?:object|oldObject)\.metadata\.(?:labels|annotations))\['([^']*)'\]\)`)
	// escapedName is a field whose name rules escape. A policy reads objects without a schema, so it has the names as they are.
	escapedName = regexp.MustCompile(`\.([A-Za-z0-9_]*__[A-Za-z0-9_]*)`)
	// selectable is a name that CEL reads after a point.
	selectable  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	negatedHave = map[string]string{"": "!=", "!": "=="}
)

// expression returns an expression about a request as a policy has it.
func expression(r *evidence.Requests, text string) string {
	text = selfField.ReplaceAllString(withChecks(r, text), "$1")
	text = hasObject.ReplaceAllStringFunc(text, func(has string) string {
		found := hasObject.FindStringSubmatch(has)
		return found[2] + " " + negatedHave[found[1]] + " null"
	})
	text = keyAccess.ReplaceAllStringFunc(text, func(access string) string {
		found := keyAccess.FindStringSubmatch(access)
		if key, known := r.Names[found[2]]; known {
			return found[1] + "['" + key + "']"
		}
		return access
	})
	text = hasKey.ReplaceAllStringFunc(text, func(has string) string {
		found := hasKey.FindStringSubmatch(has)
		in := "'" + found[3] + "' in " + found[2]
		if found[1] == "!" {
			return "!(" + in + ")"
		}
		return in
	})
	return escapedName.ReplaceAllStringFunc(text, func(escaped string) string {
		if name, ok := cel.Unescape(escaped[1:]); ok && selectable.MatchString(name) &&
			!slices.Contains([]string{"true", "false", "null", "in"}, name) {
			return "." + name
		}
		return escaped
	})
}

var checkedRight = regexp.MustCompile(`\bself\.request\.rights\.r([0-9]+)\b`)

// withChecks returns an expression with the checks of rights in the place of their fields.
func withChecks(r *evidence.Requests, text string) string {
	return checkedRight.ReplaceAllStringFunc(text, func(found string) string {
		n, _ := strconv.Atoi(strings.TrimPrefix(found, "self.request.rights.r"))
		return check(r, r.Rights[n])
	})
}

// check returns the expression that the user has a right. It is about self, as those of conditions.
func check(r *evidence.Requests, of evidence.Right) string {
	all := "authorizer.group(" + textOf(r, of[evidence.RightGroup]) + ").resource(" + textOf(r, of[evidence.RightResource]) + ")"
	for _, optional := range []struct {
		call string
		of   evidence.Template
	}{{"subresource", of[evidence.RightSubresource]}, {"namespace", of[evidence.RightNamespace]}, {"name", of[evidence.RightName]}} {
		if len(optional.of) > 0 {
			all += "." + optional.call + "(" + textOf(r, optional.of) + ")"
		}
	}
	return all + ".check(" + textOf(r, of[evidence.RightVerb]) + ").allowed()"
}

// text returns the expression of a template. Every object has a name and a namespace.
func textOf(r *evidence.Requests, of evidence.Template) string {
	var all []string
	for _, p := range of {
		if p.Field == nil {
			all = append(all, celexpr.Quote(p.Constant))
			continue
		}
		ref := (&rules.Facts{Evidence: &evidence.Evidence{}, Schema: r.Root}).RefOf(evidence.Place{r.SubjectField()}.Below(p.Field...))
		switch {
		case len(ref.Guards) == 0 || p.Field[0] == "metadata":
			all = append(all, ref.Access)
		case len(of) == 1:
			return ref.Has() + " ? " + ref.Access + " : ''"
		default:
			all = append(all, "("+ref.Has()+" ? "+ref.Access+" : '')")
		}
	}
	if len(all) == 0 {
		return "''"
	}
	return strings.Join(all, " + ")
}
