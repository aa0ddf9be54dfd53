package hook

import (
	"encoding/json"
	"os"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources/admission"
)

// hookDir keeps what the hook remembers between two runs of one session. It may
// be deleted at any time.
const hookDir = layout.RunDir + "/hook"

// memo is what the hook remembers about a session, besides its record: nothing
// that anybody else needs. Two runs at once may lose one another's change; what
// is lost is a "do not retry" or a context that is sent twice.
type memo struct {
	Context string             `json:"context,omitempty"` // digest of the pack that was sent last
	Advice  string             `json:"advice,omitempty"`  // the advice that was given last
	Denials []admission.Denial `json:"denials,omitempty"` // the newest last
	Held    int                `json:"held,omitempty"`    // how often this turn was kept from ending
}

// keptDenials is how many denials are remembered.
const keptDenials = 20

func (h *handler) memoPath() string { return hookDir + "/" + h.sessionName() + ".json" }

// readMemo returns an empty memo where there is none that can be read.
func (h *handler) readMemo() memo {
	var m memo
	if h.sessionName() == "" {
		return m
	}
	data, _, err := h.repo.root.Read(h.memoPath(), layout.MaxSpec)
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

// denial returns the last denial of a call, nil if it was not denied.
func (m memo) denial(signature string) *admission.Denial {
	for i := len(m.Denials) - 1; i >= 0; i-- {
		if m.Denials[i].Call == signature {
			return &m.Denials[i]
		}
	}
	return nil
}

func (m *memo) addDenial(d admission.Denial) {
	m.Denials = append(m.Denials, d)
	m.Denials = m.Denials[max(0, len(m.Denials)-keptDenials):]
}

func (h *handler) tallyPath() string {
	return h.repo.root.Abs(hookDir + "/" + h.sessionName() + ".calls")
}

// tally counts a tool call by one byte at the end of a file, so that counting
// costs no rewriting of the session's record.
func (h *handler) tally() {
	if h.sessionName() == "" {
		return
	}
	f, err := os.OpenFile(h.tallyPath(), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return // before the session's first record there is no folder
	}
	_, _ = f.Write([]byte{'.'})
	_ = f.Close()
}

// tallied is how many calls were counted.
func (h *handler) tallied() int {
	info, err := os.Lstat(h.tallyPath())
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return int(info.Size())
}
