package tools

import (
	"encoding/json"
	"strings"
)

// step formats a call of a tool for a refusal: the tool's name and its arguments, given as pairs of
// name and value. The call can be made as printed.
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

// startStep returns the call that starts a task.
func startStep(task string) string { return step("govern_task", "action", "start", "task", task) }

// statusStep returns the call that shows the status of tasks.
func statusStep() string { return step("govern_task", "action", "status") }

// repeat returns the current call with one argument changed.
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

// repeatWithout returns the current call without one argument.
func (c *call) repeatWithout(name string) string {
	if kept, given := c.args[name]; given {
		delete(c.args, name)
		defer func() { c.args[name] = kept }()
	}
	return c.repeat("", nil)
}
