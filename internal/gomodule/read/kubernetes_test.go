package read_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install" // these register the versions
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/ipaddress"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/networking/servicecidr"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/gomodule/read"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

// strategy is what a registry strategy validates with.
type strategy interface {
	Validate(ctx context.Context, obj runtime.Object) field.ErrorList
	ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList
}

// groups are those that readings are measured on. The objects of slow ones have templates of Pods.
var groups = []struct {
	name       string
	isSlow     bool
	strategies []strategy
}{
	{"networking", false, []strategy{
		ingress.Strategy, ingress.StatusStrategy, ingressclass.Strategy, ipaddress.Strategy, networkpolicy.Strategy,
		servicecidr.Strategy, servicecidr.StatusStrategy,
	}},
	{"policy", false, []strategy{poddisruptionbudget.Strategy, poddisruptionbudget.StatusStrategy}},
	{"rbac", false, []strategy{role.Strategy, rolebinding.Strategy, clusterrole.Strategy, clusterrolebinding.Strategy}},
	{"autoscaling", false, []strategy{horizontalpodautoscaler.Strategy, horizontalpodautoscaler.StatusStrategy}},
	{"batch", true, []strategy{job.Strategy, job.StatusStrategy, cronjob.Strategy}},
}

// TestKubernetes runs the validators of Kubernetes on generated objects, and holds the conditions that were read whole
// against their errors. The golden files have the figures and the sites that are not right.
func TestKubernetes(t *testing.T) {
	for _, group := range groups {
		t.Run(group.name, func(t *testing.T) {
			if group.isSlow {
				slowtest.Skip(t)
			}
			compareGolden(t, filepath.Join("kubernetes", group.name+".golden"), measuredGroup(t, group.name, group.strategies))
		})
	}
}

// measuredGroup returns the figures of a group.
func measuredGroup(t *testing.T, group string, strategies []strategy) string {
	byName := map[string]strategy{}
	for _, one := range strategies {
		of := reflect.TypeOf(one)
		byName["("+of.PkgPath()+"."+of.Name()+")"] = one
	}
	var b strings.Builder
	total := map[string]int{}
	for _, root := range loadFrom(t, ".", "k8s.io/kubernetes/pkg/apis/"+group+"/validation").ofStrategies(t) {
		name := root.Func.FullName()
		validator := byName[strings.TrimSuffix(strings.TrimSuffix(name, ".Validate"), ".ValidateUpdate")]
		if validator == nil {
			t.Errorf("no strategy for %s: add it", name)
			continue
		}
		m := measured(t, root, validator)
		fmt.Fprintf(&b, "%s\n", name)
		for i, site := range root.sites {
			verdict := m.verdict(i)
			total[verdict]++
			if verdict == "right" {
				continue
			}
			fmt.Fprintf(&b, "  %s: %s:%d %s %s %q\n", verdict, site.Pos.Filename, site.Pos.Line, site.Type, site.Field, site.Text)
			if m.wrong[i] != "" {
				t.Logf("%s %s:%d %s %s %q\n  %s\n  %s", name, site.Pos.Filename, site.Pos.Line, site.Type, site.Field, site.Text,
					celexpr.String(site.Condition), m.wrong[i])
			}
		}
		slices.Sort(m.unexplained) // validators range over maps
		for _, one := range m.unexplained {
			total["no site"]++
			fmt.Fprintf(&b, "  no site: %s\n", one)
		}
	}
	fmt.Fprintf(&b, "total: %d right, %d wrong, %d unread, %d never shown, %d with other gates, %d errors without a site\n",
		total["right"], total["wrong"], total["unread"], total["never shown"], total["with other gates"], total["no site"])
	return b.String()
}

// ofStrategies returns the roots that are methods of strategies, without the sites in templates of Pods, which have thousands.
func (p program) ofStrategies(t *testing.T) (all []reading) {
	t.Helper()
	for _, root := range p.Roots() {
		if root.Func.Signature().Recv() == nil {
			continue // of a subresource
		}
		sites, left := p.Read(root)
		for _, one := range left {
			if !strings.HasPrefix(one.Why, "what other values of ") {
				t.Errorf("%s: left out: %s", one.Pos, one.Why)
			}
		}
		all = append(all, reading{root, slices.DeleteFunc(sites, func(site read.Site) bool { return isOfTemplate(site.Field) })})
	}
	return all
}

// isOfTemplate reports whether the field of an error is in the template of a Pod.
func isOfTemplate(field string) bool { return strings.Contains(field, ".template.") }

// measure is what generated objects say about the sites of a root.
type measure struct {
	sites []read.Site
	// programs are nil for sites with unread parts.
	programs []cel.Program
	// both counts the objects for which a site was there, and its condition true; false ones those where it was neither.
	both, neither []int
	wrong         []string
	unexplained   []string
}

func (m *measure) verdict(i int) string {
	switch {
	case !ofProcess(m.sites[i]):
		return "with other gates"
	case m.programs[i] == nil:
		return "unread"
	case m.wrong[i] != "":
		return "wrong"
	case m.both[i] == 0 || m.neither[i] == 0:
		return "never shown"
	}
	return "right"
}

// objectsOfRoot is how many objects a root is measured on.
const objectsOfRoot = 500

// measured runs a validator on objects near those that it accepts.
func measured(t *testing.T, root reading, validator strategy) *measure {
	t.Helper()
	m := &measure{sites: root.sites, programs: programsOf(t, root.sites), both: make([]int, len(root.sites)),
		neither: make([]int, len(root.sites)), wrong: make([]string, len(root.sites))}
	starts := startsOf(t, root.Kind())
	make := newMaker(*seed, root.sites)
	isUpdate := root.Operation == "UPDATE"
	for range objectsOfRoot {
		old := starts[make.random.IntN(len(starts))].DeepCopyObject()
		if make.random.IntN(3) == 0 {
			make.change(old)
		}
		object := old.DeepCopyObject()
		for range 1 + make.random.IntN(3) {
			make.change(object)
		}
		errs := recovered(func() field.ErrorList {
			if isUpdate {
				return validator.ValidateUpdate(t.Context(), internal(t, object), internal(t, old))
			}
			return validator.Validate(t.Context(), internal(t, object))
		})
		m.add(errs, unstructured(t, object), unstructured(t, old))
		if len(errs) == 0 && len(starts) < 200 {
			starts = append(starts, object)
		}
	}
	return m
}

// add counts what one object says.
func (m *measure) add(errs field.ErrorList, object, old any) {
	values := map[string]any{"self": object, "oldSelf": old}
	isTrue := map[int]bool{}
	example := func() string {
		return fmt.Sprintf("errors: %v\n  object: %s\n  old: %s", errs, jsonOf(object), jsonOf(old))
	}
	for i, program := range m.programs {
		if program == nil {
			continue
		}
		out, _, err := program.Eval(values)
		if err != nil {
			m.wrong[i] = fmt.Sprintf("%v\n  %s", err, example())
			continue
		}
		isTrue[i] = out.Value() == true
		made := slices.ContainsFunc(errs, func(err *field.Error) bool { return makes(m.sites[i], err) })
		switch {
		case isTrue[i] && made:
			m.both[i]++
		case isTrue[i] && len(errs) == 0:
			m.wrong[i] = "true without an error: " + example()
		case !isTrue[i] && !made:
			m.neither[i]++
		}
	}
	for _, err := range errs {
		if isOfTemplate(err.Field) {
			continue
		}
		var candidates []int
		isOpen := false
		for i, site := range m.sites {
			if makes(site, err) {
				candidates = append(candidates, i)
				isOpen = isOpen || m.programs[i] == nil || isTrue[i]
			}
		}
		if len(candidates) == 0 && len(m.unexplained) < 20 {
			what := fmt.Sprintf("%s %s %q", err.Type, index.ReplaceAllString(err.Field, "[*]"), err.Detail)
			if !slices.Contains(m.unexplained, what) {
				m.unexplained = append(m.unexplained, what)
			}
		}
		if !isOpen {
			for _, i := range candidates {
				m.wrong[i] = "false with the error " + err.Error() + ": " + example()
			}
		}
	}
}

// typesOf are the types of the errors that constructors make.
var typesOf = map[string]field.ErrorType{
	"Duplicate": field.ErrorTypeDuplicate, "Forbidden": field.ErrorTypeForbidden, "InternalError": field.ErrorTypeInternal,
	"Invalid": field.ErrorTypeInvalid, "NotFound": field.ErrorTypeNotFound, "NotSupported": field.ErrorTypeNotSupported,
	"Required": field.ErrorTypeRequired, "TooLong": field.ErrorTypeTooLong, "TooMany": field.ErrorTypeTooMany,
	"TypeInvalid": field.ErrorTypeTypeInvalid,
}

// makes reports whether an error may be one of a site.
func makes(site read.Site, err *field.Error) bool {
	if of, ok := typesOf[site.Type]; ok && of != err.Type {
		return false
	}
	if site.Field != "" && site.Field != index.ReplaceAllString(err.Field, "[*]") {
		return false
	}
	rest := err.Detail
	if site.Type == "NotSupported" || site.Text == "" {
		return true
	}
	for _, part := range strings.Split(site.Text, "…") {
		_, after, has := strings.Cut(rest, part)
		if !has {
			return false
		}
		rest = after
	}
	return true
}

// internal returns an object as its internal type.
func internal(t *testing.T, object runtime.Object) runtime.Object {
	t.Helper()
	gvk := object.GetObjectKind().GroupVersionKind()
	made, err := legacyscheme.Scheme.ConvertToVersion(object.DeepCopyObject(), schema.GroupVersion{
		Group: gvk.Group, Version: runtime.APIVersionInternal})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// startsOf returns the objects of a kind in testdata.
func startsOf(t *testing.T, kind string) (all []runtime.Object) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "kubernetes", strings.ToLower(kind)+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range strings.Split(string(content), "\n---\n") {
		object, _, err := legacyscheme.Codecs.UniversalDeserializer().Decode([]byte(document), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, object)
	}
	return all
}
