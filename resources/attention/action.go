package attention

import "strings"

// Action is a possible response to a need: a verb of idumb with its arguments and its
// command line. The command works as printed, unless Text is set.
type Action struct {
	Verb    string   `json:"verb"`           // complete, mem purge, session show
	Args    []string `json:"args,omitempty"` // arguments for a program
	Command string   `json:"command"`        // command line for users
	Text    bool     `json:"text,omitempty"` // the command contains "...", which the user must replace with a text
}

// program begins every command line of idumb.
const program = "idumb "

// grouped lists the two-word verbs that needs contain.
var grouped = [...]string{"allow --fine", "artifact ", "comment --answer", "decide accept", "decide reject", "delegation ", "hook ", "mem ", "session ", "sync "}

// ActionOf parses a command line of idumb. It returns false for other text.
func ActionOf(command string) (Action, bool) {
	rest, ours := strings.CutPrefix(command, program)
	words := wordsOf(rest)
	if !ours || len(words) == 0 {
		return Action{}, false
	}
	verbs := 1
	for _, group := range grouped {
		if strings.HasPrefix(rest, group) && len(words) > 1 {
			verbs = 2
		}
	}
	return Action{Verb: strings.Join(words[:verbs], " "), Args: words[verbs:], Command: command, Text: strings.Contains(rest, "...")}, true
}

// wordsOf splits a command line into words. Double quotes group words.
func wordsOf(line string) []string {
	var words []string
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		end := " "
		if line[0] == '"' {
			line, end = line[1:], `"`
		}
		word, rest, _ := strings.Cut(line, end)
		words, line = append(words, word), rest
	}
	return words
}
