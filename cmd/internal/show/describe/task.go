package describe

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// blockers writes the dependencies that block the object, each with its phase.
func (p *page) blockers() {
	around := p.s.Details
	if len(around.BlockedBy) == 0 {
		return
	}
	p.linef("Blocked By:")
	var rows [][]string
	for _, b := range around.BlockedBy {
		rows = append(rows, []string{b.Name, b.Phase, b.Title})
	}
	p.table(rows, "Name", "Phase", "Title")
	if around.MoreBlocked > 0 {
		p.linef("  and %d more", around.MoreBlocked)
	}
}

// holder writes the holder of a task's lease.
func (p *page) holder() {
	if l := p.s.Details.Holder; l != nil && l.Ended() != "" {
		p.field(0, "Ended", l.Worker()+" on "+l.Spec.Holder.Machine+", at "+l.Spec.AcquireTime.UTC().Format(time.RFC3339))
	} else if l != nil {
		p.field(0, "Held By", l.Spec.Holder.String()+", since "+l.Spec.AcquireTime.UTC().Format(time.RFC3339))
	}
}

// waiting writes the tasks or plans that depend on this one.
func (p *page) waiting() {
	names := p.s.Details.NeededBy
	if len(names) == 0 {
		return
	}
	if more := p.s.Details.MoreNeeded; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	p.field(0, "Needed By", strings.Join(names, ", "))
}

// related writes the objects that belong to a task.
func (p *page) related() {
	for _, r := range p.s.Details.Related {
		names := r.Items
		if r.Rest > 0 {
			names = append(names, fmt.Sprintf("and %d more", r.Rest))
		}
		p.field(0, r.Name, strings.Join(names, ", "))
	}
}

// remarks writes the comments on an object and their delivery.
func (p *page) remarks() {
	around := p.s.Details
	if len(around.Remarks) == 0 {
		return
	}
	p.linef("Comments:")
	if around.MoreRemarks > 0 {
		p.linef("  and %d older ones: idumb get comments", around.MoreRemarks)
	}
	for _, r := range around.Remarks {
		p.linef("  %s  %s ago  %s, %s; %s", r.Name, queries.Age(r.Time.Time, p.s.Now), terminal.EscapeLine(r.Author), r.Type, terminal.EscapeLine(r.State))
		for line := range strings.SplitSeq(r.Body, "\n") {
			p.linef("    %s", terminal.EscapeLine(line))
		}
	}
}

// differences writes the changes of files that a mem cites.
func (p *page) differences() {
	for _, d := range p.s.Details.Differences {
		p.linef("Then And Now:  %s", terminal.EscapeLine(d.Cites))
		for _, line := range d.Lines {
			p.linef("  %s", terminal.EscapeLine(line))
		}
	}
}

// turns writes the milestones of a plan, newest last.
func (p *page) turns() {
	turns := p.s.Details.Turns
	if len(turns) == 0 {
		return
	}
	const last = 20
	p.linef("Turning Points:")
	var rows [][]string
	for _, turn := range turns[max(0, len(turns)-last):] {
		rows = append(rows, []string{turn.Time.UTC().Format(time.RFC3339), turn.Kind, turn.Object, turn.Text})
	}
	p.table(rows, "Time", "What", "Object", "Text")
}

// checkpoints writes the newest checkpoints of a task.
func (p *page) checkpoints() {
	if p.s.Entry.Key.Kind != resources.Tasks {
		return
	}
	all := p.s.Checkpoints
	if len(all) == 0 {
		p.field(0, "Checkpoints", printers.None)
		return
	}
	p.field(0, "Checkpoints", fmt.Sprint(len(all)))
	const last = 5
	var rows [][]string
	for _, c := range all[max(0, len(all)-last):] {
		rows = append(rows, []string{queries.Age(c.Time.Time, p.s.Now), c.Tool, outcome(c), records.Summary(c.Checkpoint)})
	}
	p.table(rows, "Age", "Tool", "Ok", "Summary")
}

// outcome returns yes or no for the result of a checkpoint, "-" if it is unknown.
func outcome(c records.Checkpoint) string {
	switch {
	case c.Succeeded == nil:
		return "-"
	case *c.Succeeded:
		return "yes"
	}
	return "no"
}

// pairs formats an object on one line: file=src/**, succeeds=true.
func pairs(values map[string]any) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, k+"="+text(values[k]))
	}
	return strings.Join(parts, ", ")
}
