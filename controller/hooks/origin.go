package hooks

import (
	"bufio"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// origin is how a subagent came to be, as its host wrote it down.
type origin struct {
	callID string // the host's id of the call that started it; "" if it does not say
	name   string // what the starting call named it; "" if it names none
	parent string // the host's id of the subagent that started it; "" for the main agent
	depth  int    // 1 for a subagent of the main agent; 0 if the host does not say
}

// maxOrigin is how much of a host's file is read, in bytes. Codex writes its
// instructions into the same line.
const maxOrigin = 1 << 20

// Origin reads the file that Claude Code keeps beside a subagent's transcript.
//
// False before the subagent's first call: Claude Code writes it after SubagentStart.
func (claude) Origin(e Event) (origin, bool) {
	if e.Subagent == "" || e.Transcript == "" {
		return origin{}, false
	}
	file := "agent-" + e.Subagent + ".meta.json"
	if filepath.Base(file) != file {
		return origin{}, false
	}
	o, err := readObject(firstLine(filepath.Join(strings.TrimSuffix(e.Transcript, ".jsonl"), "subagents", file)))
	if err != nil {
		return origin{}, false
	}
	return origin{callID: o.text("toolUseId"), parent: o.text("parentAgentId"), depth: o.count("spawnDepth")}, true
}

// Origin reads the first line of the subagent's own record.
func (codex) Origin(e Event) (origin, bool) {
	if e.Subagent == "" || e.Transcript == "" {
		return origin{}, false
	}
	o, err := readObject(firstLine(e.Transcript))
	if err != nil {
		return origin{}, false
	}
	meta := o.object("payload")
	if meta.text("id") != e.Subagent { // at its end the client names its parent's record
		return origin{}, false
	}
	from := origin{depth: meta.object("source").object("subagent").object("thread_spawn").count("depth")}
	if at := meta.text("agent_path"); at != "" {
		from.name = path.Base(at)
	}
	if parent := meta.text("parent_thread_id"); parent != e.Session {
		from.parent = parent
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

// count returns a member that is a small whole number, 0 for anything else.
func (o object) count(key string) int {
	n, err := strconv.Atoi(string(o[key]))
	if err != nil {
		return 0
	}
	return n
}
