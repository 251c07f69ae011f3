package upgrading

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// counts says how much was read from files.
type counts struct {
	kinds map[schema.GroupKind]int
	lines int // of audit logs and other files of lines
}

// add counts an object.
func (c *counts) add(object map[string]any) {
	version, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	of, err := schema.ParseGroupVersion(version)
	if kind == "" || err != nil {
		return
	}
	if c.kinds == nil {
		c.kinds = map[schema.GroupKind]int{}
	}
	c.kinds[schema.GroupKind{Group: of.Group, Kind: kind}]++
}

// Counted says what was read from files, one line each: how much, and what no release has validators for. It is known before a
// release is built, which takes minutes.
func (f *Flags) Counted() []string {
	if f.counts.lines > 0 {
		return append([]string{fmt.Sprintf("read %s of requests", plaintext.Count(f.counts.lines, "line"))}, f.counts.texts()...)
	}
	return f.counts.texts()
}

func (c counts) texts() []string {
	builtIn := map[string]bool{}
	for _, kind := range kubernetes.Kinds() {
		builtIn[kind.Group] = true
	}
	objects, others := 0, []string(nil)
	for _, kind := range slices.SortedFunc(maps.Keys(c.kinds), func(a, b schema.GroupKind) int {
		return strings.Compare(a.String(), b.String())
	}) {
		objects += c.kinds[kind]
		if !builtIn[kind.Group] {
			others = append(others, fmt.Sprintf("%d %s", c.kinds[kind], kind))
		}
	}
	if objects == 0 {
		return nil
	}
	texts := []string{fmt.Sprintf("read %s of %s", plaintext.Count(objects, "object"), plaintext.Count(len(c.kinds), "kind"))}
	if len(others) > 0 {
		texts = append(texts, "not judged, because no release of Kubernetes has validators for them: "+strings.Join(others, ", ")+
			"; compare two releases of a definition with \"diffrun schema compare\"")
	}
	return texts
}
