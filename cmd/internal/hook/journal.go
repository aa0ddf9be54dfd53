package hook

import (
	"bytes"
	"encoding/json"
	"os"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources/admission"
)

// What is counted and what was denied is appended to two files of the session,
// so that no call rewrites the session's record for it: a byte for each call, a
// line for each denial. The record takes the counts over whenever it is written.

func (h *handler) callsPath() string   { return hookDir + "/" + h.sessionName() + ".calls" }
func (h *handler) denialsPath() string { return hookDir + "/" + h.sessionName() + ".denials" }

// tally counts a tool call.
func (h *handler) tally() { h.append(h.callsPath(), []byte{'.'}) }

// append adds to one of the session's files, in one write. Before the session's
// first record there is no folder for them; nothing is lost but a count.
func (h *handler) append(file string, data []byte) {
	if h.sessionName() == "" {
		return
	}
	_ = h.repo.files.Append(file, data)
}

// calls is how many tool calls were counted.
func (h *handler) calls() int {
	info, err := os.Lstat(h.repo.root.Abs(h.callsPath()))
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return int(info.Size())
}

// recordDenial keeps a denial, for telling a retry.
func (h *handler) recordDenial(d admission.Denial) {
	if data, err := json.Marshal(d); err == nil {
		h.append(h.denialsPath(), append(data, '\n'))
	}
}

// denialLog is what was denied in the session so far, a line each.
func (h *handler) denialLog() []byte {
	if h.sessionName() == "" {
		return nil
	}
	data, _, err := h.repo.root.Read(h.denialsPath(), layout.MaxLog)
	if err != nil {
		return nil
	}
	return data
}

// denials is how many calls were denied.
func (h *handler) denials() int { return bytes.Count(h.denialLog(), []byte{'\n'}) }

// lastDenial returns the last denial of a call, nil if it was not denied.
func (h *handler) lastDenial(signature string) *admission.Denial {
	lines := bytes.Split(h.denialLog(), []byte{'\n'})
	for i := len(lines) - 1; i >= 0; i-- {
		var d admission.Denial
		if len(lines[i]) > 0 && json.Unmarshal(lines[i], &d) == nil && d.Call == signature {
			return &d
		}
	}
	return nil
}
