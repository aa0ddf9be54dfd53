package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/hack/eval/checkout"
	"github.com/idumb-dev/idumb/resources/source"
)

// walkedCommits of a history are one session: so many tasks are often done in one.
const walkedCommits = 4

// walked is a repository as it is, with sessions of its last commits that changed code: the agent
// reads and edits what they changed, as far as it is still there.
func walked(dir string, turns int) (*project, error) {
	files, err := checkout.Open(dir)
	if err != nil {
		return nil, err
	}
	p := &project{name: repositoryName(dir), files: map[string]string{}}
	for _, path := range files.Paths() {
		if data, err := os.ReadFile(filepath.Join(dir, path)); err == nil && len(data) < 1<<20 && !strings.HasPrefix(path, ".idumb/") {
			p.files[path] = string(data)
		}
	}
	commits, err := history(dir)
	if err != nil {
		return nil, err
	}
	for i, c := range slices.Backward(commits) {
		var edits []string
		for _, path := range c.touched {
			if _, there := p.files[path]; there && source.IsCode(path) {
				edits = append(edits, path)
			}
		}
		if len(edits) == 0 || len(edits) > mostFiles {
			continue
		}
		if turns--; turns < 0 {
			break
		}
		if last := len(p.sessions) - 1; last < 0 || len(p.sessions[last].exchanges) == walkedCommits {
			p.sessions = append(p.sessions, conversation{name: fmt.Sprint("commit ", i)})
			p.tasks = append(p.tasks, planned{ID: fmt.Sprintf("t%d", len(p.sessions)), Title: "Go on", Output: "it goes on"})
		}
		last := &p.sessions[len(p.sessions)-1]
		e := exchange{Prompt: "Go on with " + c.subject, Edits: edits}
		if len(last.exchanges) == 0 {
			e.Start = p.tasks[len(p.tasks)-1].ID
		}
		last.exchanges = append(last.exchanges, e)
	}
	return p, nil
}
