package packer

import (
	"slices"
	"strings"
)

// LimitFor is the limit of packs (Input.Limit) for a host that passes on so many
// characters of one answer; 0: no limit. It leaves room for what is said beside a pack.
func LimitFor(host int) int {
	const beside = 800
	if host <= 0 {
		return 0
	}
	return max(host-beside, MinLimit)
}

// Compaction returns the part of a pack that the summary of a conversation must not
// lose: language and rules, critical anchors, plan, chain and hand-overs, ways that proved
// wrong, what comes next, and the active tasks with their checkpoints; last what these say at
// length. Of what does not fit into limit characters (UTF-16 code units), the least important
// entries are left out as a whole. It is "" for what is no pack, or where nothing fits.
func Compaction(pack []byte, limit int) string {
	list, ok := statements(pack)
	if !ok {
		return ""
	}
	kept := make([]bool, len(list))
	var order []int
	for i, s := range list {
		if s.weight() > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return list[j].weight() - list[i].weight() })
	for _, i := range order {
		kept[i] = true
		if measure(excerpt(list, kept)).characters > limit {
			kept[i] = false
		}
	}
	if !slices.Contains(kept, true) {
		return ""
	}
	return excerpt(list, kept)
}

// excerpt is a pack of some of the statements of another one.
func excerpt(list []statement, kept []bool) string {
	w := &writer{}
	w.WriteString(opening)
	for i, s := range list {
		if kept[i] {
			w.enter(s.position.section, s.position.group)
			w.WriteString(s.text + "\n")
		}
	}
	w.enter()
	w.WriteString(closing)
	return w.String()
}

// weight is how much a statement matters after a compaction; 0: not at all, because
// the whole context comes again then.
func (s statement) weight() int {
	switch {
	case strings.HasPrefix(s.text, "- Language: "):
		return 10
	case strings.HasPrefix(s.position.group, "active_task"):
		if strings.HasPrefix(s.text, descriptionLabel) || strings.HasPrefix(s.text, notesLabel) {
			return 1
		}
		return 9
	case s.position.group == commentsGroup:
		return 9
	case s.critical():
		return 8
	case s.position.group == "delegation", s.position == position{section: plan.String()}:
		return 7
	case s.position.section == rules.String():
		return 6
	case s.position.section == antiPatterns.String():
		return 5
	}
	return map[string]int{"chain": 5, "next": 4, "done": 3, "warnings": 2}[s.position.group]
}
