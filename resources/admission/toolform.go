package admission

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// toolForm is the call of an idumb tool that is equivalent to a command. Hosts ask the
// person before most commands, but not before our tools, so steps use tool calls if the
// caller has the tools.
type toolForm struct {
	command      string // verb, with the kind if the verb needs one
	tool         string
	action       string
	name         string            // argument for the object name; may be empty
	text         string            // argument for the words after the name; may be empty
	flags        map[string]string // flags of the command and the arguments for their values
	lists        string            // arguments that are lists
	listArgument string            // argument that is a list of objects, for all values except the plan
}

// toolForms is the table of commands used in denials. Commands or flags that are not listed
// are not converted.
var toolForms = [...]toolForm{
	{command: "start", tool: "govern_task", action: "start", name: "task"},
	{command: "complete", tool: "govern_task", action: "complete", name: "task", flags: map[string]string{"--evidence": "evidence", "--tests": "tests"}},
	{command: "fail", tool: "govern_task", action: "fail", name: "task", flags: map[string]string{"--reason": "reason"}},
	{command: "review", tool: "govern_task", action: "review", name: "task", flags: map[string]string{"--evidence": "evidence"}},
	{command: "comment --answer", tool: "govern_task", action: "comment", name: "answer", text: "text"},
	{command: "next", tool: "govern_task", action: "status"},
	{command: "tree", tool: "govern_plan", action: "status"},
	{command: "describe task", tool: "govern_task", action: "status", name: "task"},
	{command: "describe workplan", tool: "govern_plan", action: "status", name: "plan"},
	{command: "create delegation", tool: "govern_delegate", action: "assign", name: "name", flags: map[string]string{"--task": "task", "--from": "", "--to": "to"}},
	{command: "describe delegation", tool: "govern_delegate", action: "status", name: "name"},
	{command: "create workplan", tool: "govern_plan", action: "create", name: "name", flags: map[string]string{"--title": "title", "--accept": "acceptance", "--state": ""}, lists: "acceptance"},
	{command: "create task", tool: "govern_plan", action: "plan_tasks", name: "name", flags: map[string]string{"--plan": "plan", "--title": "title", "--expect": "expectedOutput", "--description": "description", "--notes": "notes", "--parent": "parent"}, listArgument: "tasks"},
}

// InTools replaces the commands in a text by calls of our tools with a name prefix. The
// text is unchanged if the prefix is "", for hosts without our tools.
func InTools(step, prefix string) string {
	if prefix == "" {
		return step
	}
	parts := strings.Split(step, "`")
	for i := 1; i < len(parts); i += 2 {
		call, ok := toolCall(parts[i], prefix)
		if !ok {
			continue
		}
		parts[i] = call
		for _, word := range [...][2]string{{"Run ", "Call "}, {"run ", "call "}} {
			if before, found := strings.CutSuffix(parts[i-1], word[0]); found {
				parts[i-1] = before + word[1]
			}
		}
	}
	return strings.Join(parts, "`")
}

// toolCall returns the call that is equivalent to an idumb command, or false.
func toolCall(command, prefix string) (string, bool) {
	// Values can be in double quotes.
	var words []string
	for i, part := range strings.Split(command, `"`) {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	if len(words) < 2 || words[0] != "idumb" {
		return "", false
	}
	for _, form := range toolForms {
		verb := strings.Fields(form.command)
		if rest := words[1:]; len(rest) >= len(verb) && slices.Equal(rest[:len(verb)], verb) {
			return form.call(rest[len(verb):], prefix)
		}
	}
	return "", false
}

// argument is an argument of a call, with its value as JSON.
type argument struct{ name, value string }

// call formats the call for the words after the verb.
func (f toolForm) call(words []string, prefix string) (string, bool) {
	given := []argument{{"action", asJSON(f.action)}}
	var inner []argument
	add := func(name string, value any) {
		a := argument{name, asJSON(value)}
		if f.listArgument != "" && name != "plan" {
			inner = append(inner, a)
		} else {
			given = append(given, a)
		}
	}
	for i := 0; i < len(words); i++ {
		switch name, known := f.flags[words[i]]; {
		case known && i+1 < len(words):
			if i++; name != "" && strings.Contains(f.lists, name) {
				add(name, []string{words[i]})
			} else if name != "" {
				add(name, words[i])
			}
		case f.text != "" && i > 0:
			add(f.text, words[i])
		case f.name != "" && !strings.HasPrefix(words[i], "-"):
			add(f.name, words[i])
		default:
			return "", false
		}
	}
	if f.listArgument != "" {
		given = append(given, argument{f.listArgument, "[" + objectOf(inner) + "]"})
	}
	return prefix + f.tool + " " + objectOf(given), true
}

// objectOf formats arguments as a JSON object.
func objectOf(members []argument) string {
	var b strings.Builder
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(asJSON(m.name) + ":" + m.value)
	}
	return "{" + b.String() + "}"
}

// asJSON formats a text or a list of texts as JSON.
func asJSON(v any) string {
	text, _ := json.Marshal(v) // strings and lists of strings
	return string(text)
}

// AgentOf returns the host's name of the agent for a role, or the given name if there is no
// such role. Tasks are handed to roles, but hosts start agents.
func AgentOf(name, host string, view View) string {
	r, ok := view.Role(RoleNamed(name, view))
	if !ok || !strings.EqualFold(r.Metadata.Name, name) {
		return name // already the name of an agent
	}
	return cmp.Or(agentOf(r, host), name)
}
