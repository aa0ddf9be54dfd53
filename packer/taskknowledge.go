package packer

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// TaskKnowledge is the knowledge for a task that is about to start.
type TaskKnowledge struct {
	Knowledge  []string `json:"known,omitempty"` // comments, decisions, documents, files, false paths, anchors and mems: one line each, not escaped
	Dependents []string `json:"waits,omitempty"` // names of live tasks that depend on the task
}

// maxTaskKnowledge is the maximal length of each list of a TaskKnowledge.
const maxTaskKnowledge = 10

// maxTaskLines is the maximal length, in characters, of the lines about decisions, documents and files
// that the task names.
const maxTaskLines = 600

// TaskKnowledgeOf returns the knowledge for a task: why it was handed back
// before, comments of people, decisions, documents that cover it, files that it
// names, the false paths, anchors and mems of a pack for its agent, and its
// dependents. stock may be nil.
func TaskKnowledgeOf(s Source, stock *Stock, task string) (b TaskKnowledge) {
	if stock == nil {
		stock = &Stock{}
	}
	stock.work.Lock()
	defer stock.work.Unlock()
	on := &resources.Session{}
	on.Spec.ActiveTask = task
	d := newPacking(gather(s, Reader{Session: on, Starts: true, Stock: stock, Terse: true}))
	d.offerKnowledge()
	d.pack()
	if t, ok := s.Task(task); ok {
		if t.Spec.Reason != "" {
			b.Knowledge = append(b.Knowledge, shorten(beforeLabel+t.Spec.Reason, maxExcerpt))
		}
		b.Knowledge = slices.Concat(b.Knowledge, d.instructions(), d.taskLines(s, t))
		b.Knowledge = b.Knowledge[:min(len(b.Knowledge), maxTaskKnowledge)]
	}
	// mems that were derived from the decisions in these lines
	var of []string
	for _, l := range b.Knowledge {
		if _, name, ok := strings.Cut(strings.TrimSuffix(l, ")"), "("+resources.Decisions+"/"); ok {
			of = append(of, memIDs+memory.DerivedName("decision", name))
		}
	}
	anchors := d.stock.anchors()
	for i := range d.candidates {
		c := &d.candidates[i]
		if !c.in || len(b.Knowledge) == maxTaskKnowledge || slices.Contains(of, c.id) {
			continue
		}
		if at := slices.IndexFunc(anchors, func(a Anchor) bool { return anchorIDs+a.Object.Metadata.Name == c.id }); at >= 0 {
			b.Knowledge = append(b.Knowledge, knownLine(date(lastValidated(anchors[at].Object.Metadata, anchors[at].Object.Created())), anchors[at].Object.Spec.Content, c.id))
		} else if c.fact != nil && c.fact.falsePath {
			b.Knowledge = append(b.Knowledge, knownLine("", warningOf(&c.fact.mem.Object.Spec), c.id))
		} else if c.fact != nil {
			b.Knowledge = append(b.Knowledge, knownLine(date(lastConfirmed(c.fact.mem)), c.fact.mem.Object.Spec.Content, c.id))
		}
	}
	for _, key := range s.Dependents(resources.Key{Kind: resources.Tasks, Name: task}) {
		if t, ok := s.Task(key.Name); ok && status.LiveTask(t) && len(b.Dependents) < maxTaskKnowledge {
			b.Dependents = append(b.Dependents, key.Name)
		}
	}
	return b
}

// knownLine returns an entry as one line: date, shortened text, ID.
func knownLine(date, text, id string) string {
	if date != "" {
		date = "[" + date + "] "
	}
	return date + shorten(text, maxExcerpt) + " (" + id + ")"
}

// taskLines returns the lines about decisions, documents and files that a task names, up to maxTaskLines
// characters.
func (d *packing) taskLines(s Source, t *resources.Task) (lines []string) {
	all := decisionLines(s, t)
	for _, a := range d.documentsToRender() {
		all = append(all, shorten(d.documentText(&a), maxExcerpt))
	}
	if files := filesOf(t); len(files) > 0 {
		all = append(all, "Files that it names: "+listed(files))
	}
	for room := maxTaskLines; len(all) > 0 && len(lines) < maxTaskKnowledge; all = all[1:] {
		if room -= tokens.Measure(all[0]).Characters + len("\n"); room < 0 {
			return lines
		}
		lines = append(lines, all[0])
	}
	return lines
}

// FilesOf returns the files, or patterns of files, that a task names or wrote, without duplicates:
// its writes, locks, evidence, files in its title and expected output, and paths.
func FilesOf(s Source, t *resources.Task) []string {
	files := slices.Clone(s.Evidence(t.Metadata.Name).Files)
	for _, file := range filesOf(t) {
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
}

// filesOf returns the files that a task names.
func filesOf(t *resources.Task) (files []string) {
	spec := &t.Spec
	all := slices.Clone(spec.FileLocks)
	if spec.Source != nil {
		all = append(all, spec.Source.File)
	}
	for _, item := range spec.Evidence {
		all = append(all, item.File)
	}
	for file := range resources.PathsIn(spec.Title + "\n" + spec.ExpectedOutput) {
		if strings.Contains(file, "/") { // "e.g" and "Node.js" are usually not files
			all = append(all, file)
		}
	}
	for _, file := range append(all, spec.Paths...) {
		if file != "" && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
}
