package tools

import (
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate/acts"
)

// tool is one tool as agents see it.
type tool struct {
	name    string
	doc     string // says why the host's own tool does not do here
	more    string // of actions that are no acts; stands behind what the acts say
	object  string // the argument that names what acts are done to
	params  []param
	actions []action
}

// param is one argument of a tool.
type param struct {
	name   string
	kind   kind
	many   bool     // a list of them
	rare   bool     // it is taken, and not announced: the tool's text names it
	doc    string   // "" where the name says it all: every word costs each session
	enum   []string // the only values of a text
	fields []param  // of an object
	max    int      // of a number; the least is 0
}

// force is the argument that goes past a chain rule whose level is SOFT_BLOCK, as --force
// does on a command line. What goes past a HARD_BLOCK is for people, who type it: no tool
// has an argument for that.
func force() param {
	return param{name: "force", kind: flag, rare: true} // a refusal that it goes past names it
}

// kind is the type of an argument.
type kind int

const (
	text kind = iota
	flag
	number
	object
)

// action is what a tool is called for.
type action struct {
	name  string
	needs []string // arguments without which it cannot be done
	takes []string // others that it looks at
	// command is the command line that does the same, by which a role's rules
	// judge it; "" for what is open to every role.
	command string
	run     func(*call) (answer, error)
	read    func(reading) (answer, error) // what run asks for, where it only reads
	kinds   []string                      // what read looks at; nil: everything
}

// all is the one table of tools, which do these acts.
func all(table []acts.Act) []tool {
	tools := []tool{planTool(), taskTool(), delegateTool(), shellTool(), anchorTool(), memTool()}
	for i := range tools {
		tools[i].add(table)
	}
	return tools
}

// find returns the tool of that name.
func find(table []acts.Act, name string) (tool, bool) {
	for _, t := range all(table) {
		if t.name == name {
			return t, true
		}
	}
	return tool{}, false
}

func (t tool) action(name string) (action, bool) {
	for _, a := range t.actions {
		if a.name == name {
			return a, true
		}
	}
	return action{}, false
}

// Equivalent returns the command line by which a role's rules judge an action of one of
// the tools, "" for one that is open to every role, and the tool's actions. known is
// false if there is no such tool, or no such action of it.
func Equivalent(toolName, actionName string) (command string, actions []string, known bool) {
	t, _ := find(acts.All(), toolName)
	a, known := t.action(actionName)
	return a.command, t.actionNames(), known
}

func (t tool) actionNames() []string {
	var names []string
	for _, a := range t.actions {
		names = append(names, a.name)
	}
	return names
}

// allParams are the tool's arguments, action first.
func (t tool) allParams() []param {
	return append([]param{{name: "action", enum: t.actionNames(), rare: len(t.actions) == 1}}, t.params...)
}

// list is a list of names, written as words.
func list(names string) []string { return strings.Fields(names) }
