package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Builder collects the objects of a conversion. References between drafts use the IDs of
// the source until Finish replaces them with names. A Builder is for one conversion and is
// not safe for concurrent use.
type Builder struct {
	format, title string // "hivemind", "HiveMind"
	prefix        string
	drafts        map[string][]*Draft          // by kind
	byID          map[string]map[string]*Draft // by kind, then by ID, exact and folded
	names         map[string]map[string]bool   // names by kind
	archived      map[string]File              // source files to archive, by path
	logs          []draftLog
	digests       map[string]map[string]bool // by kind and ID: digests of the records with that ID
	versions      []string                   // versions of the source files: "brain/tasks.json 2.0.0"
	unnamed       map[string]int             // number of records without ID or text, by file path
	damaged       bool                       // a file was damaged; existing objects are then not updated with less data
	done          map[string]bool            // paths of the files that were read
	yielding      bool                       // the current file only adds records that other files do not contain
	readCount     int

	// Get returns the existing object with a key.
	Get func(resources.Key) (resources.Object, bool)
	// Report is the report of the conversion so far.
	Report Report
	// Foreign is the reason why the source is not in the format. Empty if it is.
	Foreign string
	// KeepBroken preserves dangling references and cycles. The caller reports them.
	KeepBroken bool
}

// Draft is an object under construction.
type Draft struct {
	ID     string
	Object resources.Object
	Record *Record // source record; nil for a generated object, such as a plan for tasks without one
	Name   string  // requested name; empty for a name derived from ID
	// Was is the previously exported object if the record came from an export, or else nil.
	// It replaces an existing object unless that object was edited since the export.
	Was resources.Object
	// Finally functions run after names have replaced IDs, before the object is validated.
	Finally []func()

	file     File
	builder  *Builder
	madeUp   bool // a generated plan
	complete bool // Object equals Was and already contains names
	// Blocks contains the IDs of tasks that wait for this one.
	Blocks []string
}

// draftLog is a checkpoint for the log of a draft task.
type draftLog struct {
	task       *Draft
	checkpoint resources.Checkpoint
}

// NewBuilder returns an empty builder. format is the name of the format and title its
// display name. All files in the input are archived, so that no data is lost. A format
// that preserves all data in annotations passes no files. A file is then only archived if
// a part of it could not be converted.
func NewBuilder(format, title string, in Input) *Builder {
	get := in.Get
	if get == nil {
		get = func(resources.Key) (resources.Object, bool) { return nil, false }
	}
	b := &Builder{
		format: format, title: title, prefix: Prefix(format), Get: get,
		drafts: map[string][]*Draft{}, byID: map[string]map[string]*Draft{}, names: map[string]map[string]bool{},
		archived: map[string]File{}, digests: map[string]map[string]bool{}, done: map[string]bool{}, unnamed: map[string]int{},
	}
	for _, f := range in.Files {
		b.Keep(f)
	}
	return b
}

// Parse parses a JSON file. It reports damage, and returns false if nothing could be read.
func (b *Builder) Parse(f File) (*Record, bool) {
	v, damage, err := Parse(f.Data)
	if err != nil {
		b.Damage(f, err.Error())
		return nil, false
	}
	for _, what := range damage {
		b.damaged = true
		b.Damage(f, what)
	}
	return NewRecord(v), true
}

// Damage reports damage of a file.
func (b *Builder) Damage(f File, what string) {
	b.Report.Trouble(Problem{File: f.Path, Message: what + "; the whole file is kept"})
}

// Keep archives a file unchanged.
func (b *Builder) Keep(f File) {
	if f.Path != "" { // generated data has no path
		b.archived[f.Path] = f
	}
}

// Leave counts a part of a file that cannot be converted, and archives the file. what is
// the line of the report that counts it. at is its position or name; it may be empty.
func (b *Builder) Leave(f File, what, at string) {
	b.Keep(f)
	b.Report.Note(&b.Report.Unconverted, what, strings.TrimSpace(f.Path+" "+at))
}

// leaveRecord is Leave for an entire record, which also counts as read.
func (b *Builder) leaveRecord(f File, what, at string) {
	b.readCount++
	b.Leave(f, what, at)
}

// LeaveRest reports the unused fields of a record, unless the record has a draft. In that
// case the draft reports them.
func (b *Builder) LeaveRest(f File, r *Record, what string) {
	for _, rest := range r.Rest() {
		if !r.drafted {
			b.Leave(f, what, rest.Name)
		}
	}
}

// LeaveRest reports the unused fields of the draft's record. within is a prefix of their
// names.
func (d *Draft) LeaveRest(within string, r *Record) {
	for _, rest := range r.Rest() {
		d.builder.Report.Note(&d.builder.Report.Unconverted, within+rest.Name, d.ID)
	}
}

// Spec returns the spec of a draft. T must match the kind.
func Spec[T any](d *Draft) *T { return d.Object.SpecPointer().(*T) }

// Add starts an object for a record. Without an ID, it derives one from the text. If the ID
// is in use, it generates another one, unless the record is identical. For an identical
// record, it returns nil and counts the record as repeated.
func (b *Builder) Add(kind string, f File, r *Record, id string) *Draft {
	b.readCount++
	id = strings.TrimSpace(id)
	if id == "" {
		id = b.madeUp(f, r)
		b.Report.Note(&b.Report.Odd, "no id: called after its text", id)
	}
	text := string(r.Value.JSON())
	known := b.Find(kind, id)
	elsewhere := known != nil && b.yielding && known.file.Path != f.Path
	key := kind + "\x00" + id
	switch {
	case elsewhere && known.Record != nil && string(known.Record.Value.JSON()) == text, !elsewhere && b.digests[key][text]:
		b.Report.Note(&b.Report.Odd, "the same record twice: made once", id)
		return nil
	case elsewhere:
		b.Leave(f, "records that another file also contains: the other file counts", id)
		return nil
	case b.digests[key] == nil:
		b.digests[key] = map[string]bool{}
	}
	b.digests[key][text], r.drafted = true, true
	return b.add(&Draft{ID: b.unique(kind, f, id), Object: resources.New[resources.Object](kind, ""), file: f, Record: r})
}

// unique returns the ID, or the ID with a number if another record has it. It reports the change.
func (b *Builder) unique(kind string, f File, id string) string {
	wanted := id
	for n := 2; b.exact(kind, wanted) != nil; n++ {
		wanted = fmt.Sprintf("%s~%d", id, n)
	}
	if wanted != id {
		b.Report.Trouble(Problem{File: f.Path, ID: id, Message: "the id is there more than once; another record is kept as " + wanted})
	}
	return wanted
}

// Make starts an object without a record, such as a plan for tasks without one. It returns
// the existing draft if there is one.
func (b *Builder) Make(kind, id string) *Draft {
	if d := b.exact(kind, id); d != nil {
		return d
	}
	return b.add(&Draft{ID: id, Object: resources.New[resources.Object](kind, "")})
}

// AddAs adds an unmodified object from an earlier export.
func (b *Builder) AddAs(o resources.Object, id string, f File) {
	b.add(&Draft{ID: id, Object: resources.Clone(o), Was: o, Name: o.Key().Name, file: f, complete: true})
}

// add registers a draft by its ID and returns it.
func (b *Builder) add(d *Draft) *Draft {
	kind := d.Object.Key().Kind
	if d.builder = b; !d.complete {
		d.Meta().Annotations = map[string]string{b.prefix + IDKey: d.ID}
	}
	b.drafts[kind] = append(b.drafts[kind], d)
	if b.byID[kind] == nil {
		b.byID[kind] = map[string]*Draft{}
	}
	b.byID[kind][d.ID] = d
	b.alias(kind, "\x00"+Fold(d.ID), d)
	return d
}

// alias registers another ID of a draft, unless the ID is in use.
func (b *Builder) alias(kind, id string, d *Draft) {
	if b.byID[kind][id] == nil {
		b.byID[kind][id] = d
	}
}

// exact returns the draft with exactly this ID, or nil.
func (b *Builder) exact(kind, id string) *Draft { return b.byID[kind][id] }

// Find returns the draft with an ID, ignoring case, or nil.
func (b *Builder) Find(kind, id string) *Draft {
	id = strings.TrimSpace(id)
	if d := b.exact(kind, id); d != nil || id == "" {
		return d
	}
	return b.exact(kind, "\x00"+Fold(id))
}

// Drafts returns the drafts of a kind in order of creation.
func (b *Builder) Drafts(kind string) []*Draft { return b.drafts[kind] }

// madeUp generates the ID of a record without one: from its text, or from its file and a
// counter.
func (b *Builder) madeUp(f File, r *Record) string {
	for _, name := range []string{"title", "name", "content", "text"} {
		if v, ok := r.Peek(name); ok && v.Type == String && strings.TrimSpace(v.Text) != "" {
			words := strings.Fields(v.Text)
			return strings.Trim(NameOf(strings.Join(words[:min(6, len(words))], "-")), "-.") + "-" + DigestOf(v.Text)
		}
	}
	b.unnamed[f.Path]++
	return "unnamed-" + DigestOf(f.Path+strings.Repeat(" ", b.unnamed[f.Path]))
}

// SetSource sets the source file of a draft.
func (d *Draft) SetSource(f File) *Draft {
	d.file = f
	return d
}

// Annotate stores a text for which objects have no field. It does not replace an existing
// annotation.
func (d *Draft) Annotate(name, text string) {
	key := d.builder.prefix + KeyOf(name)
	if _, taken := d.Meta().Annotations[key]; text == "" || taken {
		return
	}
	d.Meta().Annotations[key] = text
	d.builder.Report.Note(&d.builder.Report.Annotated, name, d.ID)
}

// Meta returns the object's metadata.
func (d *Draft) Meta() *resources.Meta { return &d.Object.Head().Metadata }

// Refer replaces the IDs of a task's dependencies and dependents.
func (d *Draft) Refer(id func(string) string) {
	for _, list := range [][]string{Spec[resources.TaskSpec](d).DependsOn, d.Blocks} {
		for i := range list {
			list[i] = id(list[i])
		}
	}
}

// Label sets a label. The caller stores a value that is not a valid label as an annotation
// too.
func (d *Draft) Label(key, value string) {
	if d.Meta().Labels == nil {
		d.Meta().Labels = map[string]string{}
	}
	d.Meta().Labels[key] = LabelValue(value)
}

// Created sets the creation time, unless t is zero.
func (d *Draft) Created(t time.Time) {
	if !t.IsZero() {
		d.Meta().CreationTimestamp = resources.NewTime(t)
	}
}

// Checkpoint adds a line to the log of a task.
func (b *Builder) Checkpoint(task *Draft, c resources.Checkpoint) {
	b.logs = append(b.logs, draftLog{task, c})
}

// Finish assigns names, resolves references and compares the result with the existing
// objects.
func (b *Builder) Finish() Outcome {
	b.invertBlocks()
	b.assignPlans()
	b.name()
	b.resolve()
	var wanted []*Draft
	for _, k := range resources.Kinds() {
		list := slices.Clone(b.drafts[k.Plural])
		slices.SortFunc(list, func(a, c *Draft) int { return cmp.Compare(a.Meta().Name, c.Meta().Name) })
		for _, d := range list {
			if d.complete || b.complete(d) {
				wanted = append(wanted, d)
			}
		}
	}
	out := Outcome{Objects: b.compare(wanted), Foreign: b.Foreign}
	for _, l := range b.logs {
		out.Logs = append(out.Logs, Log{l.task.Meta().Name, l.checkpoint})
	}
	for _, path := range sortedKeys(b.archived) {
		out.Leftovers = append(out.Leftovers, Leftover{keptPath(b.format, b.archived[path]), b.archived[path].Data})
	}
	if b.Report.Summary == "" {
		b.Report.Summary = strings.TrimSuffix(fmt.Sprintf("Read %d records of %s (%s)", b.readCount, b.title, strings.Join(b.versions, ", ")), " ()") + "."
	}
	b.Report.Finish()
	out.Report = b.Report
	return out
}
