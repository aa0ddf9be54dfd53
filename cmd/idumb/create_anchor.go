package main

import (
	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/resources"
)

// anchorFlags are the flags of create anchor.
func anchorFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.AnchorSpec)
	var source resources.AnchorSource
	f.StringVar(&spec.Content, "content", "", "what is to be remembered (required)")
	f.StringVar(&spec.Type, "type", "", "decision, context (default), checkpoint or attention")
	f.StringVar(&spec.Priority, "priority", "", "critical, high, medium, normal (default) or low")
	f.StringVar(&source.File, "file", "", "a file of the repository that it is about; it turns stale when that changes")
	f.IntVar(&source.Line, "line", 0, "a line in --file")
	f.StringVar(&source.SHA256, "sha256", "", "of --file now, so that only a change of its content counts")
	f.StringVar(&source.Task, "task", "", "a task that it is about; it turns stale when that ends")
	f.StringSliceVar(&spec.RelatedTo, "related-to", nil, "other objects: NAME of an anchor, or KIND/NAME")
	f.BoolVar(&spec.Pinned, "pinned", false, "never stale by time alone")
	return func() error {
		if source != (resources.AnchorSource{}) {
			spec.Source = &source
		}
		return nil
	}
}
