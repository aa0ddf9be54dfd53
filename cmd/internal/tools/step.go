package tools

import (
	"encoding/json"
	"strings"
)

// step is a call of a tool as a refusal prints it: the tool's name and its
// arguments, in pairs of name and value, to be made as it stands.
func step(tool string, pairs ...any) string {
	var b strings.Builder
	b.WriteString(tool + " {")
	for i := 0; i+1 < len(pairs); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(pairs[i+1])
		if err != nil {
			continue
		}
		name, _ := pairs[i].(string)
		b.WriteString(`"` + name + `":` + string(value))
	}
	return b.String() + "}"
}

// startStep is how a task is started.
func startStep(task string) string { return step("govern_task", "action", "start", "task", task) }

// statusStep is how one finds out what there is.
func statusStep() string { return step("govern_task", "action", "status") }

// repeat is the call that was made, with one argument set to something else.
func (c *call) repeat(name string, value any) string {
	pairs := []any{"action", c.action.name}
	for _, p := range c.tool.params {
		switch {
		case p.name == name:
			pairs = append(pairs, name, value)
		case c.args.has(p.name):
			pairs = append(pairs, p.name, c.args[p.name])
		}
	}
	return step(c.tool.name, pairs...)
}

// without is the call that was made, without one argument.
func (c *call) without(name string) string {
	if kept, given := c.args[name]; given {
		delete(c.args, name)
		defer func() { c.args[name] = kept }()
	}
	return c.repeat("", nil)
}
