package hooks

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// What hooks note of a session between two runs stands in files of its own, that any of them may
// lose: nobody else needs them. These are the endings of their names.
const (
	notesMemo    = ".json"
	notesCalls   = ".calls"   // a line for each call, with its time and tool
	notesDenials = ".denials" // a line for each denial
	notesWrites  = ".writes"  // a line for each checkpoint of a write
	notesPast    = ".past"    // what was done since a file was last written, see triggers.go
	notesLate    = ".late"    // what calls are to be told, should they have run
	notesSaid    = ".said"    // the agent's last words
	notesSpawns  = ".spawns"  // calls that started subagents
	notesOutputs = ".outputs" // for which tasks calls were made
	notesPruned  = ".pruned"  // what of the conversation is left out
)

// readNotes returns what was noted of the session of whoever acts; nil if nothing was. The bytes
// are good until another file is read.
func (h *handler) readNotes(what string) []byte { return h.repo.readNotes(h.sessionName(), what) }

// writeNotes replaces them.
func (h *handler) writeNotes(what string, data []byte) error {
	if h.sessionName() == "" {
		return errNoSession
	}
	return h.repo.root.Replace(layout.NotesPath(h.sessionName(), what), data)
}

// appendNotes adds to them, in one write. Before the session's first record there is no folder for
// them; nothing is lost but a count.
func (h *handler) appendNotes(what string, data []byte) {
	h.repo.appendNotes(h.sessionName(), what, data)
}

// appendNoteLine adds a line of JSON.
func (h *handler) appendNoteLine(what string, v any) {
	if data, err := json.Marshal(v); err == nil {
		h.appendNotes(what, append(data, '\n'))
	}
}

var errNoSession = errors.New("no session is known")

func (r *repo) readNotes(session, what string) []byte {
	if session == "" {
		return nil
	}
	data, _, err := r.files.Read(layout.NotesPath(session, what), layout.MaxLog)
	if err != nil {
		return nil
	}
	return data
}

func (r *repo) appendNotes(session, what string, data []byte) {
	if session != "" {
		_ = r.files.Append(layout.NotesPath(session, what), data)
	}
}

// notesOf are those of any session, by the name of its record.
func notesOf(root layout.Root, session, what string) []byte {
	r := repo{root: root, files: layout.NewReader(root)}
	defer r.files.Close()
	return bytes.Clone(r.readNotes(resources.NameOfID(session), what))
}

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

// readMemo returns an empty memo where there is none that can be read.
func (h *handler) readMemo() memo {
	var m memo
	if json.Unmarshal(h.readNotes(notesMemo), &m) != nil {
		return memo{}
	}
	return m
}

// writeMemo keeps a memo; if it cannot, the hook works as if it were new.
func (h *handler) writeMemo(m memo) {
	if data, err := json.Marshal(m); err == nil {
		_ = h.writeNotes(notesMemo, append(data, '\n'))
	}
}

// known is the pack that the session knows the content of, "" if that cannot be told. Updates are
// made against it.
func (h *handler) known() string { return string(h.readNotes(layout.KnownPack)) }

// remember keeps what the session knows from now on. If it cannot be kept, the whole
// pack is sent again.
func (h *handler) remember(pack string) {
	if pack != h.known() {
		_ = h.writeNotes(layout.KnownPack, []byte(pack))
	}
}
