package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// ConfiguredIn returns the commands that stand in a host's files; those of c where
// none stand.
func ConfiguredIn(h Host, root string, c Commands) Commands {
	for _, file := range h.Files(root, c) {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file.Path)))
		s, isSettings := file.content.(settings)
		if err != nil || !isSettings {
			continue
		}
		d, err := parse(text, s.comments)
		if err != nil {
			continue
		}
		for _, a := range s.actions(d) {
			c.Hook = commandOf(append([]string{a.Command}, a.Args...))
			break
		}
		for _, e := range s.members {
			if e.runsOurs(d) {
				c.MCP = serverCommand(d.raw(d.at(steps(e.path))))
			}
		}
	}
	return c
}

// serverCommand reads the command of a server, as a text with arguments beside it or
// as a list.
func serverCommand(raw []byte) Command {
	var one struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	if json.Unmarshal(raw, &one) == nil {
		return Command{one.Command, one.Args}
	}
	var many struct {
		Command []string `json:"command"`
	}
	if json.Unmarshal(raw, &many) == nil && len(many.Command) > 0 {
		return Command{many.Command[0], many.Command[1:]}
	}
	return Command{}
}

// commandOf splits a command that was written as one line for a shell.
func commandOf(words []string) Command {
	if len(words) == 1 {
		words = strings.Fields(words[0])
		words[0] = strings.Trim(words[0], `"'`)
	}
	return Command{words[0], words[1:]}
}
