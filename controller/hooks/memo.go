package hooks

import (
	"encoding/json"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// hookDir keeps what the hook remembers between two runs of one session. It may
// be deleted at any time.
const hookDir = layout.HookDir

// memo is what the hook remembers about a session, besides its record: nothing
// that anybody else needs. Two runs at once may lose one another's change; what
// is lost is a line of advice that is given twice.
type memo struct {
	Advice     string   `json:"advice,omitempty"`     // the advice that was given last
	Held       int      `json:"held,omitempty"`       // how often this turn was kept from ending
	Score      int      `json:"score,omitempty"`      // of long prompts, since the whole pack was sent last
	Silent     int      `json:"silent,omitempty"`     // prompts with which nothing went, up to a number
	Opened     bool     `json:"opened,omitempty"`     // a first tool of the role was used
	Told       []string `json:"told,omitempty"`       // of files, since the whole pack was sent last, by ids
	Aside      string   `json:"aside,omitempty"`      // what goes with this turn, where the host asks for the context of each request
	Lost       bool     `json:"lost,omitempty"`       // the agent's last words were those of one that lost its context
	Delegation string   `json:"delegation,omitempty"` // the one that a subagent was told of
}

// newTurn forgets what belongs to one turn.
func (h *handler) newTurn() {
	if m := h.readMemo(); m.Held > 0 {
		m.Held = 0
		h.writeMemo(m)
	}
}

// noteDelegation keeps which delegation the session is told of now, and reports whether
// that is news.
func (h *handler) noteDelegation() bool {
	s, ok := h.repo.Session(h.sessionName())
	m := h.readMemo()
	if !ok || m.Delegation == s.Spec.Delegation {
		return false
	}
	m.Delegation = s.Spec.Delegation
	h.writeMemo(m)
	return true
}

func (h *handler) memoPath() string { return hookDir + "/" + h.sessionName() + ".json" }

// readMemo returns an empty memo where there is none that can be read.
func (h *handler) readMemo() memo {
	var m memo
	if h.sessionName() == "" {
		return m
	}
	data, _, err := h.repo.files.Read(h.memoPath(), layout.MaxSpec)
	if err != nil || json.Unmarshal(data, &m) != nil {
		return memo{}
	}
	return m
}

// writeMemo keeps a memo; if it cannot, the hook works as if it were new.
func (h *handler) writeMemo(m memo) {
	if h.sessionName() == "" {
		return
	}
	if data, err := json.Marshal(m); err == nil {
		_ = h.repo.root.Replace(h.memoPath(), append(data, '\n'))
	}
}
