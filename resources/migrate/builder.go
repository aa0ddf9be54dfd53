package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Builder collects what a conversion makes, with ids of the source where objects refer to
// each other, and turns them into objects with names. It is for one goroutine and one conversion.
type Builder struct {
	format, title string // "hivemind", "HiveMind"
	prefix        string
	drafts        map[string][]*Draft          // by kind
	byID          map[string]map[string]*Draft // by kind, then id, as it is and folded
	taken         map[string]map[string]bool   // names, by kind
	kept          map[string]File              // files of the source that are kept whole, by their paths
	logs          []draftLog
	said          map[string]map[string]bool // by kind and id, digests of the records that had it
	versions      []string                   // of files that name one: "brain/tasks.json 2.0.0"
	unnamed       map[string]int             // records without id or text, by the paths of their files
	damaged       bool                       // a file was: what is there already is not replaced by less
	done          map[string]bool            // files that were read, by their paths
	yielding      bool                       // records of the file that is read count only where no other file says them
	read          int

	// Get looks up what is there now.
	Get func(resources.Key) (resources.Object, bool)
	// Report is what is said of the conversion so far.
	Report Report
	// Foreign is why the source is not of the format at all.
	Foreign string
	// KeepBroken: references that lead nowhere and circles stay, as broken chains. Whoever converts reports them.
	KeepBroken bool
}

// Draft is an object that is being made.
type Draft struct {
	ID     string
	Object resources.Object
	Record *Record // what it is made of; nil for what was made up: a plan for tasks without one
	Name   string  // that it should have; "" for one after its ID
	// Was is the object that was exported once and came back; nil if none was. What nobody edited here since is written over.
	Was resources.Object
	// Finally are called when names stand for ids, before the object is checked.
	Finally []func()

	file    File
	builder *Builder
	madeUp  bool // a plan that no record says
	given   bool // the object is Was, and names stand for ids already
	// Blocks are the ids of tasks that wait for this one, where the source says it from that side.
	Blocks []string
}

type draftLog struct {
	task       *Draft
	checkpoint resources.Checkpoint
}

// NewBuilder returns an empty builder. format is the name of the format, title what people call it. Each of the files
// is kept whole, so that nothing of it is lost, whatever its records become; a format whose records keep all that they
// say in an annotation gives none, and a file is kept only where something in it becomes no object.
func NewBuilder(format, title string, in Input) *Builder {
	get := in.Get
	if get == nil {
		get = func(resources.Key) (resources.Object, bool) { return nil, false }
	}
	b := &Builder{
		format: format, title: title, prefix: Prefix(format), Get: get,
		drafts: map[string][]*Draft{}, byID: map[string]map[string]*Draft{}, taken: map[string]map[string]bool{},
		kept: map[string]File{}, said: map[string]map[string]bool{}, done: map[string]bool{}, unnamed: map[string]int{},
	}
	for _, f := range in.Files {
		b.Keep(f)
	}
	return b
}

// Parse reads a file as JSON; damage is reported. false: nothing could be read.
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

// Damage reports what is wrong with a file.
func (b *Builder) Damage(f File, what string) {
	b.Report.Trouble(Problem{File: f.Path, Message: what + "; the whole file is kept"})
}

// Keep keeps a file as it is.
func (b *Builder) Keep(f File) {
	if f.Path != "" { // what no file says has none
		b.kept[f.Path] = f
	}
}

// Leave counts something of a file of which nothing can be made, and keeps the file. what is the line of the report
// that it is counted in, at where it stood or what it is called, "" if that is not known.
func (b *Builder) Leave(f File, what, at string) {
	b.Keep(f)
	b.Report.Note(&b.Report.Left, what, strings.TrimSpace(f.Path+" "+at))
}

// leaveRecord is Leave for a record of which nothing is made: it was read all the same.
func (b *Builder) leaveRecord(f File, what, at string) {
	b.read++
	b.Leave(f, what, at)
}

// LeaveRest leaves the fields of a record that nobody asked for, unless a draft is made of it, which says so itself.
func (b *Builder) LeaveRest(f File, r *Record, what string) {
	for _, rest := range r.Rest() {
		if !r.drafted {
			b.Leave(f, what, rest.Name)
		}
	}
}

// LeaveRest reports the fields of a record that a draft was made of and that nobody asked for. within stands before their names.
func (d *Draft) LeaveRest(within string, r *Record) {
	for _, rest := range r.Rest() {
		d.builder.Report.Note(&d.builder.Report.Left, within+rest.Name, d.ID)
	}
}

// Spec is the spec of a draft whose kind is known.
func Spec[T any](d *Draft) *T { return d.Object.SpecPointer().(*T) }

// Add begins an object of a kind for a record of a file. Without an id it is called after its
// text. An id that was there already gets another one, unless the record says the same:
// then nil is returned, and the record is counted as repeated.
func (b *Builder) Add(kind string, f File, r *Record, id string) *Draft {
	b.read++
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
	case elsewhere && known.Record != nil && string(known.Record.Value.JSON()) == text, !elsewhere && b.said[key][text]:
		b.Report.Note(&b.Report.Odd, "the same record twice: made once", id)
		return nil
	case elsewhere:
		b.Leave(f, "records that another file says as well: that counts", id)
		return nil
	case b.said[key] == nil:
		b.said[key] = map[string]bool{}
	}
	b.said[key][text], r.drafted = true, true
	return b.put(&Draft{ID: b.unique(kind, f, id), Object: resources.New[resources.Object](kind, ""), file: f, Record: r})
}

// unique returns an id that nothing has yet.
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

// Make begins an object that no record says, such as a plan for tasks that have none. It returns
// the one that is there already.
func (b *Builder) Make(kind, id string) *Draft {
	if d := b.exact(kind, id); d != nil {
		return d
	}
	return b.put(&Draft{ID: id, Object: resources.New[resources.Object](kind, "")})
}

// AddAs adds an object that was exported once and came back as it was.
func (b *Builder) AddAs(o resources.Object, id string, f File) {
	b.put(&Draft{ID: id, Object: resources.Clone(o), Was: o, Name: o.Key().Name, file: f, given: true})
}

func (b *Builder) put(d *Draft) *Draft {
	kind := d.Object.Key().Kind
	if d.builder = b; !d.given {
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

// alias finds a draft under another id as well, unless something has that.
func (b *Builder) alias(kind, id string, d *Draft) {
	if b.byID[kind][id] == nil {
		b.byID[kind][id] = d
	}
}

func (b *Builder) exact(kind, id string) *Draft { return b.byID[kind][id] }

// Find returns what has an id, whatever its case; nil if there is nothing.
func (b *Builder) Find(kind, id string) *Draft {
	id = strings.TrimSpace(id)
	if d := b.exact(kind, id); d != nil || id == "" {
		return d
	}
	return b.exact(kind, "\x00"+Fold(id))
}

// Drafts lists what was made of a kind so far, in that order.
func (b *Builder) Drafts(kind string) []*Draft { return b.drafts[kind] }

// madeUp is the id of a record without one: of its text, or of the file that it is the first, the second ... such one of.
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

// From says which file a draft comes from.
func (d *Draft) From(f File) *Draft {
	d.file = f
	return d
}

// Annotate keeps a text that people need and that objects have no field for; what has the name already counts.
func (d *Draft) Annotate(name, text string) {
	key := d.builder.prefix + KeyOf(name)
	if _, taken := d.Meta().Annotations[key]; text == "" || taken {
		return
	}
	d.Meta().Annotations[key] = text
	d.builder.Report.Note(&d.builder.Report.Kept, name, d.ID)
}

// Meta is the object's metadata.
func (d *Draft) Meta() *resources.Meta { return &d.Object.Head().Metadata }

// Refer replaces the ids of what a task waits for, and of what waits for it.
func (d *Draft) Refer(id func(string) string) {
	for _, list := range [][]string{Spec[resources.TaskSpec](d).DependsOn, d.Blocks} {
		for i := range list {
			list[i] = id(list[i])
		}
	}
}

// Label sets a label; a value that cannot be one is kept as an annotation as well.
func (d *Draft) Label(key, value string) {
	if d.Meta().Labels == nil {
		d.Meta().Labels = map[string]string{}
	}
	d.Meta().Labels[key] = LabelValue(value)
}

// Created sets when the object was made, unless that is not known.
func (d *Draft) Created(t time.Time) {
	if !t.IsZero() {
		d.Meta().CreationTimestamp = resources.NewTime(t)
	}
}

// Checkpoint adds a line to the log of a task.
func (b *Builder) Checkpoint(task *Draft, c resources.Checkpoint) {
	b.logs = append(b.logs, draftLog{task, c})
}

// Finish names everything, resolves what refers to what, and compares it with what is there.
func (b *Builder) Finish() Outcome {
	b.turn()
	b.home()
	b.name()
	b.resolve()
	var wanted []*Draft
	for _, k := range resources.Kinds() {
		list := slices.Clone(b.drafts[k.Plural])
		slices.SortFunc(list, func(a, c *Draft) int { return cmp.Compare(a.Meta().Name, c.Meta().Name) })
		for _, d := range list {
			if d.given || b.complete(d) {
				wanted = append(wanted, d)
			}
		}
	}
	out := Outcome{Objects: b.compare(wanted), Foreign: b.Foreign}
	for _, l := range b.logs {
		out.Logs = append(out.Logs, Log{l.task.Meta().Name, l.checkpoint})
	}
	for _, path := range sortedKeys(b.kept) {
		out.Leftovers = append(out.Leftovers, Leftover{keptPath(b.format, b.kept[path]), b.kept[path].Data})
	}
	if b.Report.Read == "" {
		b.Report.Read = strings.TrimSuffix(fmt.Sprintf("Read %d records of %s (%s)", b.read, b.title, strings.Join(b.versions, ", ")), " ()") + "."
	}
	b.Report.Finish()
	out.Report = b.Report
	return out
}
