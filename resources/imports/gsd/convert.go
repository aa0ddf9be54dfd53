package gsd

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/imports/markdown"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Convert is a migrate.Converter for the files of a .planning directory. Paths are relative
// to the directory.
func Convert(in migrate.Input) migrate.Outcome {
	b := &builder{Builder: migrate.NewBuilder("gsd", "GSD", in), streams: map[string]*stream{}}
	files := migrate.ByPath(in.Files)
	for _, f := range files {
		switch p := placeOf(f.Path); p.kind {
		case "":
			b.Leave(f, "files of no phase", "")
		case requirementsFile:
			doc := markdown.Parse(f.Data)
			to := b.stream(p).requirements
			for line := range strings.Lines(doc.Body) {
				if m := requirement().FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil && to[m[1]] == "" {
					to[m[1]] = strings.TrimSpace(m[2])
				}
			}
		case planFile, summaryFile, todoFile:
			b.stream(p).folder(p, f).add(p, f)
		}
	}
	for _, f := range files { // after the phase directories are known
		if p := placeOf(f.Path); p.kind == roadmapFile {
			b.stream(p).roadmap(f, p.label)
		}
	}
	if !slices.ContainsFunc(b.inOrder, func(s *stream) bool { return len(s.phases) > 0 }) {
		b.Foreign = "there is no ROADMAP.md with phases in it, and no folder phases with files like 01-02-PLAN.md; name the folder .planning as a whole"
	}
	for _, s := range b.inOrder {
		for _, ph := range s.phases {
			ph.make()
			ph.plans = slices.DeleteFunc(ph.plans, func(p *plan) bool { return !p.make() })
		}
		for _, ph := range s.phases {
			ph.dependsOn()
			for _, p := range ph.plans {
				p.spec().DependsOn, p.draft.Blocks = s.resolve(p, p.waits), s.resolve(p, p.blocks)
			}
			ph.stages()
		}
	}
	return b.Finish()
}

// builder converts the files of GSD.
type builder struct {
	*migrate.Builder
	streams map[string]*stream
	inOrder []*stream
}

// stream is a workstream, or the project itself. Phase numbers are unique in a stream.
type stream struct {
	*builder
	name         string
	phases       []*phase
	requirements map[string]string // texts by ID
}

// stream returns the stream of a file, and creates it if necessary.
func (b *builder) stream(p place) *stream {
	s := b.streams[p.stream]
	if s == nil {
		s = &stream{builder: b, name: p.stream, requirements: map[string]string{}}
		b.streams[p.stream], b.inOrder = s, append(b.inOrder, s)
	}
	return s
}

// folder returns the phase of a directory, and creates it if necessary.
func (s *stream) folder(p place, f migrate.File) *phase {
	i := slices.IndexFunc(s.phases, func(ph *phase) bool { return ph.folder == p.folder })
	if i < 0 {
		number, name := numberOf(p.folder)
		i, s.phases = len(s.phases), append(s.phases, &phase{stream: s, folder: p.folder, number: number, name: name, label: p.label, file: f})
	}
	return s.phases[i]
}

// roadmap adds the data in a roadmap to phases with directories, and creates the other
// phases.
func (s *stream) roadmap(f migrate.File, label string) {
	for _, e := range roadmap(markdown.Parse(f.Data)) {
		ph := s.described(e, label)
		if ph == nil {
			ph = &phase{stream: s, folder: strings.Trim(padded(e.number)+"-"+slug(e.name), "-"), number: e.number, name: e.name, label: label, file: f}
			s.phases = append(s.phases, ph)
		}
		// The first entry has precedence.
		if ph.entry == nil {
			ph.entry = e
		}
		for i := range e.plans {
			if pl := ph.plan(e.plans[i].stem); pl.planned == nil {
				pl.planned = &e.plans[i]
			}
		}
		ph.entry.done = ph.entry.done || e.done
		if len(ph.entry.criteria) == 0 {
			ph.entry.criteria = e.criteria
		}
	}
}

// described returns the phase that a roadmap entry describes: the phase with its number and
// name, else the only phase with its number in the same milestone.
func (s *stream) described(e *entry, label string) *phase {
	var same []*phase
	for _, ph := range s.phases {
		if fold(ph.number) != fold(e.number) {
			continue
		}
		if sameName(ph.name, e.name) {
			return ph
		}
		if ph.label == label {
			same = append(same, ph)
		}
	}
	if len(same) == 1 && same[0].entry == nil {
		return same[0]
	}
	return nil
}

// padded returns a number in the notation of directory names: 06 for 6.
func padded(number string) string {
	if whole, _, _ := strings.Cut(number, "."); len(whole) == 1 {
		return "0" + number
	}
	return number
}

// phase is a phase with its plans.
type phase struct {
	stream       *stream
	folder       string
	number, name string
	entry        *entry // roadmap entry, or nil
	label        string // milestone in which it was shipped
	file         migrate.File
	plans        []*plan
	id           string
}

// plan returns the plan with a number, and creates it if necessary.
func (ph *phase) plan(stem string) *plan {
	i := slices.IndexFunc(ph.plans, func(p *plan) bool { return fold(p.stem) == fold(stem) })
	if i < 0 {
		i, ph.plans = len(ph.plans), append(ph.plans, &plan{phase: ph, stem: stem})
	}
	return ph.plans[i]
}

// add adds a file to its plan.
func (ph *phase) add(p place, f migrate.File) {
	if p.kind == todoFile {
		ph.plans = append(ph.plans, &plan{phase: ph, stem: strings.TrimSuffix(path.Base(f.Path), ".md"), file: &f, done: p.stem != "pending"})
		return
	}
	pl := ph.plan(p.stem)
	to := &pl.file
	if p.kind == summaryFile {
		to = &pl.summary
	}
	if *to != nil { // a shipped phase that is also among the open ones
		ph.stream.Leave(f, "files that another folder also contains: the other file counts", "")
		return
	}
	*to = &f
}
