package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// The spec.source of mems that the program created: from exports, and by onboarding.
const (
	SourceExports    = "exports"
	SourceOnboarding = "idumb onboard"
)

// isMachineMade reports whether the program created a mem. Its confidence is low, but the mem is fresh
// until its evidence changes or time passes: its forgetting curve starts at config.memFadingBelow or
// above.
func isMachineMade(m *resources.Mem) bool {
	return m.Spec.Source == SourceExports || m.Spec.Source == SourceOnboarding
}

const (
	synthesisPrefix = "mem-exports-"
	maxSynthesized  = 20 // limit of the files in a mem

	// The confidence of a finding of one session, the increment for each further session
	// with the same finding, and the maximum. The maximum is below the default of
	// config.memFadingBelow, because no user reviewed the finding.
	confidenceOfOne  = 30
	confidenceOfMore = 10
	confidenceMost   = 50
)

// IsSynthesisName reports whether a name is the name of a mem that was synthesized from
// exports.
func IsSynthesisName(name string) bool { return strings.HasPrefix(name, synthesisPrefix) }

// Unsaved reports whether a mem was synthesized from exports and was not confirmed or
// pinned yet.
func Unsaved(m *resources.Mem) bool {
	return m.Spec.Source == SourceExports && len(m.Spec.Confirmations) == 0 && !m.Spec.Pinned
}

// ListsOnly reports whether a mem was synthesized by an earlier release. Those mems only
// contain lists of files and commands, which are not useful knowledge.
func ListsOnly(m *resources.Mem) bool {
	return Unsaved(m) && strings.HasPrefix(m.Spec.Title, "What ") && strings.HasSuffix(m.Spec.Title, " sessions did")
}

// Synthesize creates a mem from the findings in exports, without duplicates, with links to
// the exports and tasks. It returns nil if there are no findings. It does not use a
// language model: the same exports always produce the same mem, including name and dates,
// in any order. names contains the file names of the exports, in the same order. known
// reports whether a finding is already recorded.
func Synthesize(exports []*Export, names []string, known func(finding string) bool) *resources.Mem {
	found := gather(exports, names, known)
	if len(found) == 0 {
		return nil
	}
	sum := sha256.Sum256([]byte(strings.Join(slices.Sorted(slices.Values(names)), "\n")))
	m := resources.New[*resources.Mem](resources.Mems, synthesisPrefix+hex.EncodeToString(sum[:6]))
	m.Metadata.UID = resources.DerivedUID(m.Key())
	m.Spec = resources.MemSpec{Type: "insight", Title: titleOf(found[0].text), Tags: []string{"sessions"}, Source: SourceExports, Content: contentOf(found)}
	sources, tasks := map[string]bool{}, map[string]bool{}
	sure := confidenceMost
	for _, f := range found {
		maps.Copy(sources, f.files)
		maps.Copy(tasks, f.tasks)
		sure = min(sure, confidenceOfOne+confidenceOfMore*(len(f.sessions)-1))
		if m.Metadata.CreationTimestamp.Before(f.newest.Time) {
			m.Metadata.CreationTimestamp = f.newest
		}
	}
	m.Spec.Confidence = &sure
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		m.Spec.Evidence = append(m.Spec.Evidence, resources.MemEvidence{Note: "stated in the export " + name})
	}
	for _, task := range slices.Sorted(maps.Keys(tasks)) {
		m.Spec.RelatedTo = append(m.Spec.RelatedTo, "task/"+task)
	}
	if len(m.Spec.RelatedTo) == 1 {
		m.Spec.OriginTask = strings.TrimPrefix(m.Spec.RelatedTo[0], "task/")
	}
	return m
}

// finding is a finding of one or more sessions.
type finding struct {
	text     string // its shortest wording
	sessions map[string]bool
	files    map[string]bool // export files
	tasks    map[string]bool
	newest   resources.Time
}

// gather merges the findings of exports that are not known, sorted by the
// number of sessions, then by time, latest first. It returns at most
// maxFindings.
func gather(exports []*Export, names []string, known func(string) bool) []finding {
	merged := map[string]*finding{}
	for i, e := range exports {
		for _, text := range e.findings() {
			key := findingKey(text)
			f := merged[key]
			if f == nil {
				f = &finding{text: text, sessions: map[string]bool{}, files: map[string]bool{}, tasks: map[string]bool{}}
				merged[key] = f
			}
			// The shortest text represents all of them.
			if len(text) < len(f.text) || len(text) == len(f.text) && text < f.text {
				f.text = text
			}
			f.sessions[e.Record], f.files[names[i]] = true, true
			if e.Task != "" {
				f.tasks[e.Task] = true
			}
			if f.newest.Before(e.ExportedAt.Time) {
				f.newest = e.ExportedAt
			}
		}
	}
	var found []finding
	for _, key := range slices.Sorted(maps.Keys(merged)) {
		if f := merged[key]; !known(f.text) {
			found = append(found, *f)
		}
	}
	slices.SortStableFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(len(b.sessions), len(a.sessions)), b.newest.Compare(a.newest.Time))
	})
	return found[:min(len(found), maxFindings)]
}

// findings returns the recorded findings of an export and the findings in the last message.
func (e *Export) findings() []string {
	var all []string
	for _, text := range slices.Concat(e.Findings, Findings(e.LastMessage)) {
		if isFinding(text) && !sameFinding(text, all) {
			all = append(all, text)
		}
	}
	return all
}

// contentOf formats findings: one sentence, or a line for each finding with the number of
// sessions.
func contentOf(found []finding) string {
	if len(found) == 1 {
		return shortened(found[0].text, maxDerivedText)
	}
	var lines []string
	for _, f := range found {
		said := "1 session"
		if n := len(f.sessions); n > 1 {
			said = fmt.Sprintf("%d sessions", n)
		}
		lines = append(lines, "- "+f.text+" ("+said+")")
	}
	return shortened(strings.Join(lines, "\n"), maxDerivedText)
}

// TellsFinding reports whether a mem contains the finding in a sentence.
func TellsFinding(m *resources.Mem, sentence string) bool {
	key := findingKey(sentence)
	for line := range strings.Lines(m.Spec.Content) {
		line = strings.TrimSpace(line)
		if at := strings.LastIndex(line, " ("); at > 0 && strings.Contains(line[at:], " session") {
			line = line[:at] // number of sessions, as formatted by contentOf
		}
		if slices.ContainsFunc(sentences(line), func(one string) bool { return findingKey(one) == key }) {
			return true
		}
	}
	return false
}
