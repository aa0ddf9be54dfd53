package packer

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/tokens"
)

// LimitFor returns the limit of packs (Input.Limit) for a host that passes on at most host
// characters of one answer; 0 means no limit. It leaves room for text besides the pack.
func LimitFor(host int) int {
	const beside = 800
	if host <= 0 {
		return 0
	}
	return max(host-beside, MinLimit)
}

// Compaction returns the part of a pack that the summary of a conversation must keep: language and
// rules, critical anchors, plan, chain and delegations, false paths, next tasks, and the active
// tasks with their checkpoints, last their long texts. Entries that do not fit into limit
// characters (UTF-16 code units) are left out as a whole, the least important first. It returns ""
// if pack is not a pack or nothing fits.
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
		if tokens.Measure(excerpt(list, kept)).Characters > limit {
			kept[i] = false
		}
	}
	if !slices.Contains(kept, true) {
		return ""
	}
	return excerpt(list, kept)
}

// excerpt returns a pack with some of the statements of another one.
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

// weight returns the importance of a statement after a compaction. It is 0 for statements that come
// again with the whole context.
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
