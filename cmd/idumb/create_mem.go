package main

import (
	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/resources"
)

// memFlags are the flags of create mem.
func memFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.MemSpec)
	var confidence int
	f.StringVar(&spec.Content, "content", "", "what was learnt; for a false path: AVOID x BECAUSE y INSTEAD z (required)")
	f.StringVar(&spec.Title, "title", "", "a short name for people")
	f.StringVar(&spec.Type, "type", "", "insight (default), false_path, architecture, decision, pattern, tech-stack, research, codebase-fact, convention or gotcha")
	f.StringVar(&spec.Shelf, "shelf", "", "a group to keep it in")
	f.StringSliceVar(&spec.Tags, "tags", nil, "words to find it by: a,b")
	f.StringVar(&spec.OriginTask, "task", "", "the task in which it was learnt")
	f.StringVar(&spec.Parent, "parent", "", "the mem that this one refines")
	f.StringVar(&spec.Supersedes, "supersedes", "", "the mem that this one replaces")
	f.StringSliceVar(&spec.RelatedTo, "related-to", nil, "other objects: NAME of a mem, or KIND/NAME")
	evidence := f.StringArray("evidence", nil, "what shows that it is so; may be given several times")
	f.IntVar(&confidence, "confidence", 80, "how sure you are, 0 to 100")
	f.StringVar(&spec.StaleAfter, "stale-after", "", "how slowly it fades: 720h (default), or 1440h for a false path")
	f.StringVar(&spec.Source, "source", "", "where it comes from")
	f.BoolVar(&spec.Pinned, "pinned", false, "does not fade")
	return func() error {
		for _, note := range *evidence {
			spec.Evidence = append(spec.Evidence, resources.MemEvidence{Note: note})
		}
		if f.Changed("confidence") {
			spec.Confidence = &confidence
		}
		return nil
	}
}
