package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// AnnotationSourceLost says of a mem that was made of a commit since when no branch leads to
// that commit any more, and to none in its place: such a mem is suspect until somebody
// confirms it. The value is an RFC 3339 time.
const AnnotationSourceLost = resources.Group + "/source-lost"

// lostAt is when the source of a mem was found to be lost, and whether it was.
func lostAt(m *resources.Mem) (time.Time, bool) {
	text, lost := m.Metadata.Annotations[AnnotationSourceLost]
	if !lost {
		return time.Time{}, false
	}
	at, _ := time.Parse(time.RFC3339, text) // what is no time is long ago
	return at, true
}

const (
	maxDerivedText  = 2000 // characters of a mem that is made of something else
	maxDerivedTitle = 100
)

// OfTask makes a mem of a task that is done: what came out, and which files were written. nil if
// its result says nothing that the task did not (see telling), or if it is not done by what
// its spec says: every clone has that, and the checkpoints are of one machine.
func OfTask(t *resources.Task) *resources.Mem {
	result, name := cmp.Or(t.Spec.Result, &resources.TaskResult{}), t.Metadata.Name
	if !telling(t, result) || !status.TaskDone(t, nil) {
		return nil
	}
	files := slices.Clone(result.FilesModified)
	slices.Sort(files)
	files = slices.Compact(files)
	m := derivedMem("task", name, t.Spec.Title, t.Spec.ExpectedOutput, result.Evidence, result.TestsRun, strings.Join(result.FilesModified, "\n"))
	m.Metadata.CreationTimestamp = t.Metadata.CreationTimestamp
	m.Spec.Type, m.Spec.OriginTask = "insight", name
	m.Spec.Title = shortened(cmp.Or(t.Spec.Title, name), maxDerivedTitle)
	m.Spec.Content = shortened(strings.TrimSpace(result.Evidence), maxDerivedText)
	if len(files) > 0 {
		m.Spec.Content = shortened(m.Spec.Content+"\nFiles written: "+resources.Listed(files, maxSynthesized, ", "), maxDerivedText)
	}
	m.Spec.AppliesWhen = appliesTo(files)
	for _, anchor := range result.AnchorsCreated {
		m.Spec.RelatedTo = append(m.Spec.RelatedTo, "anchor/"+anchor)
	}
	return m
}

// appliesTo are the files as patterns; nil for none. A name that would be read as a
// pattern is left out.
func appliesTo(files []string) *resources.AppliesWhen {
	var paths []string
	for _, file := range files {
		if len(paths) < maxSynthesized && file != "" && !strings.ContainsAny(file, `*?[]{}\`) && resources.Outside(file) == "" {
			paths = append(paths, file)
		}
	}
	if paths == nil {
		return nil
	}
	return &resources.AppliesWhen{Paths: paths}
}

// OfAnchor makes a mem of an anchor of type decision; nil for any other.
func OfAnchor(a *resources.Anchor) *resources.Mem {
	if resources.AnchorType(a) != "decision" {
		return nil
	}
	m := derivedMem("anchor", a.Metadata.Name, a.Spec.Content)
	m.Metadata.CreationTimestamp = a.Metadata.CreationTimestamp
	m.Spec.Type, m.Spec.Content = "decision", shortened(a.Spec.Content, maxDerivedText)
	m.Spec.Title = titleOf(a.Spec.Content)
	m.Spec.RelatedTo = append([]string{"anchor/" + a.Metadata.Name}, qualified(a)...)
	m.Spec.Critical = a.Spec.Priority == "critical"
	if source := a.Spec.Source; source != nil {
		m.Spec.OriginTask = source.Task
		if source.File != "" {
			m.Spec.Evidence = []resources.MemEvidence{{Path: source.File, SHA256: source.SHA256}}
			m.Spec.AppliesWhen = appliesTo([]string{source.File})
		}
	}
	return m
}

// OfDecision makes a mem of a decision that is accepted: what was chosen, and why. It takes the place
// of the mem of the decision that this one replaces, if that has one. nil for any other.
func OfDecision(d *resources.Decision, hasMem func(decision string) bool) *resources.Mem {
	if resources.DecisionState(d) != resources.DecisionAccepted {
		return nil
	}
	spec := &d.Spec
	m := derivedMem("decision", d.Metadata.Name, spec.Title, spec.Chosen, spec.Because, strings.Join(spec.Uses, "\n"), strings.Join(spec.Avoids, "\n"), spec.Supersedes)
	m.Metadata.CreationTimestamp = d.Metadata.CreationTimestamp
	m.Spec.Type, m.Spec.Title = "decision", shortened(spec.Title, maxDerivedTitle)
	m.Spec.RecordedAt = spec.DecidedAt
	lines := []string{spec.Title}
	for _, part := range [...][2]string{{"Chosen: ", spec.Chosen}, {"Because: ", spec.Because}, {"Uses: ", resources.Listed(spec.Uses, maxSynthesized, ", ")}, {"Avoids: ", resources.Listed(spec.Avoids, maxSynthesized, ", ")}} {
		if part[1] != "" {
			lines = append(lines, part[0]+part[1])
		}
	}
	m.Spec.Content = shortened(strings.Join(lines, "\n"), maxDerivedText)
	m.Spec.Evidence = spec.Evidence
	if len(spec.Paths) > 0 {
		m.Spec.AppliesWhen = &resources.AppliesWhen{Paths: spec.Paths}
	}
	if old := spec.Supersedes; old != "" && hasMem(old) {
		m.Spec.Supersedes, m.Spec.SupersedeReason = DerivedName("decision", old), shortened(spec.Because, maxDerivedText)
	}
	return m
}

// qualified is what an anchor is related to, as a mem has to write it.
func qualified(a *resources.Anchor) []string {
	var list []string
	for _, key := range resources.RelatedKeys(a) {
		word := key.Kind
		if k, ok := resources.KindOf(key.Kind); ok {
			word = k.Singular
		}
		list = append(list, word+"/"+key.Name)
	}
	return list
}

// OfCommit makes a mem of a commit whose message says something that is worth
// remembering (see ReadCommit); nil for any other. It is named after the message, so that
// a commit that was rebased or picked makes no second one.
func OfCommit(c Commit) *resources.Mem {
	n := ReadCommit(c.Message)
	if !n.Telling() {
		return nil
	}
	sum := digestOf(strings.TrimSpace(c.Message))
	m := derivedMem("commit", sum[:12], c.Message)
	m.Spec.Source = "commit/" + c.ID[:min(12, len(c.ID))]
	m.Spec.RecordedAt, m.Metadata.CreationTimestamp = c.Time, c.Time
	m.Spec.AppliesWhen = appliesTo(slices.DeleteFunc(slices.Clone(c.Files), func(file string) bool { return strings.HasPrefix(file, ".idumb/") }))
	m.Spec.Type = "codebase-fact"
	m.Spec.Title = shortened(n.Subject, maxDerivedTitle)
	lines := []string{n.Subject}
	if n.Decision != "" {
		m.Spec.Type, lines = "decision", []string{n.Decision}
	}
	if n.Scope != "" && len(n.Scope) <= maxDerivedTitle {
		m.Spec.Tags = append(m.Spec.Tags, n.Scope)
	}
	if n.Breaking != "" {
		m.Spec.Type, m.Spec.Tags = "decision", append(m.Spec.Tags, "breaking-change")
		lines = append(lines, "BREAKING CHANGE: "+n.Breaking)
	}
	if n.Body != "" {
		lines = append(lines, n.Body)
	}
	m.Spec.Content = shortened(strings.Join(lines, "\n"), maxDerivedText)
	if len(n.Tasks) > 0 {
		m.Spec.OriginTask = n.Tasks[0]
	}
	for _, task := range n.Tasks {
		m.Spec.RelatedTo = append(m.Spec.RelatedTo, "task/"+task)
	}
	return m
}

// derivedMem is a mem that is named after its source; parts are what the source says.
func derivedMem(kind, name string, parts ...string) *resources.Mem {
	m := resources.New[*resources.Mem](resources.Mems, DerivedName(kind, name))
	m.Spec.Source = kind + "/" + name
	m.Metadata.UID = resources.DerivedUID(m.Key())
	m.Metadata.Annotations = map[string]string{resources.AnnotationSourceDigest: digestOf(parts...)[:digestLength]}
	return m
}

// DerivedName is the name of the mem that a task, an anchor, a decision or a commit makes.
func DerivedName(kind, name string) string {
	name = "mem-" + kind + "-" + name
	if len(name) > resources.MaxNameLength-2*digestLength {
		name = name[:resources.MaxNameLength-2*digestLength] + "-" + digestOf(name)[:digestLength]
	}
	return name
}

// IsOfCommit reports whether a name is that of the mem of a commit.
func IsOfCommit(name string) bool { return strings.HasPrefix(name, DerivedName("commit", "")) }

// IsDerivedName reports whether a name is one that a mem bears which was made of a task, an
// anchor, a decision or a commit, for who has no more of it than the name.
func IsDerivedName(name string) bool {
	return strings.HasPrefix(name, "mem-task-") || strings.HasPrefix(name, "mem-anchor-") || strings.HasPrefix(name, "mem-decision-") || strings.HasPrefix(name, "mem-commit-")
}

// digestLength is how many hex digits of a digest names carry.
const digestLength = 12

func digestOf(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d\n%s\n", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// shortened is a text that has to be valid, of at most so many characters.
func shortened(text string, most int) string {
	return resources.Shortened(strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")), most, "...")
}

// titleOf is the first line of a text, if that is short enough for a title.
func titleOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return shortened(line, maxDerivedTitle)
}
