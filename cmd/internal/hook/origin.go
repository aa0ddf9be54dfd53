package hook

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// origin is a line about a call that starts a subagent, or about the session that
// turned out to be that subagent's.
type origin struct {
	Call   string    `json:"call"`             // the host's id of the call
	By     string    `json:"by,omitempty"`     // the record of the session that made it
	To     string    `json:"to,omitempty"`     // the name of the agent that it starts
	Handed []string  `json:"handed,omitempty"` // delegations that its prompt names
	Time   time.Time `json:"time,omitzero"`
	Taken  string    `json:"taken,omitempty"` // the record of the subagent's session
}

// spawnPatience is how long a call may take to start its subagent: a person may
// have to permit it first. Later the two are not taken for one another's any more.
const spawnPatience = 10 * time.Minute

// spawnsPath is the file of the calls that started the subagents of one session and,
// where they share its id, of theirs.
func spawnsPath(session string) string { return hookDir + "/" + session + ".spawns" }

// rememberSpawn keeps who starts a subagent and which delegations its prompt names.
func (h *handler) rememberSpawn(callID, text string) {
	if h.event.Session == "" {
		return
	}
	s := origin{Call: callID, By: h.sessionName(), To: h.event.Delegates, Handed: tags(text), Time: h.repo.now}
	if data, err := json.Marshal(s); err == nil {
		_ = h.repo.files.Append(spawnsPath(objectName(h.event.Session)), append(data, '\n'))
	}
}

// noteSpawn writes down whose call it was.
func (h *handler) noteSpawn(s spawn) {
	if data, err := json.Marshal(s); err == nil {
		_ = h.repo.files.Append(spawnsPath(h.parentName()), append(data, '\n'))
	}
}

// spawns reads the calls whose subagents are not known yet, oldest first.
func (h *handler) spawns() []spawn {
	data, _, err := h.repo.root.Read(spawnsPath(h.parentName()), layout.MaxLog)
	if err != nil {
		return nil
	}
	var open []spawn
	taken := map[string]bool{}
	for line := range bytes.Lines(data) {
		var s spawn
		if json.Unmarshal(line, &s) != nil {
			continue
		}
		if s.Taken != "" {
			taken[s.Call] = true
		} else {
			open = append(open, s)
		}
	}
	kept := open[:0]
	for _, s := range open {
		if s.Call == "" || !taken[s.Call] {
			kept = append(kept, s)
		}
	}
	return kept
}

// startedBy finds the call that started the subagent that acts: the one that the host
// names, else the only one that it can be. unsure means that there are several.
func (h *handler) startedBy() (started spawn, unsure bool) {
	open := h.spawns()
	if len(open) == 0 {
		return origin{}, false
	}
	call := h.startingCall()
	var candidates []spawn
	for _, s := range open {
		if call != "" && s.Call == call {
			return s, false
		}
		if s.By != h.sessionName() && strings.EqualFold(s.To, h.event.Agent) && h.repo.now.Sub(s.Time) < spawnPatience {
			candidates = append(candidates, s)
		}
	}
	if call != "" || len(candidates) == 0 {
		return origin{}, false
	}
	for _, s := range candidates[1:] {
		if s.By != candidates[0].By || strings.Join(s.Handed, " ") != strings.Join(candidates[0].Handed, " ") {
			return origin{}, true
		}
	}
	return candidates[0], false
}

// maxMeta is the largest record of a host's about a subagent that is read, in bytes.
const maxMeta = 64 << 10

// startingCall is the id of the call that started the subagent that acts, "" if the
// host has not said. Claude Code 2.1 writes it beside the conversation's transcript,
// before the subagent's first tool call.
func (h *handler) startingCall() string {
	dir, isLog := strings.CutSuffix(h.event.Transcript, ".jsonl")
	if !isLog || !filepath.IsAbs(dir) || resources.CheckName(objectName(h.event.Subagent)) != nil || strings.ContainsAny(h.event.Subagent, `/\`) {
		return ""
	}
	file := filepath.Join(dir, "subagents", "agent-"+h.event.Subagent+".meta.json")
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxMeta))
	if err != nil {
		return ""
	}
	meta, err := readObject(data)
	if err != nil {
		return ""
	}
	return meta.text("toolUseId")
}
