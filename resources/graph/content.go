package graph

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// snapshotReader is the Reader of a Snapshot: its objects with indexes, and stored facts about
// source files. It is safe for concurrent use.
type snapshotReader struct {
	SnapshotInput
	objects    map[resources.Key]resources.Object
	names      map[string][]string // sorted names by kind, including unreadable objects
	archived   map[resources.Key]bool
	indexes    memo[string, map[Term][]string] // by kind: sorted names by term
	files      memo[string, source]
	sections   memo[[2]string, resources.Part]
	moves      memo[[3]string, string]
	docs       memo[string, resources.Document]
	stack      func() resources.Stack
	workDays   func() status.WorkDays
	memsByText func() map[string][]*resources.Mem // mems by normalized content (memory.NormalText)
}

// source describes a file of the repository.
type source struct {
	modTime time.Time
	sum     string
	exists  bool
}

// Get returns the last valid version of an object and the state of its file.
func (c *snapshotReader) Get(key resources.Key) (resources.Object, State) {
	o := c.objects[key]
	if _, broken := c.Problems[key]; broken {
		return o, Broken
	}
	switch {
	case o != nil:
		return o, Good
	case c.archived[key]:
		return nil, Archived
	}
	return nil, Missing
}

// Names returns the names of a kind's objects.
func (c *snapshotReader) Names(kind string) []string { return c.names[kind] }

// Mentioning looks up the terms. There is no index of words: for a term without
// an index it returns all names of the kind and false.
func (c *snapshotReader) Mentioning(kind string, terms ...Term) (names []string, exact bool) {
	index := c.indexes.get(kind, func() map[Term][]string { return c.index(kind) })
	for _, term := range terms {
		if term.Index == "" {
			return c.names[kind], false
		}
		names = append(names, index[term]...)
	}
	slices.Sort(names)
	return slices.Compact(names), true
}

// index returns the names of a kind's objects by each of their terms.
func (c *snapshotReader) index(kind string) map[Term][]string {
	index := make(map[Term][]string, len(c.names[kind]))
	var terms []Term
	for _, name := range c.names[kind] {
		o := c.objects[resources.Key{Kind: kind, Name: name}]
		if o == nil {
			continue
		}
		terms = Terms(terms[:0], o)
		for _, term := range terms {
			if names := index[term]; len(names) == 0 || names[len(names)-1] != name {
				index[term] = append(names, name)
			}
		}
	}
	return index
}

// noEvidence is the evidence of a task without a checkpoint log.
var noEvidence = &status.Evidence{}

// Evidence returns the summary of the task's checkpoint log. It is never nil.
func (c *snapshotReader) Evidence(task string) *status.Evidence {
	if seen := c.SnapshotInput.Evidence[task]; seen != nil {
		return seen
	}
	return noEvidence
}

// WorkDays returns the days with project activity.
func (c *snapshotReader) WorkDays() status.WorkDays { return c.workDays() }

// listWorkDays returns the days on which objects or commits record work.
func (c *snapshotReader) listWorkDays() status.WorkDays {
	var days []int
	for _, o := range c.Objects {
		days = status.ObjectDays(days, o)
	}
	if c.CommitDays != nil {
		days = append(days, c.CommitDays()...)
	}
	return status.NewWorkDays(days)
}

// indexSaid returns the mems by their normalized content.
func (c *snapshotReader) indexSaid() map[string][]*resources.Mem {
	said := map[string][]*resources.Mem{}
	for _, name := range c.names[resources.Mems] {
		if m, ok := c.objects[resources.Key{Kind: resources.Mems, Name: name}].(*resources.Mem); ok {
			words := memory.NormalText(m.Spec.Content)
			said[words] = append(said[words], m)
		}
	}
	return said
}

// SourceFile describes a file of the repository. The result is cached.
func (c *snapshotReader) SourceFile(path string) (modTime time.Time, sha256 string, exists bool) {
	if c.SnapshotInput.SourceFile == nil {
		return time.Time{}, "", false
	}
	f := c.files.get(path, func() (f source) {
		f.modTime, f.sum, f.exists = c.SnapshotInput.SourceFile(path)
		return f
	})
	return f.modTime, f.sum, f.exists
}

// SourceSection describes a section of a repository file. The result is cached.
func (c *snapshotReader) SourceSection(path, section string) resources.Part {
	if c.SnapshotInput.SourceSection == nil {
		return resources.Part{}
	}
	return c.sections.get([2]string{path, section}, func() resources.Part { return c.SnapshotInput.SourceSection(path, section) })
}

// SourceDocument reads a Markdown file of the repository. The result is cached.
func (c *snapshotReader) SourceDocument(path string) resources.Document {
	if c.SnapshotInput.SourceDocument == nil {
		return resources.Document{}
	}
	return c.docs.get(path, func() resources.Document { return c.SnapshotInput.SourceDocument(path) })
}

// SourceStack returns the packages in the repository's manifests, as of the last scan.
func (c *snapshotReader) SourceStack() resources.Stack { return c.stack() }

// SourceMoved returns the new path of a missing file or section. The result is cached.
func (c *snapshotReader) SourceMoved(path, section, sha256 string) string {
	if c.SnapshotInput.SourceMoved == nil {
		return ""
	}
	return c.moves.get([3]string{path, section, sha256}, func() string { return c.SnapshotInput.SourceMoved(path, section, sha256) })
}
