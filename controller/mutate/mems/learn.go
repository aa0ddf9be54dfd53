package mems

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// learn merges a repeated save with the same words into a mem: new tags and
// cues, because an author who is advised to add cues saves everything again,
// and evidence if the mem has none.
func (s *Saved) learn(said *resources.Mem, w View) error {
	spec := &s.Mem.Spec
	spec.Tags = addNew(spec.Tags, said.Spec.Tags)
	if more := said.Spec.AppliesWhen; more != nil {
		if spec.AppliesWhen == nil {
			spec.AppliesWhen = &resources.AppliesWhen{}
		}
		when := spec.AppliesWhen
		when.Paths, when.Symbols, when.Tags = addNew(when.Paths, more.Paths), addNew(when.Symbols, more.Symbols), addNew(when.Tags, more.Tags)
		if cues := addNew(when.Cues, more.Cues); len(cues) > len(when.Cues) {
			when.Cues = cues[:max(len(when.Cues), min(len(cues), MostCues))]
		}
	}
	if topic := said.Spec.TopicKey; topic != "" && memory.NormalTopic(topic) != memory.NormalTopic(spec.TopicKey) {
		s.Notes = append(s.Notes, fmt.Sprintf("mem/%s has the same content and keeps topic %q: %q is not saved", s.Mem.Metadata.Name, spec.TopicKey, topic))
	}
	if dropped := dropped(spec.Evidence, said.Spec.Evidence); len(spec.Evidence) > 0 && len(dropped) > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("mem/%s has the same content and keeps its evidence: %s is not saved; add it with idumb edit mem %s", s.Mem.Metadata.Name, strings.Join(dropped, ", "), s.Mem.Metadata.Name))
	}
	if len(spec.Evidence) > 0 || len(said.Spec.Evidence) == 0 {
		return nil
	}
	err := s.cite(said, w)
	spec.Evidence = said.Spec.Evidence
	return err
}

// dropped returns the citations and notes of more that are not in kept.
func dropped(kept, more []resources.MemEvidence) (lost []string) {
	text := func(e resources.MemEvidence) string { return cmp.Or(e.Cites(), e.Note) }
	for _, e := range more {
		if !slices.ContainsFunc(kept, func(k resources.MemEvidence) bool { return text(k) == text(e) }) {
			lost = append(lost, text(e))
		}
	}
	return lost
}

// addNew adds the words to a list that it does not contain, ignoring case.
func addNew(list, more []string) []string {
	for _, word := range more {
		if !slices.ContainsFunc(list, func(there string) bool { return strings.EqualFold(there, word) }) {
			list = append(list, word)
		}
	}
	return list
}

// FewestCues and MostCues are the recommended minimum and maximum number of cue
// phrases of a mem.
const (
	FewestCues = 3
	MostCues   = 8
)

// CueAdvice is the advice for saving a mem without cues.
const CueAdvice = "tip: add 3 to 8 cue phrases in words that a later task will use, so that the mem is found"
