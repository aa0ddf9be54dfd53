package migrate

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// What an annotation may hold before it goes to a leftover, in bytes: one alone, and all of an
// object together.
const (
	maxAnnotation  = 8 << 10
	maxAnnotations = 64 << 10
)

// complete puts what is left of a draft's record into its annotations and checks that the object can be
// written. false: it cannot, and its record is left.
func (b *Builder) complete(d *Draft) bool {
	b.annotate(d)
	b.shrink(d)
	why := ""
	if errs := resources.Validate(d.Object); len(errs) > 0 {
		why = errs[0].Error()
	} else if data, err := resources.Encode(d.Object); err != nil {
		why = err.Error()
	} else if len(data) > resources.MaxFileSize-1024 { // room for the digest
		why = "it is too long for one file, whatever is taken out"
	}
	if why == "" {
		return true
	}
	b.report.Trouble(Problem{File: d.file.Path, ID: d.ID, Message: "it cannot be written: " + why})
	if d.record != nil {
		b.Leave(d.file, d.record.At, d.record.Value, "records that cannot be written", why)
	}
	return false
}

// says reports whether the object itself says what a field does, in its own words.
func (d *Draft) says(field string) bool {
	switch field {
	case "status", "priority", "title":
		return true
	}
	return d.record != nil && d.record.understood(field)
}

// annotate notes the id and every field that was not understood.
func (b *Builder) annotate(d *Draft) {
	m := d.Meta()
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[b.prefix+IDKey] = d.ID
	fields := d.extra
	if d.record != nil {
		fields = append(fields, d.record.Rest()...)
	}
	total := 0
	names := Value{Type: Object} // of fields whose name cannot be told from the key
	for _, f := range fields {
		key := b.freeKey(m, f.Name)
		if KeyOf(f.Name) != strings.ReplaceAll(f.Name, "_", "-") {
			names.Fields = append(names.Fields, Field{strings.TrimPrefix(key, b.prefix), Text(f.Name)})
		}
		text := f.Value.Plain()
		if len(text) > maxAnnotation || total+len(text) > maxAnnotations {
			b.spill(d, key, f.Name, f.Value)
			continue
		}
		total += len(text)
		m.Annotations[key] = text
		if d.says(f.Name) {
			b.report.Note(&b.report.Said, f.Name, d.ID)
		} else {
			b.report.Note(&b.report.Kept, f.Name, d.ID)
		}
	}
	if len(names.Fields) > 0 {
		m.Annotations[b.freeKey(m, "field-names")] = names.Plain()
	}
}

// freeKey is the key for a field's annotation, which nothing else has.
func (b *Builder) freeKey(m *resources.Meta, name string) string {
	key := b.prefix + KeyOf(name)
	for {
		if _, taken := m.Annotations[key]; !taken && key != b.prefix+DigestKey {
			return key
		}
		name += "'"
		key = b.prefix + KeyOf(name)
	}
}

// Pointer begins an annotation whose text was too long: the file that keeps it follows.
const Pointer = "see .idumb/archive/unmapped/"

// spill moves a value out of an object that it is too long for; the annotation says where it is.
func (b *Builder) spill(d *Draft, key, name string, v Value) {
	at := d.ID
	if d.record != nil {
		at = strings.TrimPrefix(d.record.At+"."+name, ".")
	}
	b.Leave(d.file, at, v, "too long for an annotation: "+name, "too long for an annotation of "+d.ID)
	d.Meta().Annotations[key] = Pointer + leftPath(b.format, d.file)
}

// shrink makes an object fit into a file: what is longest of its texts goes to a leftover, and
// its beginning stays.
func (b *Builder) shrink(d *Draft) {
	for range 8 {
		data, err := resources.Encode(d.Object)
		if err != nil || len(data) <= resources.MaxFileSize-4096 {
			return
		}
		name, text := LongestText(d.Object)
		if text == nil || len(*text) < 4096 {
			b.trim(d)
			return
		}
		b.Leave(d.file, d.ID+" "+name, Text(*text), "texts too long for one file", "the whole text; "+name+" holds its beginning")
		b.report.Trouble(Problem{File: d.file.Path, ID: d.ID, Message: name + " is too long for one file; all of it is kept in " + leftPath(b.format, d.file)})
		*text = strings.ToValidUTF8((*text)[:2048], "") + "... (see .idumb/archive/unmapped/" + leftPath(b.format, d.file) + ")"
	}
}

// LongestText returns the longest text of an object, to be shortened where it is too long for a file; nil if its
// kind has none.
func LongestText(o resources.Object) (name string, text *string) {
	consider := func(n string, t *string) {
		if text == nil || len(*t) > len(*text) {
			name, text = n, t
		}
	}
	switch spec := o.SpecPointer().(type) {
	case *resources.TaskSpec:
		consider("spec.expectedOutput", &spec.ExpectedOutput)
		consider("spec.title", &spec.Title)
		consider("spec.reason", &spec.Reason)
		consider("spec.assignedTo", &spec.AssignedTo)
		if spec.Result != nil {
			consider("spec.result.evidence", &spec.Result.Evidence)
			consider("spec.result.testsRun", &spec.Result.TestsRun)
		}
	case *resources.WorkPlanSpec:
		consider("spec.title", &spec.Title)
		for i := range spec.Acceptance {
			consider("spec.acceptance", &spec.Acceptance[i])
		}
	case *resources.MemSpec:
		consider("spec.content", &spec.Content)
	case *resources.AnchorSpec:
		consider("spec.content", &spec.Content)
	case *resources.TrajectorySpec:
		consider("spec.intent", &spec.Intent)
	}
	return name, text
}

// trim empties the lists of an object that is too long because it lists so much.
func (b *Builder) trim(d *Draft) {
	if d.record != nil {
		b.Leave(d.file, d.record.At, d.record.Value, "records too long for one file", "its lists are too long for one object")
	}
	switch spec := d.Object.SpecPointer().(type) {
	case *resources.TaskSpec:
		spec.DependsOn, spec.FileLocks, spec.AllowedTools, spec.Paths = nil, nil, nil, nil
		if spec.Result != nil {
			spec.Result.FilesModified, spec.Result.AnchorsCreated = nil, nil
		}
	case *resources.WorkPlanSpec:
		spec.Acceptance, spec.Phases, spec.DependsOn = spec.Acceptance[:min(1, len(spec.Acceptance))], nil, nil
	case *resources.MemSpec:
		spec.Tags, spec.RelatedTo = nil, nil
	}
}
