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
	kept          map[string]File // files of the source that are kept whole, by their paths
	logs          []draftLog
	repeats       map[string]*repeats // by kind and id
	versions      []string            // of files that name one: "brain/tasks.json 2.0.0"
	damaged       bool                // a file was: what is there already is not replaced by less
	foreign       string              // why the source is of another format
	yields        map[string]bool     // files whose records count only where no other file says them
	read          int

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

	file   File
	madeUp bool    // a plan that no record says
	extra  []Field // goes to the annotations besides what is left of the record
	given  bool    // the object is Was, and names stand for ids already
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
		kept: map[string]File{}, repeats: map[string]*repeats{}, yields: map[string]bool{},
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
	b.Keep(f)
	b.report.Trouble(Problem{File: f.Path, Message: why + "; the whole file is kept"})
}

// Keep keeps a file as it is.
func (b *Builder) Keep(f File) {
	if f.Path != "" { // what no file says has none
		b.kept[f.Path] = f
	}
}

// Leave keeps the file of a record, or of a field, of which nothing can be made. what is the line of the report that
// it is counted in, at where it stood.
func (b *Builder) Leave(f File, what, at string) {
	b.Keep(f)
	b.report.Note(&b.report.Left, what, f.Path+" "+at)
}

// LeaveRest leaves what is left of a record that was taken apart.
func (b *Builder) LeaveRest(f File, r *Record, what string) {
	for _, rest := range r.Rest() {
		b.Leave(f, what, strings.TrimPrefix(r.At+"."+rest.Name, "."))
	}
	r.takeAll()
}

// reader takes a file apart.
type reader func(File, *Record)

// parsed reads a file of JSON, with the version that it says it is of, and leaves what its reader did not take.
func (b *Builder) parsed(f File, read reader) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	if v := r.Text("version", "structure_format"); v != "" {
		b.versions = append(b.versions, f.Path+" "+v)
	}
	read(f, r)
	b.LeaveRest(f, r, "fields of "+f.Path)
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
	if known := b.Find(kind, id); known != nil && b.yields[f.Path] && known.file.Path != f.Path {
		b.saidElsewhere(f, r, known)
		return nil
	}
	id, again := b.unique(kind, f, r, id)
	if again {
		b.report.Note(&b.report.Odd, "the same record twice: made once", id)
		return nil
	}
	return b.put(&Draft{ID: id, Object: newObject(kind), file: f, Record: r})
}

// saidElsewhere leaves a record of what another file said before, unless it says the same.
func (b *Builder) saidElsewhere(f File, r *Record, known *Draft) {
	if known.Record != nil && string(known.Record.Value.JSON()) == string(r.Value.JSON()) {
		b.report.Note(&b.report.Odd, "the same record twice: made once", known.ID)
		return
	}
	b.Leave(f, "records that another file says as well: that counts", r.At)
}

// Make begins an object that no record says, such as a plan for tasks that have none. It returns
// the one that is there already.
func (b *Builder) Make(kind, id string) *Draft {
	if d := b.exact(kind, id); d != nil {
		return d
	}
	return b.put(&Draft{ID: id, Object: newObject(kind)})
}

// AddAs adds an object that was exported once and came back as it was.
func (b *Builder) AddAs(o resources.Object, id string, f File) {
	b.put(&Draft{ID: id, Object: resources.Clone(o), Was: o, Name: o.Key().Name, file: f, given: true})
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

// Refer replaces the ids of what a task waits for, and of what waits for it.
func (d *Draft) Refer(id func(string) string) {
	for _, list := range [][]string{d.Object.SpecPointer().(*resources.TaskSpec).DependsOn, d.Blocks} {
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

// name gives every object its name, before any refers to another: first what came back, then what is called after its
// id, then what was made up.
func (b *Builder) name() {
	for _, k := range resources.Kinds() {
		namer := NewNamer(k.Plural, b.isOurs, func(id, message string) { b.report.Trouble(Problem{ID: id, Message: message}) })
		b.namers[k.Plural] = namer
		var ids []string
		var wishes []*Draft
		for _, d := range b.drafts[k.Plural] {
			switch {
			case k.Single:
				d.Meta().Name = k.Plural
			case k.Plural == resources.Sessions:
				d.Meta().Name = resources.NameOfID(d.ID) // as the hook calls it, so that a session that goes on finds itself
			case d.Was != nil:
				namer.Take(d.ID, d.Name)
			case d.Name != "":
				wishes = append(wishes, d)
			default:
				ids = append(ids, d.ID)
			}
		}
		namer.Give(ids)
		slices.SortFunc(wishes, func(a, c *Draft) int { return strings.Compare(a.ID, c.ID) })
		for _, d := range wishes {
			namer.Settle(d.ID, d.Name)
		}
		for _, d := range b.drafts[k.Plural] {
			if !k.Single && k.Plural != resources.Sessions {
				d.Meta().Name = namer.Of(d.ID)
			}
		}
	}
}

// compare returns what has to be written. Settings are added to those that are there.
func (b *Builder) compare(wanted []*Draft) []resources.Object {
	var usual, changed []resources.Object
	var settings []*resources.Config
	for _, d := range wanted {
		if c, isConfig := d.Object.(*resources.Config); isConfig {
			settings = append(settings, c)
		} else if d.Was == nil || !b.cameBack(d, &changed) {
			usual = append(usual, d.Object)
		}
	}
	edited := len(b.report.Edited)
	changed = append(changed, b.sparing(Compare(b.prefix, usual, b.get, &b.report))...)
	for _, key := range b.report.Edited[edited:] { // what would have been made of its record is kept
		if at := slices.IndexFunc(b.drafts[key.Kind], func(d *Draft) bool { return d.Object.Key() == key }); at >= 0 {
			b.Keep(b.drafts[key.Kind][at].file)
		}
	}
	for _, c := range settings {
		changed = append(changed, b.mergeConfig(c)...)
	}
	return changed
}

// cameBack deals with what was exported from here: it is taken as it is where it is not there, and written over an
// object that nobody edited since; false for one that somebody edited.
func (b *Builder) cameBack(d *Draft, changed *[]resources.Object) bool {
	key := d.Object.Key()
	before, found := b.get(key)
	switch {
	case !found:
		b.report.Created, *changed = append(b.report.Created, key), append(*changed, d.Object)
	case contentDigest(b.prefix, before) != contentDigest(b.prefix, d.Was):
		return false
	case d.given:
		b.report.Unchanged = append(b.report.Unchanged, key)
	default:
		d.Object.Head().Schema, d.Meta().UID = before.Head().Schema, before.Head().Metadata.UID
		b.report.Updated, *changed = append(b.report.Updated, key), append(*changed, d.Object)
	}
	return true
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

func (b *Builder) namedLogs() []Log {
	var logs []Log
	for _, l := range b.logs {
		logs = append(logs, Log{l.task.Meta().Name, l.checkpoint})
	}
	return logs
}

func (b *Builder) leftovers() []Leftover {
	var list []Leftover
	for _, path := range sortedKeys(b.kept) {
		list = append(list, Leftover{keptPath(b.format, b.kept[path]), b.kept[path].Data})
	}
	return list
}

// From says which file a draft comes from.
func (d *Draft) From(f File) *Draft {
	d.file = f
	return d
}

// Keep keeps a field that objects have no place for.
func (d *Draft) Keep(name string, v Value) { d.extra = append(d.extra, Field{name, v}) }

// Drafts lists what was made of a kind so far, in that order.
func (b *Builder) Drafts(kind string) []*Draft { return b.drafts[kind] }
