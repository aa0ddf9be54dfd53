package hosts

import (
	"bufio"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Origin is how a subagent came to be, as its host wrote it down.
type Origin struct {
	CallID string // the host's id of the call that started it; "" if it does not say
	Name   string // what the starting call named it; "" if it names none
	Parent string // the host's id of the subagent that started it; "" for the main agent
	Depth  int    // 1 for a subagent of the main agent; 0 if the host does not say
}

// maxOrigin is how much of a host's file is read, in bytes. Codex writes its
// instructions into the same line.
const maxOrigin = 1 << 20

// Origin reads the file that Claude Code keeps beside a subagent's transcript.
//
// False before the subagent's first call: Claude Code writes it after SubagentStart.
func (Claude) Origin(e Event) (Origin, bool) {
	if e.Subagent == "" || e.Transcript == "" {
		return Origin{}, false
	}
	file := "agent-" + e.Subagent + ".meta.json"
	if filepath.Base(file) != file {
		return Origin{}, false
	}
	o, err := ReadObject(firstLine(filepath.Join(strings.TrimSuffix(e.Transcript, ".jsonl"), "subagents", file)))
	if err != nil {
		return Origin{}, false
	}
	return Origin{CallID: o.Text("toolUseId"), Parent: o.Text("parentAgentId"), Depth: o.Count("spawnDepth")}, true
}

// Origin reads the first line of the subagent's own record.
func (Codex) Origin(e Event) (Origin, bool) {
	if e.Subagent == "" || e.Transcript == "" {
		return Origin{}, false
	}
	o, err := ReadObject(firstLine(e.Transcript))
	if err != nil {
		return Origin{}, false
	}
	meta := o.Object("payload")
	if meta.Text("id") != e.Subagent { // at its end the client names its parent's record
		return Origin{}, false
	}
	from := Origin{Depth: meta.Object("source").Object("subagent").Object("thread_spawn").Count("depth")}
	if at := meta.Text("agent_path"); at != "" {
		from.Name = path.Base(at)
	}
	if parent := meta.Text("parent_thread_id"); parent != e.Session {
		from.Parent = parent
	}
	return from, true
}

// firstLine returns the first line of a regular file, nil if it has none. The host's
// word is not trusted to name a file: a pipe there must not hold the hook up.
func firstLine(file string) []byte {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	line, err := bufio.NewReader(io.LimitReader(f, maxOrigin)).ReadBytes('\n')
	if err != nil && err != io.EOF {
		return nil
	}
	return line
}

// Count returns a member that is a small whole number, 0 for anything else.
func (o Object) Count(key string) int {
	n, err := strconv.Atoi(string(o[key]))
	if err != nil {
		return 0
	}
	return n
}
