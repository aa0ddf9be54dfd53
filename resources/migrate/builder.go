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
	get           func(resources.Key) (resources.Object, bool)
	report        Report
	drafts        map[string][]*Draft          // by kind
	byID          map[string]map[string]*Draft // by kind, then id, as it is and folded
	namers        map[string]*Namer
	left          map[string][]LeftRecord // by source file
	files         map[string]File
	raw           map[string]bool // files that are kept whole
	logs          []draftLog
	repeats       map[string]*repeats // by kind and id
	versions      []string            // of files that name one: "brain/tasks.json 2.0.0"
	damaged       bool                // a file was: what is there already is not replaced by less
	foreign       string              // why the source is of another format
	yields        map[string]bool     // files whose records count only where no other file says them
	read          int
}

// Draft is an object that is being made.
type Draft struct {
	ID     string
	Object resources.Object
	file   File
	record *Record // nil for what was made up: a plan for tasks without one
	extra  []Field // goes to the annotations besides what is left of the record
	// Blocks are the ids of tasks that wait for this one, where the source says it from that side.
	Blocks []string
}

type draftLog struct {
	task       *Draft
	checkpoint resources.Checkpoint
}

// NewBuilder returns an empty builder. format is the name of the format, title what
// people call it.
func NewBuilder(format, title string, in Input) *Builder {
	get := in.Get
	if get == nil {
		get = func(resources.Key) (resources.Object, bool) { return nil, false }
	}
	return &Builder{
		format: format, title: title, prefix: Prefix(format), get: get,
		drafts: map[string][]*Draft{}, byID: map[string]map[string]*Draft{}, namers: map[string]*Namer{},
		left: map[string][]LeftRecord{}, files: map[string]File{}, raw: map[string]bool{}, repeats: map[string]*repeats{},
		yields: map[string]bool{},
	}
}

// Foreign says that the source is not of the format at all, and why.
func (b *Builder) Foreign(why string) { b.foreign = why }

// Report gives access to the report while it is written.
func (b *Builder) Report() *Report { return &b.report }

// Parse reads a file as JSON; damage is reported, and a damaged file is kept whole as well.
// false: nothing could be read, and the file is kept.
func (b *Builder) Parse(f File) (*Record, bool) {
	v, damage, err := Parse(f.Data)
	if err != nil {
		b.Whole(f, err.Error())
		return nil, false
	}
	for _, what := range damage {
		b.damaged = true
		b.Whole(f, what)
	}
	return NewRecord("", v), true
}

// Whole keeps a file as it is, and reports why.
func (b *Builder) Whole(f File, why string) {
	b.KeepFile(f)
	b.report.Trouble(Problem{File: f.Path, Message: why + "; the whole file is kept"})
}

// KeepFile keeps a file as it is.
func (b *Builder) KeepFile(f File) { b.files[f.Path], b.raw[f.Path] = f, true }

// Leave keeps a record, or one field of it, of which nothing can be made. what is the line of the
// report that it is counted in.
func (b *Builder) Leave(f File, at string, v Value, what, why string) {
	b.files[f.Path] = f
	b.left[f.Path] = append(b.left[f.Path], LeftRecord{at, why, v.JSON()})
	b.report.Note(&b.report.Left, what, f.Path+" "+at)
}

// LeaveRest keeps what is left of a record that was taken apart.
func (b *Builder) LeaveRest(f File, r *Record, what, why string) {
	for _, rest := range r.Rest() {
		b.Leave(f, strings.TrimPrefix(r.At+"."+rest.Name, "."), rest.Value, what, why)
	}
}

// newObject returns an empty object of a kind.
func newObject(kind string) resources.Object {
	k, _ := resources.KindOf(kind)
	return k.New()
}

// Add begins an object of a kind for a record of a file. Without an id it is called after its
// text, or its place. An id that was there already gets another one, unless the record says the same:
// then nil is returned, and the record is counted as repeated.
func (b *Builder) Add(kind string, f File, r *Record, id string) *Draft {
	b.read++
	id = strings.TrimSpace(id)
	if id == "" {
		id = b.madeUp(f, r)
		b.report.Note(&b.report.Odd, "no id: called after its text", id)
	}
	if known := b.exact(kind, id); known != nil && b.yields[f.Path] && known.file.Path != f.Path {
		b.saidElsewhere(f, r, known)
		return nil
	}
	id, again := b.unique(kind, f, r, id)
	if again {
		b.report.Note(&b.report.Odd, "the same record twice: made once", id)
		return nil
	}
	return b.put(&Draft{ID: id, Object: newObject(kind), file: f, record: r})
}

// saidElsewhere leaves a record of what another file said before, unless it says the same.
func (b *Builder) saidElsewhere(f File, r *Record, known *Draft) {
	if known.record != nil && string(known.record.Value.JSON()) == string(r.Value.JSON()) {
		b.report.Note(&b.report.Odd, "the same record twice: made once", known.ID)
		return
	}
	b.Leave(f, r.At, r.Value, "records that another file says as well: that counts", known.file.Path+" says it as well")
}

// Make begins an object that no record says, such as a plan for tasks that have none. It returns
// the one that is there already.
func (b *Builder) Make(kind, id string) *Draft {
	if d := b.exact(kind, id); d != nil {
		return d
	}
	return b.put(&Draft{ID: id, Object: newObject(kind)})
}

// repeats is what is known of an id.
type repeats struct {
	count int
	said  map[string]bool // digests of the records that had it
}

// unique returns an id that nothing has yet; again: the same record was there before.
func (b *Builder) unique(kind string, f File, r *Record, id string) (string, bool) {
	key := kind + "\x00" + id
	known := b.repeats[key]
	if known == nil {
		known = &repeats{count: 1, said: map[string]bool{}}
		b.repeats[key] = known
	}
	says := DigestOf(string(r.Value.JSON()))
	if known.said[says] {
		return id, true
	}
	known.said[says] = true
	wanted := id
	for b.exact(kind, wanted) != nil {
		known.count++
		wanted = fmt.Sprintf("%s~%d", id, known.count)
	}
	if wanted != id {
		b.report.Trouble(Problem{File: f.Path, ID: id, Message: "the id is there more than once; " + r.At + " is kept as " + wanted})
	}
	return wanted, false
}

func (b *Builder) put(d *Draft) *Draft {
	kind := d.Object.Key().Kind
	b.drafts[kind] = append(b.drafts[kind], d)
	ids := b.byID[kind]
	if ids == nil {
		ids = map[string]*Draft{}
		b.byID[kind] = ids
	}
	ids[d.ID] = d
	if loose := "\x00" + Fold(d.ID); ids[loose] == nil {
		ids[loose] = d
	}
	return d
}

func (b *Builder) exact(kind, id string) *Draft { return b.byID[kind][id] }

// Find returns what has an id, whatever its case; nil if there is nothing.
func (b *Builder) Find(kind, id string) *Draft {
	id = strings.TrimSpace(id)
	if id == "" {
		return nil
	}
	if d := b.exact(kind, id); d != nil {
		return d
	}
	return b.byID[kind]["\x00"+Fold(id)]
}

// madeUp is the id of a record without one.
func (b *Builder) madeUp(f File, r *Record) string {
	for _, name := range []string{"title", "name", "content", "text"} {
		if v, ok := r.Peek(name); ok && v.Type == String && strings.TrimSpace(v.Text) != "" {
			words := strings.Fields(v.Text)
			return strings.Trim(NameOf(strings.Join(words[:min(6, len(words))], "-")), "-.") + "-" + DigestOf(v.Text)
		}
	}
	return "unnamed-" + DigestOf(f.Path+" "+r.At)
}

// Annotate keeps a text that objects have no field for.
func (d *Draft) Annotate(name, text string) {
	if text != "" {
		d.extra = append(d.extra, Field{name, Text(text)})
	}
}

// Meta is the object's metadata.
func (d *Draft) Meta() *resources.Meta { return &d.Object.Head().Metadata }

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
	var wanted []resources.Object
	for _, k := range resources.Kinds() {
		list := slices.Clone(b.drafts[k.Plural])
		slices.SortFunc(list, func(a, c *Draft) int { return cmp.Compare(a.Meta().Name, c.Meta().Name) })
		for _, d := range list {
			if b.complete(d) {
				wanted = append(wanted, d.Object)
			}
		}
	}
	out := Outcome{Objects: b.compare(wanted), Logs: b.namedLogs(), Foreign: b.foreign}
	out.Leftovers = b.leftovers()
	if b.report.Read == "" {
		b.report.Read = fmt.Sprintf("Read %d records of %s.", b.read, b.title)
		if len(b.versions) > 0 {
			b.report.Read = fmt.Sprintf("Read %d records of %s (%s).", b.read, b.title, strings.Join(b.versions, ", "))
		}
	}
	b.report.Finish()
	out.Report = b.report
	return out
}

// isOurs reports whether a name is free, or an earlier conversion gave it to that id.
func (b *Builder) isOurs(key resources.Key, id string) bool {
	o, found := b.get(key)
	return !found || o.Head().Metadata.Annotations[b.prefix+IDKey] == id
}

// name gives every object its name, before any refers to another.
func (b *Builder) name() {
	for _, k := range resources.Kinds() {
		namer := NewNamer(k.Plural, b.isOurs, func(id, message string) { b.report.Trouble(Problem{ID: id, Message: message}) })
		b.namers[k.Plural] = namer
		var ids []string
		for _, d := range b.drafts[k.Plural] {
			switch {
			case k.Single:
				d.Meta().Name = k.Plural
			case k.Plural == resources.Sessions:
				d.Meta().Name = resources.NameOfID(d.ID) // as the hook calls it, so that a session that goes on finds itself
			default:
				ids = append(ids, d.ID)
			}
		}
		namer.Give(slices.DeleteFunc(ids, func(id string) bool { return id == homeID }))
		if b.exact(k.Plural, homeID) != nil {
			namer.Settle(homeID, b.format+"-tasks")
		}
		for _, d := range b.drafts[k.Plural] {
			if d.Meta().Name == "" {
				d.Meta().Name = namer.Of(d.ID)
			}
		}
	}
}

// compare returns what has to be written. Settings are added to those that are there.
func (b *Builder) compare(wanted []resources.Object) []resources.Object {
	var settings []resources.Object
	wanted = slices.DeleteFunc(wanted, func(o resources.Object) bool {
		if o.Key().Kind == resources.Configs {
			settings = append(settings, o)
			return true
		}
		return false
	})
	edited := len(b.report.Edited)
	changed := b.sparing(Compare(b.prefix, wanted, b.get, &b.report))
	for _, key := range b.report.Edited[edited:] {
		b.leaveEdited(key)
	}
	for _, o := range settings {
		changed = append(changed, b.mergeConfig(o.(*resources.Config))...)
	}
	return changed
}

// sparing leaves alone what is there already, if a file of the source was damaged: what it says
// less than before may be what is missing of it.
func (b *Builder) sparing(changed []resources.Object) []resources.Object {
	if !b.damaged || len(b.report.Updated) == 0 {
		return changed
	}
	b.report.Trouble(Problem{Message: fmt.Sprintf("the source is damaged: %d objects that it says otherwise now are left as they are", len(b.report.Updated))})
	spared := b.report.Updated
	b.report.Edited, b.report.Updated = append(b.report.Edited, spared...), nil
	return slices.DeleteFunc(changed, func(o resources.Object) bool { return slices.Contains(spared, o.Key()) })
}

// leaveEdited keeps what would have been made of a record whose object somebody edited here.
func (b *Builder) leaveEdited(key resources.Key) {
	for _, d := range b.drafts[key.Kind] {
		if d.Object.Key() != key || d.file.Path == "" {
			continue
		}
		at, value := key.String(), b.encoded(d)
		if d.record != nil {
			at, value = d.record.At, d.record.Value.JSON()
		}
		b.files[d.file.Path] = d.file
		b.left[d.file.Path] = append(b.left[d.file.Path], LeftRecord{at, key.String() + " was made or edited here", value})
	}
}

// encoded is an object as it would have been written, on one line.
func (b *Builder) encoded(d *Draft) []byte {
	data, err := resources.Encode(d.Object)
	if err != nil {
		return []byte("null")
	}
	v, _, err := Parse(data)
	if err != nil {
		return []byte("null")
	}
	return v.JSON()
}

// version notes which version of a format a file says that it is of.
func (b *Builder) version(f File, r *Record) {
	if v := r.Text("version", "structure_format"); v != "" {
		b.versions = append(b.versions, f.Path+" "+v)
	}
}

func (b *Builder) namedLogs() []Log {
	var logs []Log
	for _, l := range b.logs {
		logs = append(logs, Log{l.task.Meta().Name, l.checkpoint})
	}
	return logs
}

func (b *Builder) leftovers() []Leftover {
	var list []Leftover
	for _, path := range sortedKeys(b.files) {
		f := b.files[path]
		if b.raw[path] {
			list = append(list, Leftover{keptPath(b.format, f, extension(path)), f.Data})
		}
		if len(b.left[path]) > 0 {
			list = append(list, Leftover{leftPath(b.format, f), lines(b.left[path])})
		}
	}
	return list
}

// extension is how a file's name ends, of what is safe in a name.
func extension(path string) string {
	dot := strings.LastIndexByte(path, '.')
	if dot < 0 || len(path)-dot > 12 || strings.ContainsRune(path[dot:], '/') {
		return ""
	}
	return "." + safeName(path[dot+1:])
}

// From says which file a draft that no record says comes from.
func (d *Draft) From(f File) { d.file = f }

// Keep keeps a field that objects have no place for.
func (d *Draft) Keep(name string, v Value) { d.extra = append(d.extra, Field{name, v}) }

// Drafts lists what was made of a kind so far, in that order.
func (b *Builder) Drafts(kind string) []*Draft { return b.drafts[kind] }
