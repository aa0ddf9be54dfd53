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

// SourceExports is spec.source of mems that were made of exports.
const SourceExports = "exports"

const (
	synthesisPrefix = "mem-exports-"
	maxSynthesized  = 20 // files that a mem names

	// How sure one can be of what one session said, and for each further one that says the same; less
	// than config.memFadingBelow asks by default, since nobody looked at it.
	confidenceOfOne  = 30
	confidenceOfMore = 10
	confidenceMost   = 50
)

// IsSynthesisName reports whether a name is that of a mem which was made of exports.
func IsSynthesisName(name string) bool { return strings.HasPrefix(name, synthesisPrefix) }

// Unsaved reports whether a mem was made of exports and nobody has confirmed, pinned or linked it so far.
func Unsaved(m *resources.Mem) bool {
	return m.Spec.Source == SourceExports && len(m.Spec.Confirmations) == 0 && !m.Spec.Pinned
}

// ListsOnly reports whether a mem is one of those that earlier releases made of exports: lists of
// files and commands, which are no knowledge.
func ListsOnly(m *resources.Mem) bool {
	return Unsaved(m) && strings.HasPrefix(m.Spec.Title, "What ") && strings.HasSuffix(m.Spec.Title, " sessions did")
}

// Synthesize makes a mem of what the agents of exports found, each thing once, with who said it and
// links to the tasks. nil if they found nothing: what was done is no knowledge. No model is
// asked: the same exports make the same mem, name and dates included, whatever their order. names are
// those of the exports' files, in the order of the exports; known reports what is known already.
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
		m.Spec.Evidence = append(m.Spec.Evidence, resources.MemEvidence{Note: "said in the export " + name})
	}
	for _, task := range slices.Sorted(maps.Keys(tasks)) {
		m.Spec.RelatedTo = append(m.Spec.RelatedTo, "task/"+task)
	}
	if len(m.Spec.RelatedTo) == 1 {
		m.Spec.OriginTask = strings.TrimPrefix(m.Spec.RelatedTo[0], "task/")
	}
	return m
}

// finding is a thing that sessions found, merged.
type finding struct {
	text     string // the shortest way in which it was said
	sessions map[string]bool
	files    map[string]bool // of the exports
	tasks    map[string]bool
	newest   resources.Time
}

// gather merges what exports say: what most sessions found first, then what was said last.
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
			f.add(text, e, names[i])
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

// findings are those that an export kept, turn by turn, and those of the last words.
func (e *Export) findings() []string {
	var all []string
	for _, text := range slices.Concat(e.Found, Findings(e.Said)) {
		if isFinding(text) && !sameFinding(text, all) {
			all = append(all, text)
		}
	}
	return all
}

func (f *finding) add(text string, e *Export, file string) {
	if len(text) < len(f.text) || len(text) == len(f.text) && text < f.text {
		f.text = text
	}
	f.sessions[e.Record], f.files[file] = true, true
	if e.Task != "" {
		f.tasks[e.Task] = true
	}
	if f.newest.Before(e.ExportedAt.Time) {
		f.newest = e.ExportedAt
	}
}

// contentOf is what was found: a sentence alone, or a line for each with how many sessions said so.
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

// TellsFinding reports whether the content of a mem says what a sentence says.
func TellsFinding(m *resources.Mem, sentence string) bool {
	key := findingKey(sentence)
	for line := range strings.Lines(m.Spec.Content) {
		line = strings.TrimSpace(line)
		if at := strings.LastIndex(line, " ("); at > 0 && strings.Contains(line[at:], " session") {
			line = line[:at] // by how many, as contentOf says it
		}
		if slices.ContainsFunc(sentences(line), func(one string) bool { return findingKey(one) == key }) {
			return true
		}
	}
	return false
}
