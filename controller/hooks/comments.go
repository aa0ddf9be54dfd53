package hooks

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// The hook delivers comments on a session's work to the session: with the
// result of its next call, its next prompt, the pack of its task, and before it
// stops. A comment counts as delivered, with an entry in its log, when a later
// event shows that the agent continued. Until then it is delivered again, with
// its name. After a compaction all unsettled comments are delivered again.

// deliveredComment is a comment that was sent to the session.
type deliveredComment struct {
	Name           string `json:"name"`
	Delivered      int64  `json:"at"` // when it was sent, in Unix milliseconds
	Turn           int    `json:"turn,omitempty"`
	Counts         bool   `json:"counts,omitempty"` // the agent has continued since
	InConversation bool   `json:"beside,omitempty"` // it is in the conversation, and not only in the text that is sent with each request
}

// Limits of comment delivery: the comments in one answer, with the rest in the
// next; the newest comments of a session; and the newest informational comments
// from before the session.
const (
	maxComments = 5
	maxHeard    = 500
	maxOld      = 10
)

// confirmsDelivery reports whether an event shows that earlier answers have reached the
// agent.
func confirmsDelivery(t hosts.EventType) bool {
	switch t {
	case hosts.BeforeTool, hosts.AfterTool, hosts.Stop, hosts.SubagentStop, hosts.BeforeCompact:
		return true
	}
	return false
}

// anyComments reports whether the repository has comments. It is called at each
// event.
func (h *handler) anyComments() bool {
	return h.sessionName() != "" && len(h.repo.Names(resources.Comments)) > 0
}

// countComments records the delivery in the logs of the comments that have
// reached the session.
func (h *handler) countComments() {
	if !confirmsDelivery(h.event.Type) || !h.anyComments() {
		return
	}
	pending := func(c deliveredComment) bool { return !c.Counts }
	if !slices.ContainsFunc(h.readState().Comments, pending) {
		return
	}
	var reached []deliveredComment
	h.updateState(func(m *sessionState) {
		for i := range m.Comments {
			if c := &m.Comments[i]; !c.Counts {
				c.Counts = true
				reached = append(reached, *c)
			}
		}
	})
	for _, c := range reached {
		_ = h.repo.AppendCheckpoint(c.Name, resources.Checkpoint{
			Time: resources.NewTime(time.UnixMilli(c.Delivered)), Session: h.sessionName(), Agent: h.event.Agent, Tool: resources.ToolTold, Turn: c.Turn,
		})
	}
}

// withComments adds undelivered comments to an answer.
func (h *handler) withComments(a hosts.Answer) hosts.Answer {
	if a.Deny != "" || a.LateReason != "" || a.Hold != "" || h.repo.settings.Mode == admission.ModeOff {
		return a
	}
	switch h.event.Type {
	case hosts.AfterTool:
		if h.event.AnswerIgnored {
			return a
		}
	case hosts.Prompt:
	case hosts.SessionStart, hosts.SubagentStart:
		if h.composes() { // the host requests context for each request
			return a
		}
	default:
		return a
	}
	text := h.commentLines(a.Context, h.limit-characters(a.Context))
	if h.passing() {
		h.saveTurnText(h.readState().TurnContext + text)
		return a
	}
	a.Context = inLines(a.Context, text)
	return a
}

// passing reports whether an answer reaches only the requests of this turn.
// Binding comments come at the end of each request with the pack.
func (h *handler) passing() bool { return h.composes() && h.event.Type == hosts.Prompt }

// commentLines returns the lines of the undelivered comments, in at most room
// characters, and records and logs that they are sent. said is text of the same
// answer; comments in it are omitted.
func (h *handler) commentLines(said string, room int) string {
	if !h.anyComments() {
		return ""
	}
	m := h.readState()
	seen := h.commentsSeen(&m)
	if seen != "" && seen == m.CommentsSeen && !slices.ContainsFunc(m.Comments, func(c deliveredComment) bool { return !c.Counts }) {
		return ""
	}
	list := h.undeliveredComments(&m)
	if len(list) == 0 && (seen == "" || !h.repo.trusted()) {
		return ""
	}
	var lines []string
	var told []deliveredComment
	left := 0
	for _, c := range list {
		line := h.inTools(strings.Join(strings.Fields(admission.SafeText(admission.CommentLine(c, h.repo))), " "))
		switch {
		case h.passing() && status.CommentBinds(c, h.repo):
			left++
			continue
		case strings.Contains(said, "("+c.Metadata.Name+")"):
		case len(lines) == maxComments || characters(line)+1 > room:
			left++
			continue
		default:
			lines, room = append(lines, line), room-characters(line)-1
		}
		told = append(told, h.deliveryOf(c, !h.passing()))
	}
	if left > 0 {
		seen = ""
	}
	h.recordDelivered(told, seen)
	if len(lines) == 0 {
		return ""
	}
	text := strings.Join(lines, "\n") + "\n"
	h.logDelivery(text)
	return text
}

// deliveryOf returns the record of a comment that is sent now.
func (h *handler) deliveryOf(c *resources.Comment, beside bool) deliveredComment {
	return deliveredComment{Name: c.Metadata.Name, Delivered: h.repo.now.UnixMilli(), Turn: h.record().Counters.Turns, InConversation: beside}
}

// recordDelivered records the comments that are sent to the session now. seen is the
// value of commentsSeen if no comment is left, else empty.
func (h *handler) recordDelivered(told []deliveredComment, seen string) {
	h.updateState(func(m *sessionState) {
		for _, c := range told {
			m.Comments = append(slices.DeleteFunc(m.Comments, func(was deliveredComment) bool { return was.Name == c.Name }), c)
		}
		m.Comments, m.CommentsSeen = m.Comments[max(0, len(m.Comments)-2*maxHeard):], seen
	})
}

// undeliveredComments returns the comments for the session that were not delivered, or may
// not have arrived, the oldest first. It returns none if the repository is not
// trusted.
func (h *handler) undeliveredComments(m *sessionState) []*resources.Comment {
	all := h.dropOld(h.concerning(m))
	all = slices.DeleteFunc(all[max(0, len(all)-maxHeard):], func(c *resources.Comment) bool {
		return c.Spec.Author == resources.SessionPrefix+h.sessionName() && h.repo.Evidence(c.Metadata.Name).Comment.Local ||
			slices.ContainsFunc(m.Comments, func(was deliveredComment) bool { return was.Counts && was.Name == c.Metadata.Name })
	})
	if len(all) == 0 || !h.repo.trusted() {
		return nil
	}
	return all
}

// dropOld removes informational comments from before the session, except the
// newest maxOld.
func (h *handler) dropOld(all []*resources.Comment) []*resources.Comment {
	old, begun := 0, h.record().StartedAt.Time
	if begun.IsZero() {
		begun = h.repo.now
	}
	for i, c := range slices.Backward(all) {
		if c.Created().Before(begun) && !status.CommentBinds(c, h.repo) {
			if old++; old > maxOld {
				all[i] = nil
			}
		}
	}
	return slices.DeleteFunc(all, func(c *resources.Comment) bool { return c == nil })
}

// concerning returns the unsettled comments on the session, its delegation, its
// task and plan, the mems and anchors it was given, and the answers to its
// questions. Each is listed once, the oldest first.
func (h *handler) concerning(m *sessionState) (all []*resources.Comment) {
	keys := []resources.Key{{Kind: resources.Sessions, Name: h.sessionName()}}
	if d := h.record().Delegation; d != "" {
		keys = append(keys, resources.Key{Kind: resources.Delegations, Name: d})
	}
	if t, ok := h.work(); ok {
		keys = append(keys, t.Key(), resources.Key{Kind: resources.WorkPlans, Name: t.Spec.WorkPlan})
	}
	for _, g := range m.Receipts {
		if kind, name, ok := strings.Cut(g.ID, "/"); ok && (kind == resources.Mems || kind == resources.Anchors) {
			keys = append(keys, resources.Key{Kind: kind, Name: name})
		}
	}
	for _, key := range keys {
		all = append(all, status.CommentsOn(key, h.repo)...)
	}
	for _, question := range h.repo.CommentsBy(resources.SessionPrefix + h.sessionName()) {
		for _, by := range h.repo.CommentsNaming(question.Key()) {
			if by.Spec.InReplyTo == question.Metadata.Name && status.CommentSettledBy(by, h.repo) == "" {
				all = append(all, by)
			}
		}
	}
	slices.SortFunc(all, func(a, b *resources.Comment) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	return slices.CompactFunc(all, func(a, b *resources.Comment) bool { return a.Metadata.Name == b.Metadata.Name })
}

// commentsSeen identifies the state of the comments and of their subjects.
// If it is unchanged since no comment was left, nothing needs to be read. It is
// empty if the state is unknown.
func (h *handler) commentsSeen(m *sessionState) string {
	now := h.repo.contexts.Comments()
	if now == "" {
		return ""
	}
	task := ""
	if t, ok := h.work(); ok {
		task = t.Metadata.Name
	}
	return strings.Join([]string{now, task, h.record().Delegation, strconv.Itoa(len(m.Receipts))}, " ")
}

// inTail records the comments in the text that a host adds at the end of each
// request.
func (h *handler) inTail(text string) {
	if text == "" || !h.anyComments() {
		return
	}
	m := h.readState()
	var told []deliveredComment
	for _, c := range h.undeliveredComments(&m) {
		if strings.Contains(text, "("+c.Metadata.Name+")") {
			told = append(told, h.deliveryOf(c, false))
		}
	}
	if len(told) > 0 {
		h.recordDelivered(told, "")
	}
}

// deliveredIDs returns the IDs of the comments in the conversation.
func (m *sessionState) deliveredIDs() (ids []string) {
	for _, c := range m.Comments {
		if c.InConversation {
			ids = append(ids, resources.Key{Kind: resources.Comments, Name: c.Name}.String())
		}
	}
	return ids
}

// untoldInstruction returns the undelivered comments if one of them is a person's
// instruction that was never sent. The agent must not stop before it has them. It
// is empty otherwise, and for a turn that was cancelled or waits for other work.
func (h *handler) untoldInstruction() string {
	if !h.anyComments() || h.event.Cancelled || h.event.Waiting {
		return ""
	}
	m := h.readState()
	for _, c := range h.undeliveredComments(&m) {
		if status.CommentBinds(c, h.repo) && !slices.ContainsFunc(m.Comments, func(was deliveredComment) bool { return was.Name == c.Metadata.Name }) {
			return h.untoldAtStop()
		}
	}
	return ""
}

// untoldAtStop returns all undelivered comments, for a session that is about to
// stop.
func (h *handler) untoldAtStop() string {
	const heading = "Before you stop: these comments are new. Act on them, or answer them.\n"
	return strings.TrimSuffix(heading+h.commentLines("", h.limit-characters(heading)), "\n")
}
