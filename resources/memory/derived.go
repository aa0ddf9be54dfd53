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

// AnnotationSourceLost is the time at which the source commit of a mem was found to be on
// no branch, without an equivalent commit. The mem is then suspect until it is confirmed.
// The value is in RFC 3339 format.
const AnnotationSourceLost = resources.Group + "/source-lost"

// lostAt returns when the source of a mem was found to be lost, and whether it is lost.
func lostAt(m *resources.Mem) (time.Time, bool) {
	text, lost := m.Metadata.Annotations[AnnotationSourceLost]
	if !lost {
		return time.Time{}, false
	}
	at, _ := time.Parse(time.RFC3339, text) // a malformed time counts as long ago
	return at, true
}

const (
	maxDerivedText  = 2000 // limits of a derived mem, in characters
	maxDerivedTitle = 100
)

// OfTask derives a mem from a completed task: the result and the written files.
// It returns nil if the result contains no new information (isInformative), or
// if the spec does not prove completion without checkpoints. All clones have
// the spec, but checkpoints are local to a machine.
func OfTask(t *resources.Task) *resources.Mem {
	result, name := cmp.Or(t.Spec.Result, &resources.TaskResult{}), t.Metadata.Name
	if !isInformative(t, result) || !status.TaskDone(t, nil) {
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

// appliesTo returns the files as patterns, or nil. It omits names with special characters
// of patterns.
func appliesTo(files []string) *resources.AppliesWhen {
	var paths []string
	for _, file := range files {
		if len(paths) < maxSynthesized && file != "" && !strings.ContainsAny(file, `*?[]{}\`) && resources.OutsideReason(file) == "" {
			paths = append(paths, file)
		}
	}
	if paths == nil {
		return nil
	}
	return &resources.AppliesWhen{Paths: paths}
}

// OfAnchor derives a mem from an anchor of type decision. It returns nil for other anchors.
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

// OfDecision derives a mem from an accepted decision: the choice and its reason. The mem
// replaces the mem of the superseded decision, if there is one. It returns nil for
// decisions in other states.
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

// qualified returns the related objects of an anchor in the notation of mems.
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

// OfCommit derives a mem from a commit with a relevant message
// (CommitNote.Telling). It returns nil for other commits. The name depends on
// the message only, so that a rebased or cherry-picked commit has the same mem.
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

// derivedMem returns a mem that is named after its source. The parts contain the source's
// data.
func derivedMem(kind, name string, parts ...string) *resources.Mem {
	m := resources.New[*resources.Mem](resources.Mems, DerivedName(kind, name))
	m.Spec.Source = kind + "/" + name
	m.Metadata.UID = resources.DerivedUID(m.Key())
	m.Metadata.Annotations = map[string]string{resources.AnnotationSourceDigest: digestOf(parts...)[:digestLength]}
	return m
}

// DerivedName returns the name of the mem of a task, an anchor, a decision or a commit.
func DerivedName(kind, name string) string {
	name = "mem-" + kind + "-" + name
	if len(name) > resources.MaxNameLength-2*digestLength {
		name = name[:resources.MaxNameLength-2*digestLength] + "-" + digestOf(name)[:digestLength]
	}
	return name
}

// IsOfCommit reports whether a name is the name of a commit's mem.
func IsOfCommit(name string) bool { return strings.HasPrefix(name, DerivedName("commit", "")) }

// IsDerivedName reports whether a name is the name of a derived mem of a task, an anchor, a
// decision or a commit.
func IsDerivedName(name string) bool {
	return strings.HasPrefix(name, "mem-task-") || strings.HasPrefix(name, "mem-anchor-") || strings.HasPrefix(name, "mem-decision-") || strings.HasPrefix(name, "mem-commit-")
}

// digestLength is the number of hex digits of digests in names.
const digestLength = 12

// digestOf returns the SHA-256 of texts in hexadecimal. Texts that are split differently have
// different digests.
func digestOf(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d\n%s\n", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// shortened returns valid UTF-8 text of at most most characters.
func shortened(text string, most int) string {
	return resources.Shortened(strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")), most, "...")
}

// titleOf returns the first line of a text as a title.
func titleOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return shortened(line, maxDerivedTitle)
}
