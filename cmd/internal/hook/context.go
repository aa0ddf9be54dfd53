package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf16"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// sessionStart puts the whole packed context in front of the agent: at the
// start, on resuming, and after a compaction has thrown it away.
func (h *handler) sessionStart() Answer {
	h.updateSession(func(s *resources.SessionSpec) {
		if h.event.Compacted {
			s.Counters.Compactions++
		}
	})
	text := h.context()
	h.remember(text)
	return Answer{Context: text}
}

// prompt passes on the context if it has changed since this session last got
// it. It goes out at the end of the conversation, where it costs only itself.
func (h *handler) prompt() Answer {
	h.updateSession(func(s *resources.SessionSpec) { s.Counters.Turns++ })
	text := h.context()
	if text == "" || !h.remember(text) {
		return Answer{}
	}
	return Answer{Context: text}
}

// beforeCompact adds to the instructions of the summary what it must keep: the
// whole context comes again after it.
func (h *handler) beforeCompact() Answer {
	call := admission.Call{Session: h.sessionName(), Agent: h.event.Agent, Role: h.recordedRole()}
	t, ok := admission.WorkOf(call, h.repo)
	if !ok {
		return Answer{}
	}
	name := t.Metadata.Name
	keep := []string{
		"Keep in the summary, word for word: the active iDumb task is \"" + name + "\" of plan \"" + t.Spec.WorkPlan + "\".",
		"Its expected output: " + admission.Plain(t.Spec.ExpectedOutput),
	}
	for _, item := range resources.MissingEvidence(t, h.repo.Evidence(name)) {
		keep = append(keep, "Evidence still missing: "+admission.Plain(item.String()))
	}
	for _, c := range h.repo.sightings(name).Last {
		keep = append(keep, "Done: "+admission.Plain(c.Tool+" "+c.Summary))
	}
	return Answer{Context: strings.Join(keep, "\n") + "\n"}
}

// remember keeps what was sent, and reports whether it was something new.
func (h *handler) remember(text string) bool {
	sum := sha256.Sum256([]byte(text))
	digest := hex.EncodeToString(sum[:8])
	memo := h.readMemo()
	if memo.Context == digest {
		return false
	}
	memo.Context = digest
	h.writeMemo(memo)
	return true
}

// context is the packed context for this session, within the host's limit: the
// one that a living controller keeps, or else one that is packed here and now.
func (h *handler) context() string {
	if h.repo.root.ControllerAlive() {
		for _, name := range []string{"sessions/" + h.sessionName() + ".xml", "context.xml"} {
			data, _, err := h.repo.root.Read(layout.ContextPath(name), layout.MaxSpec)
			if err == nil && len(data) > 0 && characters(string(data)) <= h.limit {
				return string(data)
			}
		}
	}
	return h.packed()
}

// characters counts as hosts do, in UTF-16 code units.
func characters(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
