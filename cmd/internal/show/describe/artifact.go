package describe

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

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
