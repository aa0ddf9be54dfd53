package mems

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// learn adds to a mem what somebody said of it who saved the same words again: tags and cues,
// since whoever is told that there are too few says it all once more; and what shows it, if
// nothing did.
func (s *Saved) learn(said *resources.Mem, w View) error {
	spec := &s.Mem.Spec
	spec.Tags = withNew(spec.Tags, said.Spec.Tags)
	if more := said.Spec.AppliesWhen; more != nil {
		if spec.AppliesWhen == nil {
			spec.AppliesWhen = &resources.AppliesWhen{}
		}
		when := spec.AppliesWhen
		when.Paths, when.Symbols, when.Tags = withNew(when.Paths, more.Paths), withNew(when.Symbols, more.Symbols), withNew(when.Tags, more.Tags)
		if cues := withNew(when.Cues, more.Cues); len(cues) > len(when.Cues) {
			when.Cues = cues[:max(len(when.Cues), min(len(cues), MostCues))]
		}
	}
	if len(spec.Evidence) > 0 || len(said.Spec.Evidence) == 0 {
		return nil
	}
	err := s.cite(said, w)
	spec.Evidence = said.Spec.Evidence
	return err
}

// withNew is a list with those words of another one that it does not have in any case.
func withNew(list, more []string) []string {
	for _, word := range more {
		if !slices.ContainsFunc(list, func(there string) bool { return strings.EqualFold(there, word) }) {
			list = append(list, word)
		}
	}
	return list
}

// FewestCues and MostCues are how many cue phrases a mem should have.
const (
	FewestCues = 3
	MostCues   = 8
)

// CueAdvice is what whoever saved a mem without them is told.
const CueAdvice = "tip: 3 to 8 cue phrases, in the words that a later task will use, are what a mem is found by"
