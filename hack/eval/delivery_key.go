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

// project is what a repository remembers, what is to be done in it, and who works there: what delivery
// is measured on. Its key says of each prompt which mems bear on it.
type project struct {
	name     string
	mems     []learnt
	tasks    []planned
	sessions []conversation
	files    map[string]string // what stands in files, by path; those that are only named hold a line
}

// conversation is one agent's session, prompt by prompt.
type conversation struct {
	name      string
	exchanges []exchange
}

// learnt is a mem, with what kind of one it is.
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

// exchange is a prompt, what the agent then does, in this order, and the key: mems that it needs to
// know, and mems that may be told with those. All others are noise.
type exchange struct {
	Session    string   `json:"session"`
	Prompt     string   `json:"prompt"`
	Completes  bool     `json:"completes"` // the task that was started last
	Start      string   `json:"start"`     // a task
	Reads      []string `json:"reads"`     // files
	Fails      *failing `json:"fails"`
	Edits      []string `json:"edits"`  // files, each read before its first edit
	Breaks     []string `json:"breaks"` // files that lose their first export, edited last
	Needed     []string `json:"needed"`
	Acceptable []string `json:"acceptable"`
}

// failing is a command that fails.
type failing struct {
	Command string `json:"command"`
	Error   string `json:"error"`
}

// readProject reads a file whose lines are {"mem": {...}}, {"task": {...}} and {"turn": {...}}: a mem
// has the fields of set.go and "type", the others those of planned and exchange.
func readProject(name, file string) (*project, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read what is to be delivered: %w", err)
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

// say adds a prompt to the conversation that it names.
func (p *project) say(e exchange) {
	at := slices.IndexFunc(p.sessions, func(c conversation) bool { return c.name == e.Session })
	if at < 0 {
		at = len(p.sessions)
		p.sessions = append(p.sessions, conversation{name: e.Session})
	}
	p.sessions[at].exchanges = append(p.sessions[at].exchanges, e)
}

// check finds names of the key that nothing has.
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

// paths are all files that the project names, each once.
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
