package gsd

import (
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources/imports/markdown"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// entry is the description of a phase in a roadmap.
type entry struct {
	number, name string
	done         bool
	milestone    string
	goal         string
	waits        string   // dependencies as text
	criteria     []string // success criteria
	plans        []planned
}

// planned is a line for a plan in a roadmap.
type planned struct {
	stem, text string
	done       bool
}

// Lines of a roadmap: the heading of a phase, its line in the list of phases, a line for a
// plan, a field, an item of a numbered list, and the version of a milestone.
var (
	phaseHeading = migrate.Pattern(`^[^\pL]*Phase\s+([\w.-]*\d[\w.-]*)\s*(?::|[—–]|-\s)\s*(.*)$`)
	phaseLine    = migrate.Pattern(`^\s*[-*] \[(.)\] ~*\**Phase ([\w.-]*\d[\w.-]*)\s*(?::|[—–])\s*([^*]*)`)
	planLine     = migrate.Pattern("^\\s*[-*] \\[(.)\\] [*`~]*([A-Za-z0-9.]+(?:-[A-Za-z0-9.]+)*-[A-Za-z0-9.]*\\d[A-Za-z0-9.]*?)(?:-PLAN)?(?:\\.md)?[*`~]*:?[*]*\\s*(?:—|–|-+)?\\s*(.*)$")
	field        = migrate.Pattern(`^\*\*([A-Z][A-Za-z ]+)(?::\*\*|\*\*\s*:|\*\*[^:]*:)\s*(.*)$`)
	counted      = migrate.Pattern(`^\s*(?:\d+\.|-|\*)\s+(.*)$`)
	milestone    = migrate.Pattern(`\bv\d+(?:\.\d+)*\b`)
	linkSuffix   = migrate.Pattern(`(?i)\s*(?:\((?:inserted|[^()]*(?:complete|plans?|shipped|superseded)[^()]*)\)|✅|--.*|—.*)\s*$`)
)

// roadmap parses a ROADMAP.md. A phase that is in the list and has a heading is returned
// once.
func roadmap(doc markdown.Document) []*entry {
	r := reader{entries: map[string]*entry{}}
	for _, s := range doc.Sections() {
		r.current = nil
		if m := phaseHeading().FindStringSubmatch(s.Title); m != nil && s.Level > 1 {
			r.current = r.entry(m[1], m[2])
			r.current.done = r.current.done || strings.Contains(s.Title, "✅")
		} else if s.Level > 1 {
			r.milestone = milestone().FindString(s.Title)
		}
		r.list = nil
		for _, line := range s.Lines {
			r.parseLine(line)
		}
	}
	return r.all
}

// reader is the state of parsing a roadmap.
type reader struct {
	all       []*entry
	entries   map[string]*entry
	milestone string
	current   *entry    // current phase
	list      *[]string // destination of list items
}

// entry returns the entry of a phase, and creates it if necessary.
func (r *reader) entry(number, name string) *entry {
	name = strings.Trim(strings.TrimSpace(name), "*~ ")
	for short := linkSuffix().ReplaceAllString(name, ""); short != name && short != ""; short = linkSuffix().ReplaceAllString(name, "") {
		name = short
	}
	key := fold(number) + " " + slug(name)
	e := r.entries[key]
	if e == nil {
		e = &entry{number: strings.TrimRight(number, ".-"), name: name, milestone: r.milestone}
		r.entries[key], r.all = e, append(r.all, e)
	}
	return e
}

// parseLine parses one line of a roadmap.
func (r *reader) parseLine(line string) {
	if strings.Contains(line, "<summary>") {
		r.milestone = milestone().FindString(line)
	}
	if m := phaseLine().FindStringSubmatch(line); m != nil {
		e := r.entry(m[2], m[3])
		e.done, r.list = e.done || ticked(m[1]), nil
		return
	}
	if r.current == nil {
		return
	}
	if m := planLine().FindStringSubmatch(line); m != nil {
		r.current.plans = append(r.current.plans, planned{stem: m[2], text: strings.Trim(m[3], "* "), done: ticked(m[1])})
		return
	}
	if m := field().FindStringSubmatch(strings.TrimSpace(line)); m != nil {
		// a line such as **Goal**: text
		text := m[2]
		r.list = nil
		switch strings.ToLower(m[1]) {
		case "goal":
			r.current.goal = text
		case "depends on":
			r.current.waits = text
		case "success criteria":
			r.list = &r.current.criteria
		}
		return
	}
	if m := counted().FindStringSubmatch(line); m != nil && r.list != nil {
		*r.list = append(*r.list, strings.ReplaceAll(strings.TrimSpace(m[1]), "**", ""))
	} else if strings.TrimSpace(line) != "" {
		r.list = nil
	}
}

// ticked reports whether the mark of a checkbox is set.
func ticked(mark string) bool { return strings.EqualFold(mark, "x") }

// Patterns for a dependency text, "Phases 3, 4 and 6-8 (all shipped)": a
// remark, a phase or range of phases, and a range.
var (
	inWords  = migrate.Pattern(`\(.*?\)`)
	phaseRef = migrate.Pattern(`(?:[A-Za-z]+-)*[A-Za-z]*\d+(?:\.\d+)*[A-Za-z]?(?:\s*[-–]\s*\d+\b)?`)
	span     = migrate.Pattern(`^(\d+)\s*[-–]\s*(\d+)$`)
)

// waitsFor returns the phases in the text after "Depends on". A range such as 1-3 counts as its
// numbers.
func (e *entry) waitsFor() []string {
	text, _, _ := strings.Cut(inWords().ReplaceAllString(e.waits, ""), ";")
	var list []string
	for _, ref := range phaseRef().FindAllString(text, -1) {
		m := span().FindStringSubmatch(ref)
		if m == nil {
			list = append(list, ref)
			continue
		}
		first, _ := strconv.Atoi(m[1])
		last, _ := strconv.Atoi(m[2])
		for n := first; n <= last && n-first < 100; n++ {
			list = append(list, strconv.Itoa(n))
		}
	}
	return list
}

// requirement matches a line of a REQUIREMENTS.md: - [ ] **AUTH-01**: text.
var requirement = migrate.Pattern(`^\s*[-*] (?:\[.\] )?\*\*\[?([A-Z][A-Z0-9]*(?:-[A-Z0-9.]+)+)\]?\**:?\**:?\s*(.*)$`)

// textsOf returns the texts in a list, or a single text. An item with a colon, which YAML
// parses as an object, is converted back to text.
func textsOf(v migrate.Value) []string {
	items := v.Items
	if v.Type != migrate.List {
		items = []migrate.Value{v}
	}
	var list []string
	for _, item := range items {
		text := item.Plain()
		if item.Type == migrate.Object && len(item.Fields) > 0 {
			parts := make([]string, len(item.Fields))
			for i, f := range item.Fields {
				parts[i] = f.Name + ": " + f.Value.Plain()
			}
			text = strings.Join(parts, ", ")
		}
		if text = strings.TrimSpace(text); text != "" {
			list = append(list, text)
		}
	}
	return list
}
