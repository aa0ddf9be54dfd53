package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// project is the input of a delivery measurement: the memory of a repository, its tasks, and its
// agents' sessions. The key lists the mems that each prompt needs.
type project struct {
	name     string
	mems     []learnt
	tasks    []planned
	sessions []conversation
	files    map[string]string // contents of files by path; files that are only named contain one line
}

// conversation is one agent's session, prompt by prompt.
type conversation struct {
	name      string
	exchanges []exchange
}

// learnt is a mem with its type.
type learnt struct {
	mem
	Type string `json:"type"`
}

func (l *learnt) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &l.mem); err != nil {
		return err
	}
	return json.Unmarshal(data, &struct{ Type *string }{&l.Type})
}

// planned is a task.
type planned struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Output string `json:"output"`
}

// exchange is a prompt, the agent's actions in order, and the key: the mems that it needs, and the
// mems that are acceptable. All other mems are noise.
type exchange struct {
	Session    string   `json:"session"`
	Prompt     string   `json:"prompt"`
	Completes  bool     `json:"completes"` // completes the task that was started last
	Start      string   `json:"start"`     // name of a task to start
	Reads      []string `json:"reads"`     // files to read
	Fails      *failing `json:"fails"`
	Edits      []string `json:"edits"`  // files to edit, each read before its first edit
	Breaks     []string `json:"breaks"` // files that lose their first export, edited last
	Needed     []string `json:"needed"`
	Acceptable []string `json:"acceptable"`
}

// failing is a command that fails.
type failing struct {
	Command string `json:"command"`
	Error   string `json:"error"`
}

// readProject reads a file with the lines {"mem": {...}}, {"task": {...}} and {"turn": {...}}. A
// mem has the fields of set.go and "type", the other lines have the fields of planned and exchange.
func readProject(name, file string) (*project, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the delivery key: %w", err)
	}
	p := &project{name: name}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var rec struct {
			Mem  *learnt   `json:"mem"`
			Task *planned  `json:"task"`
			Turn *exchange `json:"turn"`
		}
		if err := json.Unmarshal(lines.Bytes(), &rec); err != nil {
			return nil, fmt.Errorf("%s: %q is no line of a project (see hack/eval/delivery_key.go): %w", file, lines.Text(), err)
		}
		switch {
		case rec.Mem != nil:
			p.mems = append(p.mems, *rec.Mem)
		case rec.Task != nil:
			p.tasks = append(p.tasks, *rec.Task)
		case rec.Turn != nil:
			p.say(*rec.Turn)
		}
	}
	return p, cmp.Or(lines.Err(), p.check())
}

// say adds a prompt to its conversation.
func (p *project) say(e exchange) {
	at := slices.IndexFunc(p.sessions, func(c conversation) bool { return c.name == e.Session })
	if at < 0 {
		at = len(p.sessions)
		p.sessions = append(p.sessions, conversation{name: e.Session})
	}
	p.sessions[at].exchanges = append(p.sessions[at].exchanges, e)
}

// check returns an error for names in the key that do not exist.
func (p *project) check() error {
	for _, c := range p.sessions {
		for _, e := range c.exchanges {
			for _, id := range slices.Concat(e.Needed, e.Acceptable) {
				if !slices.ContainsFunc(p.mems, func(m learnt) bool { return string(m.ID) == id }) {
					return fmt.Errorf("the key of %q names the mem %q, which there is not", e.Prompt, id)
				}
			}
			if e.Start != "" && !slices.ContainsFunc(p.tasks, func(t planned) bool { return t.ID == e.Start }) {
				return fmt.Errorf("%q starts the task %q, which there is not", e.Prompt, e.Start)
			}
		}
	}
	return nil
}

// paths returns all files that the project names, without duplicates.
func (p *project) paths() []string {
	var paths []string
	for _, m := range p.mems {
		paths = append(paths, m.Paths...)
	}
	for _, c := range p.sessions {
		for _, e := range c.exchanges {
			paths = slices.Concat(paths, e.Reads, e.Edits)
		}
	}
	for path := range p.files {
		paths = append(paths, path)
	}
	for i, path := range paths {
		paths[i], _, _ = strings.Cut(path, "#")
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
