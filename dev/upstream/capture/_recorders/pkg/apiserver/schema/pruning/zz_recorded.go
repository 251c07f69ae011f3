package pruning

import (
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/recording"
)

func PruneWithOptions(obj interface{}, s *structuralschema.Structural, isResourceRoot bool,
	opts structuralschema.UnknownFieldPathOptions) []string {
	r := recording.Start("Prune").Object(obj).Flag("root", isResourceRoot).Flag("paths", opts.TrackUnknownFieldPaths)
	if s != nil {
		r.Schema(s.Recorded())
	}
	paths := unrecordedPruneWithOptions(obj, s, isResourceRoot, opts)
	r.After(obj).Paths(paths).Write()
	return paths
}
