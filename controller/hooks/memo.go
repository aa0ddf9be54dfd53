package hooks

import (
	"bytes"
	"encoding/json"
)

// memo is what the hook remembers about a session, besides its record: nothing
// that anybody else needs. Two runs at once may lose one another's change; what
// is lost is a line of advice that is given twice.
type memo struct {
	Advised      []string  `json:"advised,omitempty"`      // the lines of advice that were given, the latest
	Held         bool      `json:"holding,omitempty"`      // this turn was kept from ending once
	Score        int       `json:"score,omitempty"`        // of long prompts, since the whole pack was sent last
	Silent       int       `json:"silent,omitempty"`       // prompts with which nothing went, up to a number
	Opened       bool      `json:"opened,omitempty"`       // a first tool of the role was used
	Given        []receipt `json:"given,omitempty"`        // what was told since the whole pack was sent last, it included
	Aside        string    `json:"aside,omitempty"`        // what goes with this turn, where the host asks for the context of each request
	Lost         bool      `json:"lost,omitempty"`         // the agent's last words were those of one that lost its context
	Uncommitted  []string  `json:"uncommitted,omitempty"`  // tasks of which it was told that much is not committed
	Broke        []string  `json:"broke,omitempty"`        // what calls did to the plan, until the person is told
	SoonStale    string    `json:"soonStale,omitempty"`    // the task of which it was told that it turns stale, and when
	Delegation   string    `json:"delegation,omitempty"`   // the one that a subagent was told of
	Comments     []heard   `json:"comments,omitempty"`     // that it was told since it lost what it was told before, the latest
	CommentsSeen string    `json:"commentsSeen,omitempty"` // what comments there were when none was left untold
	Conflicts    []string  `json:"conflicts,omitempty"`    // of the team's objects that it was told of, and that stand
	PlansAsked   string    `json:"plansAsked,omitempty"`   // the call about which the user was asked whether to work without the team's plans
	PlansUnseen  bool      `json:"plansUnseen,omitempty"`  // that call ran: the user agreed, for this session
	Turn         *turn     `json:"turn,omitempty"`         // where it stood when the person spoke last, where anything is limited
}

// noteDelegation keeps which delegation the session is told of now, and reports whether
// that is news.
func (h *handler) noteDelegation() (news bool) {
	h.updateMemo(func(m *memo) {
		now := h.record().Delegation
		news, m.Delegation = m.Delegation != now, now
	})
	return news
}

// readMemo returns an empty memo where there is none that can be read.
func (h *handler) readMemo() memo { return memoIn(h.readNotes(notesMemo)) }

func memoIn(data []byte) memo {
	var m memo
	if json.Unmarshal(data, &m) != nil {
		return memo{}
	}
	return m
}

// updateMemo changes the memo and returns it. It is written if that makes a difference; if it
// cannot be, the hook works as if it were new.
func (h *handler) updateMemo(change func(*memo)) memo {
	before := h.readNotes(notesMemo)
	m := memoIn(before)
	change(&m)
	after, _ := json.Marshal(m) // of texts and numbers only
	if after = append(after, '\n'); !bytes.Equal(after, before) && (before != nil || string(after) != "{}\n") {
		_ = h.writeNotes(notesMemo, after)
	}
	return m
}

// known is the pack that the session knows the content of, "" if that cannot be told. Updates are
// made against it.
func (h *handler) known() string { return string(h.readNotes(notesKnown)) }

// remember keeps what the session knows from now on. If it cannot be kept, the whole
// pack is sent again. Of an answer that comes too late the session knows nothing.
func (h *handler) remember(pack string) {
	if pack != h.known() && (h.late == nil || !h.late()) {
		_ = h.writeNotes(notesKnown, []byte(pack))
	}
}
