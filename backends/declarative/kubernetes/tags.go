package kubernetes

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/harness"
)

// TagsName is the name of the backends of schemas made from upstream's tags.
const TagsName = "tags"

// TagVariant is a bundled set of schemas made from upstream's tags: how the tags were read, and the
// sets that contain its files that are the same there.
type TagVariant struct {
	Name string
	idl.Reading
	like []string
}

// TagVariants lists the bundled sets.
func TagVariants() []TagVariant {
	return []TagVariant{
		{"alpha", idl.Reading{Stage: idl.StageAlpha}, nil},
		{"gated", idl.Reading{Stage: idl.StageAlpha, Options: TagOptions()}, []string{"alpha"}},
		{"beta", idl.Reading{Stage: idl.StageBeta}, []string{"alpha"}},
		{"stable", idl.Reading{Stage: idl.StageStable}, []string{"beta", "alpha"}},
		{"gated-beta", idl.Reading{Stage: idl.StageBeta, Options: TagOptions()}, []string{"gated", "beta", "alpha"}},
		{"gated-stable", idl.Reading{Stage: idl.StageStable, Options: TagOptions()}, []string{"gated-beta", "gated", "beta", "alpha"}},
	}
}

// Like lists the sets that the variant shares files with.
func (v TagVariant) Like() []string { return v.like }

// TagOptions returns the options of +k8s:ifEnabled and +k8s:ifDisabled in k8s.io/api. They are
// names of feature gates.
func TagOptions() []string {
	var all []string
	for _, options := range optionsByGroup() {
		all = append(all, options...)
	}
	slices.Sort(all)
	return all
}

func optionsByGroup() map[string][]string {
	return map[string][]string{
		"autoscaling":       {"HPAScaleToZero"},
		"":                  {"InPlacePodVerticalScalingSchedulerPreemption"},
		"batch":             {"WorkloadWithJob"},
		"resource.k8s.io":   {"DRAPartitionableDevicesType"},
		"scheduling.k8s.io": {"CompositePodGroup", "PodGroupPreemptionPolicy", "TopologyAwareWorkloadScheduling"},
	}
}

// Tags has the schemas of one stage that are made from upstream's tags alone.
type Tags struct{ plain, gated *Backends }

// NewTags returns a set of backends that are compiled on first use.
func NewTags(stage idl.Stage) *Tags {
	var made Tags
	for _, variant := range TagVariants() {
		switch {
		case variant.Stage == stage && len(variant.Options) == 0:
			made.plain = newBackends(newLibrary(allTagged(), variant.folders()...), TagsName)
		case variant.Stage == stage:
			made.gated = newBackends(newLibrary(allTagged(), variant.folders()...), TagsName)
		}
	}
	return &made
}

func (v TagVariant) folders() []string {
	folders := []string{"tags/" + v.Name}
	for _, other := range v.like {
		folders = append(folders, "tags/"+other)
	}
	return folders
}

// Backend returns the backend of a kind for the enabled options. The bundled schemas have none or all
// of the options of a group. It returns ErrUnknownKind for a kind that [TaggedKinds] does not list.
func (t *Tags) Backend(gvk schema.GroupVersionKind, enabled []string) (harness.Backend, error) {
	options := optionsByGroup()[gvk.Group]
	on := 0
	for _, option := range options {
		if slices.Contains(enabled, option) {
			on++
		}
	}
	switch {
	case on == 0:
		return t.plain.Backend(gvk)
	case on == len(options):
		return t.gated.Backend(gvk)
	}
	return nil, fmt.Errorf("the bundled schemas of the tags of %s are made with all of the options %s or with none; "+
		"enable all of these feature gates, or none", gvk.GroupVersion(), strings.Join(options, ", "))
}

// TaggedKinds lists the kinds whose types have tags.
func TaggedKinds() []schema.GroupVersionKind { return kindsOf(allTagged()) }

// TaggedPackage returns the import path of a kind of TaggedKinds.
func TaggedPackage(gvk schema.GroupVersionKind) string { return packageOf(allTagged(), gvk) }
