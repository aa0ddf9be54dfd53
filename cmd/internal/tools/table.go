package tools

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate/acts"
)

// tool is the definition of one tool.
type tool struct {
	name        string
	doc         string // includes why the host's own tool is not sufficient
	actionTexts string // texts about actions that are not acts; added after the texts of the acts
	objectParam string // the argument that names the object of an act
	kind        string // the kind of the objects that "name" names
	params      []param
	actions     []action
}

// param is one argument of a tool.
type param struct {
	name     string
	kind     kind
	isList   bool     // the argument is a list
	isHidden bool     // accepted but not in the schema; the tool's text names it
	doc      string   // "" if the name is clear, because every word costs tokens in each session
	enum     []string // the allowed values of a text
	fields   []param  // the fields of an object
	max      int      // the largest value of a number; the smallest is 0
}

// force returns the argument that overrides chain rules of level SOFT_BLOCK, like --force on the
// command line. No tool has an argument that overrides a HARD_BLOCK, which only a user can do, on
// the command line.
func force() param {
	return param{name: "force", kind: flag, isHidden: true} // the refusal that it overrides names it
}

// kind is the type of an argument.
type kind int

const (
	text kind = iota
	flag
	number
	object
)

// action is one action of a tool.
type action struct {
	name     string
	required []string // required arguments
	optional []string // optional arguments
	// command is the equivalent command line, against which the caller's role is checked. It is ""
	// for actions that every role may do.
	command string
	run     func(*call) (answer, error)
	act     string                        // the act that the action does to the object of its first required argument; instead of run
	read    func(reading) (answer, error) // for actions that only read: the function that produces the answer
	kinds   []string                      // the kinds that read uses; nil for all
}

// allTools returns all tools, with the actions for these acts.
func allTools(table []acts.Act) []tool {
	tools := []tool{planTool(), taskTool(), delegateTool(), shellTool(), anchorTool(), memTool()}
	for i := range tools {
		tools[i].addActs(table)
	}
	return tools
}

// findTool returns the tool with this name.
func findTool(table []acts.Act, name string) (tool, bool) {
	for _, t := range allTools(table) {
		if t.name == name {
			return t, true
		}
	}
	return tool{}, false
}

// oldActions maps further names of actions to their names. The owner's document 000 calls revoke recall.
var oldActions = map[string]string{"govern_delegate recall": "revoke"}

// action returns the action with this name or further name.
func (t tool) action(name string) (action, bool) {
	name = cmp.Or(oldActions[t.name+" "+name], name)
	for _, a := range t.actions {
		if a.name == name {
			return a, true
		}
	}
	return action{}, false
}

// Equivalent returns the command line against which a role is checked for an action of a tool. It
// returns "" for an action that every role may do. It also returns the tool's actions. known is
// false if the tool or the action does not exist.
func Equivalent(toolName, actionName string) (command string, actions []string, known bool) {
	t, _ := findTool(acts.All(), toolName)
	a, known := t.action(actionName)
	return a.command, t.actionNames(), known
}

// actionNames returns the names of the tool's actions, further names last.
func (t tool) actionNames() []string {
	var names []string
	for _, a := range t.actions {
		names = append(names, a.name)
	}
	for _, key := range slices.Sorted(maps.Keys(oldActions)) {
		if of, name, _ := strings.Cut(key, " "); of == t.name {
			names = append(names, name)
		}
	}
	return names
}

// allParams returns the tool's arguments, starting with action.
func (t tool) allParams() []param {
	return append([]param{{name: "action", enum: t.actionNames(), isHidden: len(t.actions) == 1}}, t.params...)
}

// list splits a list of names at spaces.
func list(names string) []string { return strings.Fields(names) }
