package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/cmd/internal/memory"
	"github.com/idumb-dev/idumb/cmd/internal/mutate"
	"github.com/idumb-dev/idumb/resources"
)

// memFlags are the flags of create mem and mem save.
func memFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.MemSpec)
	var confidence int
	var when resources.AppliesWhen
	f.StringVar(&spec.Content, "content", "", "what was learnt; for a false path: AVOID x BECAUSE y INSTEAD z (required)")
	f.StringVar(&spec.Title, "title", "", "a short name for people")
	f.StringVar(&spec.Type, "type", "", "insight (default), false_path, architecture, decision, pattern, tech-stack, research, codebase-fact, convention or gotcha")
	f.StringVar(&spec.TopicKey, "topic", "", "what it is about: of one topic one mem holds, and the next one replaces it")
	f.StringVar(&spec.Shelf, "shelf", "", "a group to keep it in")
	f.StringSliceVar(&spec.Tags, "tags", nil, "words to find it by: a,b")
	f.StringArrayVar(&when.Cues, "cue", nil, "a phrase in the words of a later task that needs it; three to eight of them")
	f.StringArrayVar(&when.Paths, "path", nil, "files that it is about, as a pattern; may be given several times")
	f.StringArrayVar(&when.Symbols, "symbol", nil, "a function, type, setting or error that it is about; may be given several times")
	f.StringArrayVar(&when.Tags, "task-tag", nil, "a label or tag of tasks that need it; may be given several times")
	f.StringVar(&spec.OriginTask, "task", "", "the task in which it was learnt")
	f.StringVar(&spec.Parent, "parent", "", "the mem that this one refines")
	f.StringVar(&spec.Supersedes, "supersedes", "", "the mem that this one replaces")
	f.StringSliceVar(&spec.RelatedTo, "related-to", nil, "other objects: NAME of a mem, or KIND/NAME")
	evidence := f.StringArray("evidence", nil, "what shows that it is so: FILE, FILE#SECTION, or a note; may be given several times")
	f.IntVar(&confidence, "confidence", 80, "how sure you are, 0 to 100")
	f.StringVar(&spec.StaleAfter, "stale-after", "", "stale so long after nobody confirmed it, such as 720h")
	f.StringVar(&spec.Source, "source", "", "where it comes from")
	f.BoolVar(&spec.Pinned, "pinned", false, "does not fade")
	f.BoolVar(&spec.Critical, "critical", false, "does not fade, and goes before others into a context")
	f.SetNormalizeFunc(tagOrTags)
	return func() error {
		for _, note := range *evidence {
			spec.Evidence = append(spec.Evidence, resources.MemEvidence{Note: note})
		}
		if len(when.Cues)+len(when.Paths)+len(when.Symbols)+len(when.Tags) > 0 {
			spec.AppliesWhen = &when
		}
		if f.Changed("confidence") {
			spec.Confidence = &confidence
		}
		return nil
	}
}

// tagOrTags lets --tag stand for --tags: whoever writes one word writes the one, whoever
// writes several the other.
func tagOrTags(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "tag" {
		name = "tags"
	}
	return pflag.NormalizedName(name)
}

// createMem creates a mem under its own name: a revision of the mem that has its topic.
func (a *app) createMem(c *cobra.Command, w *writeFlags, repo mutate.Repo, m *resources.Mem) error {
	a.citeFromFolder(m)
	result, saved, err := repo.SaveMem(c.Context(), m, memory.Keep)
	if err != nil {
		return err
	}
	for _, note := range saved.Notes {
		a.errf("Warning: %s\n", note)
	}
	if saved.What == memory.Revision && m.Spec.Supersedes == "" {
		a.errf("it takes the place of mem/%s\n", saved.Other)
	}
	a.echoUID(w, result.After)
	return a.echo(w, result.After, mutate.Created)
}
