package hooks

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
)

// spawn is a line about a call that starts a subagent, or about the session of
// that subagent.
type spawn struct {
	Call   string    `json:"call"`             // the host's id of the call
	Parent string    `json:"by,omitempty"`     // the record of the calling session
	Agent  string    `json:"to,omitempty"`     // the name of the agent that it starts
	Name   string    `json:"name,omitempty"`   // the name that the call gives to the started agent
	Handed []string  `json:"handed,omitempty"` // delegations that its prompt names
	Tasks  []string  `json:"tasks,omitempty"`  // tasks that its prompt names
	Time   time.Time `json:"time,omitzero"`
	Child  string    `json:"taken,omitempty"` // the record of the subagent's session
}

// spawnPatience limits the time between a call and the start of its subagent. A
// person may have to permit the call first. After that time the two are not
// matched.
const spawnPatience = 10 * time.Minute

// noteSpawn adds a line to the notes of the session that started a subagent.
func (h *handler) noteSpawn(session string, s spawn) {
	if data, err := json.Marshal(s); err == nil {
		h.repo.appendNotes(session, notesSpawns, append(data, '\n'))
	}
}

// spawns returns the calls with unknown subagents, oldest first.
func (h *handler) spawns() []spawn {
	var open []spawn
	taken := map[string]bool{}
	for line := range bytes.Lines(h.repo.notes(h.parentName(), notesSpawns)) {
		var s spawn
		if json.Unmarshal(line, &s) != nil {
			continue
		}
		if s.Child != "" {
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

// startedBy finds the call that started the acting subagent: the call that the
// host names, else the only possible call. unsure means that several are
// possible. If the call is unknown, the result contains at most Parent.
func (h *handler) startedBy() (started spawn, unsure bool) {
	from, told := h.origin()
	by := h.parentIn(from, told)
	var candidates []spawn
	for _, s := range h.spawns() {
		if from.CallID != "" && s.Call == from.CallID {
			return s, false
		}
		if h.mayHaveStarted(s) && (by == "" || s.Parent == by) && (from.Name == "" || s.Name == from.Name) {
			candidates = append(candidates, s)
		}
	}
	if from.CallID != "" || len(candidates) == 0 {
		return spawn{Parent: by}, false
	}
	if own := h.promptDelegations(); len(own) > 0 { // its prompt is the prompt of one of the calls
		if i := slices.IndexFunc(candidates, func(s spawn) bool { return slices.Equal(s.Handed, own) }); i >= 0 {
			return candidates[i], false
		}
	}
	for _, s := range candidates[1:] {
		if s.Parent != candidates[0].Parent || !slices.Equal(s.Handed, candidates[0].Handed) || !slices.Equal(s.Tasks, candidates[0].Tasks) {
			return spawn{Parent: by}, true
		}
	}
	return candidates[0], false
}

// origin returns the host's record of the start of the acting subagent, and
// whether the host has one.
func (h *handler) origin() (hosts.Origin, bool) {
	if host, known := hosts.ByName(h.event.Host); known {
		return host.Origin(h.event)
	}
	return hosts.Origin{}, false
}

// mayHaveStarted reports whether a call may have started the acting subagent.
func (h *handler) mayHaveStarted(s spawn) bool {
	return s.Parent != h.sessionName() && strings.EqualFold(s.Agent, h.event.Agent) && h.repo.now.Sub(s.Time) < spawnPatience
}

// parentIn returns the record of the session that started the subagent,
// according to the host. It is empty if the host has not sent it.
func (h *handler) parentIn(from hosts.Origin, told bool) string {
	switch {
	case !told:
		return ""
	case from.Parent == "":
		return resources.NameOfID(h.event.Session)
	}
	return resources.NameOfID(h.event.Session + "." + from.Parent)
}

// delegationTag comes before the name of a delegation in the prompt of a
// subagent.
const delegationTag = "delegation/"

// maxTags limits the delegations that are read in a prompt.
const maxTags = 8

// tags returns the delegations that a text names as delegation/NAME, in order,
// without duplicates. A path that contains the tag is skipped, and a full stop
// after the name is not part of it.
func tags(text string) []string { return tagged(text, delegationTag) }

// taskTag comes before the name of a task in the prompt of a subagent.
const taskTag = "task/"

// tagged returns the names after a tag in a text.
func tagged(text, tag string) []string {
	var names []string
	for at := 0; len(names) < maxTags; {
		i := strings.Index(text[at:], tag)
		if i < 0 {
			return names
		}
		begin := at + i
		at = begin + len(tag)
		end := at
		for end < len(text) && nameByte(text[end]) {
			end++
		}
		name := strings.TrimRight(text[at:end], ".-")
		at = end
		if begin > 0 && (nameByte(text[begin-1]) || strings.IndexByte("/_", text[begin-1]) >= 0) {
			continue
		}
		if resources.CheckName(name) == nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// nameByte reports whether a byte is valid in a name.
func nameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '.' || b == '-'
}

// named lists the tasks and delegations that the prompt of a subagent names.
func named(text string) []resources.Key {
	var keys []resources.Key
	for _, name := range tags(text) {
		keys = append(keys, resources.Key{Kind: resources.Delegations, Name: name})
	}
	for _, name := range tagged(text, taskTag) {
		keys = append(keys, resources.Key{Kind: resources.Tasks, Name: name})
	}
	return keys
}
