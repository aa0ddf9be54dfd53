package migrate

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// complete puts what is left of a draft's record into its annotations and checks that the object can be
// written. false: it cannot, and its record is left.
func (b *Builder) complete(d *Draft) bool {
	b.annotate(d)
	for _, do := range d.Finally {
		do()
	}
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
	if d.Record != nil {
		b.Leave(d.file, "records that cannot be written", d.Record.At)
	}
	return false
}

// annotate notes the id and every field that was not understood. What cannot be told from its annotation is kept with
// its file.
func (b *Builder) annotate(d *Draft) {
	m := d.Meta()
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[b.prefix+IDKey] = d.ID
	fields := d.extra
	if d.Record != nil {
		fields = append(fields, d.Record.Rest()...)
	}
	for i, f := range fields {
		key := KeyOf(f.Name)
		if _, taken := m.Annotations[b.prefix+key]; taken || key == DigestKey {
			key = KeyOf(f.Name + "'")
			b.Keep(d.file)
		}
		if i >= len(d.extra) && key != strings.ReplaceAll(f.Name, "_", "-") {
			b.Keep(d.file)
		}
		m.Annotations[b.prefix+key] = f.Value.Plain()
		b.report.Note(&b.report.Kept, f.Name, d.ID)
	}
}

// Pointer begins an annotation whose text was too long: the file that keeps it follows.
const Pointer = "see .idumb/archive/unmapped/"

// shrink makes an object fit into a file: the longest of its annotations and texts give way to their beginning and the
// name of the file that keeps them.
func (b *Builder) shrink(d *Draft) {
	const room, beginning = 4096, 2048
	see := Pointer + keptPath(b.format, d.file)
	for range 100 {
		data, err := resources.Encode(d.Object)
		if err != nil || len(data) <= resources.MaxFileSize-room {
			return
		}
		annotations := d.Meta().Annotations
		key := longestOf(annotations)
		name, text := longestText(d.Object)
		switch {
		case text != nil && len(*text) > room && len(*text) >= len(annotations[key]):
			b.tooLong(d, "its "+name, len(*text))
			*text = strings.ToValidUTF8((*text)[:beginning], "") + "... (" + see + ")"
		case len(annotations[key]) > beginning:
			b.tooLong(d, key, len(annotations[key]))
			annotations[key] = see
		default:
			b.Leave(d.file, "records whose lists are too long for one file", d.ID)
			trim(d.Object)
			return
		}
	}
}

func (b *Builder) tooLong(d *Draft, what string, length int) {
	b.Leave(d.file, "texts too long for one file", d.ID+" "+what)
	b.report.Trouble(Problem{File: d.file.Path, ID: d.ID, Message: fmt.Sprintf("%s has %d bytes, too many for one file: left out", what, length)})
}

// longestOf is the key of the longest value.
func longestOf(values map[string]string) string {
	longest := ""
	for _, key := range sortedKeys(values) {
		if len(values[key]) > len(values[longest]) {
			longest = key
		}
	}
	return longest
}

// longestText returns the longest text of an object and what it is; nil if its kind has none.
func longestText(o resources.Object) (name string, text *string) {
	consider := func(n string, t *string) {
		if text == nil || len(*t) > len(*text) {
			name, text = n, t
		}
	}
	switch spec := o.SpecPointer().(type) {
	case *resources.TaskSpec:
		consider("expected output", &spec.ExpectedOutput)
		consider("title", &spec.Title)
		consider("reason", &spec.Reason)
		consider("agent", &spec.AssignedTo)
		if spec.Result != nil {
			consider("evidence", &spec.Result.Evidence)
			consider("tests", &spec.Result.TestsRun)
		}
	case *resources.WorkPlanSpec:
		consider("title", &spec.Title)
		for i := range spec.Acceptance {
			consider("acceptance", &spec.Acceptance[i])
		}
	case *resources.MemSpec:
		consider("content", &spec.Content)
	case *resources.AnchorSpec:
		consider("content", &spec.Content)
	case *resources.TrajectorySpec:
		consider("intent", &spec.Intent)
	}
	return name, text
}

// trim empties the lists of an object that is too long because it lists so much.
func trim(o resources.Object) {
	switch spec := o.SpecPointer().(type) {
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
