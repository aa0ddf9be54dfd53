package documents

import "strings"

// states maps words in documents to states.
var states = [...]struct{ word, state string }{
	{"superseded", "superseded"}, {"superceded", "superseded"}, {"replaced by", "superseded"},
	{"abandoned", "abandoned"}, {"withdrawn", "abandoned"}, {"cancelled", "abandoned"}, {"canceled", "abandoned"},
	{"deprecated", "deprecated"}, {"obsolete", "deprecated"}, {"rejected", "rejected"}, {"declined", "rejected"},
	{"in progress", "active"}, {"in-progress", "active"}, {"not started", "draft"}, {"incomplete", "active"}, {"not implemented", "draft"}, {"ready for", "active"},
	{"implemented", "completed"}, {"completed", "completed"}, {"complete", "completed"}, {"done", "completed"}, {"shipped", "completed"}, {"closed", "completed"},
	{"accepted", "accepted"}, {"approved", "accepted"}, {"adopted", "accepted"},
	{"proposed", "proposed"}, {"proposal", "proposed"}, {"under review", "proposed"}, {"in review", "proposed"}, {"review", "proposed"}, {"on hold", "proposed"},
	{"draft", "draft"}, {"wip", "draft"}, {"planned", "draft"}, {"todo", "draft"}, {"ready", "active"}, {"active", "active"}, {"current", "active"}, {"living", "active"},
}

// setState sets the state from the first declaration in a document. It ignores templates
// with several alternatives.
func (t *text) setState(value string, line int) {
	if t.state != "" || len(value) > longestTitle*2 {
		return
	}
	lower := strings.ToLower(strings.TrimSpace(strings.Trim(value, "*_`~ ")))
	if strings.Count(lower, "|") > 0 || strings.Contains(lower, "{") || strings.HasPrefix(lower, "[") && !strings.Contains(lower, "](") {
		return
	}
	at := len(lower)
	for _, s := range states {
		if i := strings.Index(lower, s.word); i >= 0 && i < at {
			at, t.state, t.stateLine = i, s.state, line
		}
	}
	if t.state == "superseded" {
		if _, by, found := strings.Cut(lower, " by "); found && t.supersededBy == "" {
			t.supersededBy = linkIn(value[len(value)-len(by):])
		}
	}
}

// readState reads a line that declares a state: "Status: Accepted", "**Status:** Draft", "*
// Status: ..", "> Superseded by ..", or the line below a heading "Status".
func (t *text) readState(line string, number int, underStatus bool) {
	plain := strings.TrimLeft(line, "-*+>|_ ")
	switch lower := strings.ToLower(plain); {
	case underStatus && line[0] != '#' && line[0] != '<':
		t.setState(line, number)
	case strings.HasPrefix(lower, "status"):
		if name, value, found := strings.Cut(plain, ":"); found && len(strings.Trim(name, "*_ ")) == len("status") {
			t.setState(strings.TrimLeft(value, "* _"), number)
		}
	case strings.HasPrefix(lower, "superseded by"), strings.HasPrefix(lower, "this document is superseded"):
		t.setState(plain, number)
	case strings.HasPrefix(lower, "supersedes") && t.supersedes == "":
		t.supersedes = linkIn(strings.TrimLeft(plain[len("supersedes"):], "*:_ "))
	}
}

// linkIn returns the target of the first link in a text, or the text without markup.
func linkIn(value string) string {
	if _, rest, found := strings.Cut(value, "]("); found {
		to, _, _ := strings.Cut(rest, ")")
		return strings.TrimSpace(to)
	}
	return clip(strings.Trim(strings.TrimSpace(value), "*_`.[]\"' "))
}
