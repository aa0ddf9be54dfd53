package hooks

import (
	"bytes"
	"encoding/json"
	"time"
)

// sessionState holds data of the hook about a session that no other program needs.
// Concurrent runs may overwrite a change. The effect is only that a line of
// advice is repeated.
type sessionState struct {
	Advised      []string           `json:"advised,omitempty"`      // the latest lines of advice that were given
	HeldOnce     bool               `json:"holding,omitempty"`      // the end of this turn was held once
	Held         bool               `json:"held,omitempty"`         // the end of a turn of the session was held
	HeldWith     string             `json:"heldWith,omitempty"`     // the text that held the end of this turn
	Postponed    string             `json:"postponed,omitempty"`    // context for the answer after the call, if the host drops it before
	Agents       []string           `json:"agents,omitempty"`       // running subagents that the host does not tell from the session
	Score        int                `json:"score,omitempty"`        // score of long prompts since the whole pack was last sent
	Silent       int                `json:"silent,omitempty"`       // prompts that were sent without context, up to a limit
	Opened       bool               `json:"opened,omitempty"`       // a first tool of the role was used
	Receipts     []receipt          `json:"given,omitempty"`        // objects delivered since the whole pack was last sent, including the pack
	TurnContext  string             `json:"aside,omitempty"`        // the text for this turn, if the host requests context for each request
	LostContext  bool               `json:"lost,omitempty"`         // the agent has lost its context, as its last message or a compaction showed
	Uncommitted  []string           `json:"uncommitted,omitempty"`  // tasks for which the notice about uncommitted changes was given
	Broke        []string           `json:"broke,omitempty"`        // effects of calls on the plan, until the person is informed
	SoonStale    string             `json:"soonStale,omitempty"`    // the task and time of the last notice that a task becomes stale
	Delegation   string             `json:"delegation,omitempty"`   // the delegation that was delivered to a subagent
	Comments     []deliveredComment `json:"comments,omitempty"`     // delivered comments since the last loss of context, the latest
	CommentsSeen string             `json:"commentsSeen,omitempty"` // the state of the comments when all were delivered
	TodosTold    string             `json:"leftOpenBy,omitempty"`   // the session whose open to-do items were delivered
	LeftOpen     string             `json:"leftOpen,omitempty"`     // text about such items for the next prompt, if the host requests context for each request
	Conflicts    []string           `json:"conflicts,omitempty"`    // unresolved conflicts with remote objects that were reported
	PlansAsked   string             `json:"plansAsked,omitempty"`   // the call for which the user was asked whether to work without the team's plans
	PlansUnseen  bool               `json:"plansUnseen,omitempty"`  // that call ran: the user agreed, for this session
	ContextFrom  time.Time          `json:"contextFrom,omitzero"`   // when the agent's conversation was last lost, by a compaction
	EndedTask    string             `json:"endedTask,omitempty"`    // the last task of the session that was completed or abandoned
	TaskEnded    time.Time          `json:"taskEnded,omitzero"`     // when the hook saw that EndedTask had ended
	TurnExports  []string           `json:"turnExports,omitempty"`  // the exports of the last turns, oldest first
	Completed    []string           `json:"completed,omitempty"`    // IDs of tasks that the session completed since its last context
	Gathered     []string           `json:"gathered,omitempty"`     // tasks of subagents whose results were delivered
	Turn         *turn              `json:"turn,omitempty"`         // the counts at the person's last prompt, if triggers have limits
}

// noteDelegation records the delegation that is now delivered to the session,
// and reports whether it is new.
func (h *handler) noteDelegation() (news bool) {
	h.updateState(func(m *sessionState) {
		now := h.record().Delegation
		news, m.Delegation = m.Delegation != now, now
	})
	return news
}

// readState returns the session's state, or an empty one if it cannot be read.
func (h *handler) readState() sessionState { return decodeState(h.stateText()) }

// heldState is the session's state while an event is answered. It is read and
// written once.
type heldState struct {
	known      bool                  // the state was read
	read, text []byte                // the state as read, and as changed since
	changes    []func(*sessionState) // made since it was read
}

// holdState has the session's state read once until release, which writes the
// changes. If another run wrote the state in between, release repeats them on
// that state.
func (h *handler) holdState() (release func()) {
	held := &heldState{}
	h.state = held
	return func() {
		h.state = nil
		switch {
		case len(held.changes) == 0:
		case bytes.Equal(h.readNotes(notesMemo), held.read):
			_ = h.writeNotes(notesMemo, held.text)
		default:
			h.updateState(func(m *sessionState) {
				for _, change := range held.changes {
					change(m)
				}
			})
		}
	}
}

// stateText returns the session's state as stored, with the changes of this run.
func (h *handler) stateText() []byte {
	held := h.state
	if held == nil {
		return h.readNotes(notesMemo)
	}
	if !held.known {
		held.read, held.known = h.readNotes(notesMemo), true
		held.text = held.read
	}
	return held.text
}

// decodeState decodes a stored state. It returns the zero state for invalid JSON.
func decodeState(data []byte) sessionState {
	var m sessionState
	if json.Unmarshal(data, &m) != nil {
		return sessionState{}
	}
	return m
}

// updateState changes the session's state and returns it. It writes only a changed state. If the
// write fails, the change is lost. change may be called twice; see holdState.
func (h *handler) updateState(change func(*sessionState)) sessionState {
	before := h.stateText()
	m := decodeState(before)
	change(&m)
	after, _ := json.Marshal(m) // consists of texts and numbers only
	if after = append(after, '\n'); !bytes.Equal(after, before) && (before != nil || string(after) != "{}\n") {
		if h.state == nil {
			_ = h.writeNotes(notesMemo, after)
		} else {
			h.state.text, h.state.changes = after, append(h.state.changes, change)
		}
	}
	return m
}

// knownPack returns the pack that the session has received, or an empty text if it
// is unknown. Updates are relative to it.
func (h *handler) knownPack() string { return string(h.readNotes(notesKnown)) }

// remember records the pack that the session has received. If the write fails,
// the whole pack is sent again. It records nothing if the answer is too late to
// be delivered.
func (h *handler) remember(pack string) {
	if pack != h.knownPack() && (h.timedOut == nil || !h.timedOut()) {
		_ = h.writeNotes(notesKnown, []byte(pack))
	}
}
