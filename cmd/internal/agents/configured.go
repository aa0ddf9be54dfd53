package agents

import (
	"path/filepath"
	"strconv"
	"strings"
)

// ConfiguredIn returns the commands in a host's files. A command that the files do not contain is
// taken from c.
func ConfiguredIn(h Host, root string, c Commands) Commands {
	for _, file := range h.Files(root, c) {
		text, err := readFile(filepath.Join(root, filepath.FromSlash(file.Path)))
		if err != nil {
			continue
		}
		if b, isBlock := file.content.(block); isBlock {
			b.readCommand(text, &c)
		}
		s, isSettings := file.content.(settings)
		if !isSettings {
			continue
		}
		d, err := parse(text, s.comments)
		if err != nil {
			continue
		}
		for _, a := range s.actions(d) {
			words := a.words()
			c.Hook = Command{words[0], words[1:]}
			break
		}
		for _, e := range s.members {
			if e.runsOurs(d) {
				c.MCP = serverCommand(d, pathOf(e.path))
			}
		}
	}
	return c
}

// readCommand reads the server's program from the block.
func (b block) readCommand(text []byte, c *Commands) {
	start, end, found := b.find(text)
	if !found {
		return
	}
	for line := range strings.Lines(string(text[start:end])) {
		value, isCommand := strings.CutPrefix(line, "command = ")
		if program, err := strconv.Unquote(strings.TrimSpace(value)); isCommand && err == nil {
			c.MCP = Command{Program: program}
		}
	}
}

// serverCommand reads the command of a server, which is a string with separate arguments, or a
// list. It returns the zero Command if there is none.
func serverCommand(d *document, path []any) Command {
	var one struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	if d.decode(path, &one) {
		return Command{one.Command, one.Args}
	}
	var many struct {
		Command []string `json:"command"`
	}
	if d.decode(path, &many) && len(many.Command) > 0 {
		return Command{many.Command[0], many.Command[1:]}
	}
	return Command{}
}
