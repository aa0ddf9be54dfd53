// Package describe prints one object in detail, like kubectl describe: its metadata, spec, status
// and events.
package describe

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// Subject is the input of a description.
type Subject struct {
	Entry       *queries.Entry // the object that Around describes
	File        string         // path of the object's file
	Details     *queries.Description
	Checkpoints []records.Checkpoint // checkpoints of a task, oldest first
	Events      []resources.Event    // events of the object, newest last
	Now         time.Time
}

// Print writes the description.
func Print(w io.Writer, s Subject) error {
	p := &page{w: bufio.NewWriter(w), s: s}
	p.head()
	p.problem()
	if s.Entry.Object != nil {
		p.spec()
		p.status()
		p.sections()
		p.holder()
		p.blockers()
		p.waiting()
		p.related()
		p.differences()
		p.turns()
		p.remarks()
		p.checkpoints()
		p.conditions()
	}
	p.events()
	return p.w.Flush()
}

// page writes sections. It escapes all text from files.
type page struct {
	w *bufio.Writer
	s Subject
}

// linef writes a formatted line.
func (p *page) linef(format string, args ...any) {
	fmt.Fprintf(p.w, format, args...)
	p.w.WriteByte('\n')
}

// column is the column of values. The longest field name fits before it.
const column = 25

// field writes "Name: value" at a depth. A text of several lines is written below its name.
func (p *page) field(depth int, name, value string) {
	indent := strings.Repeat("  ", depth)
	value = terminal.Escape(strings.TrimRight(value, "\n"))
	if !strings.Contains(value, "\n") {
		p.linef("%s%-*s %s", indent, column-len(indent), name+":", value)
		return
	}
	p.linef("%s%s:", indent, name)
	for line := range strings.SplitSeq(value, "\n") {
		p.linef("%s  %s", indent, line)
	}
}

// head writes what all kinds have: name, kind, labels, annotations, creation, file, phase.
func (p *page) head() {
	e := p.s.Entry
	p.field(0, "Name", e.Key.Name)
	p.field(0, "Kind", e.Kind().Name)
	if e.Object != nil {
		meta := e.Object.Head().Metadata
		p.pairs("Labels", meta.Labels)
		p.pairs("Annotations", meta.Annotations)
		p.created(e.Object)
	}
	p.field(0, "File", p.s.File)
	if phase := e.Phase(); phase != "" {
		p.field(0, "Phase", phase)
	}
}

// created writes the creation time of an object and its age.
func (p *page) created(o resources.Object) {
	note := ""
	if o.Head().Metadata.CreationTimestamp.IsZero() {
		note = ", from the modification time of the file"
	}
	if at := o.Created(); !at.IsZero() {
		p.field(0, "Created", fmt.Sprintf("%s (%s ago%s)", at.UTC().Format(time.RFC3339), queries.Age(at, p.s.Now), note))
	}
}

const (
	// maxPair is the maximal length of a pair on one line, and of a line of a value, as in kubectl.
	maxPair = 140
	// maxPairLines is the maximal number of lines of a value.
	maxPairLines = 20
)

// pairs writes a map, one pair a line. A long value is written below its key and cut.
func (p *page) pairs(name string, pairs map[string]string) {
	if len(pairs) == 0 {
		p.field(0, name, printers.None)
		return
	}
	label := name + ":"
	for _, k := range slices.Sorted(maps.Keys(pairs)) {
		for _, line := range pairLines(k, pairs[k]) {
			p.linef("%-*s %s", column, label, terminal.EscapeLine(line))
			label = ""
		}
	}
}

// pairLines returns a label or an annotation as KEY=VALUE, or on several lines if it is long.
func pairLines(key, value string) []string {
	if utf8.RuneCountInString(key+value) <= maxPair && !strings.Contains(value, "\n") {
		return []string{key + "=" + value}
	}
	lines := []string{key + ":"}
	all := strings.Split(strings.TrimRight(value, "\n"), "\n")
	for _, line := range all[:min(maxPairLines, len(all))] {
		if r := []rune(line); len(r) > maxPair {
			line = string(r[:maxPair]) + "..."
		}
		lines = append(lines, "  "+line)
	}
	if more := len(all) - maxPairLines; more > 0 {
		lines = append(lines, fmt.Sprintf("  ... (%d more lines; -o yaml shows them)", more))
	}
	return lines
}

// problem writes why the file of the object is invalid, if it is.
func (p *page) problem() {
	problem := p.s.Entry.Problem
	if problem == nil {
		return
	}
	p.linef("Problem:")
	p.field(1, "Where", place(*problem))
	if problem.Field != "" {
		p.field(1, "Field", problem.Field)
	}
	p.field(1, "Reason", problem.Reason)
	p.field(1, "Remedy", problem.Remedy)
	if p.s.Entry.Object != nil {
		p.field(1, "Meanwhile", "the last valid version is in use and shown below")
	}
}

// place returns FILE:LINE:COLUMN of a problem, or only the file if the line is unknown.
func place(p resources.Problem) string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// conditions writes the table of the status conditions.
func (p *page) conditions() {
	common := resources.CommonOf(p.s.Entry.Status)
	if common == nil || len(common.Conditions) == 0 {
		return
	}
	p.linef("Conditions:")
	var rows [][]string
	for _, c := range common.Conditions {
		at := "<unknown>"
		if !c.LastTransitionTime.IsZero() {
			at = c.LastTransitionTime.UTC().Format(time.RFC3339)
		}
		rows = append(rows, []string{c.Type, c.Status, at, c.Reason, c.Message})
	}
	p.table(rows, "Type", "Status", "LastTransitionTime", "Reason", "Message")
}

// events writes the table of the events about the object.
func (p *page) events() {
	if len(p.s.Events) == 0 {
		p.field(0, "Events", printers.None)
		return
	}
	p.linef("Events:")
	var rows [][]string
	for _, e := range p.s.Events {
		rows = append(rows, []string{e.Type, e.Reason, printers.LastSeen(e, p.s.Now), e.From, e.Message})
	}
	p.table(rows, "Type", "Reason", "Age", "From", "Message")
}

// table writes rows below underlined headers, indented by two blanks like kubectl's describe.
func (p *page) table(rows [][]string, headers ...string) {
	underlines := make([]string, len(headers))
	for i, header := range headers {
		underlines[i] = strings.Repeat("-", len(header))
	}
	rows = append([][]string{headers, underlines}, rows...)
	widths := make([]int, len(headers))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = terminal.EscapeLine(cell)
			widths[i] = max(widths[i], len(row[i]))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			fmt.Fprintf(&b, "  %-*s", widths[i], cell)
		}
		p.linef("%s", strings.TrimRight(b.String(), " "))
	}
}

// sections lists the sections of an artifact's document, indented by their level, with their boxes
// and the reason why they are stale.
func (p *page) sections() {
	s, ok := p.s.Entry.Status.(*resources.ArtifactStatus)
	if !ok || len(s.Sections) == 0 {
		return
	}
	p.linef("Sections:")
	var rows [][]string
	for _, section := range s.Sections {
		around := strings.Split(section.Path, resources.SectionSeparator)
		boxes := ""
		if section.TasksTotal > 0 {
			boxes = fmt.Sprintf("%d/%d", section.TasksDone, section.TasksTotal)
		}
		rows = append(rows, []string{strings.Repeat("  ", len(around)-1) + around[len(around)-1], strconv.Itoa(section.Line), boxes, section.Because})
	}
	p.table(rows, "Section", "Line", "Boxes", "Stale Because")
}
