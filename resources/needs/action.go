package needs

import "strings"

// Action is one thing that may be done about a need: a verb of idumb with its arguments, and the command line
// that does it, which works as printed but for what Text says.
type Action struct {
	Verb    string   `json:"verb"`           // complete, mem purge, session show
	Args    []string `json:"args,omitempty"` // as a program takes them
	Command string   `json:"command"`        // for people
	Text    bool     `json:"text,omitempty"` // it holds "...", for which the person gives a text
}

// program begins every command line of ours.
const program = "idumb "

// grouped are the verbs that have verbs of their own, as far as needs name them.
var grouped = [...]string{"allow --fine", "artifact ", "comment --answer", "decide accept", "decide reject", "delegation ", "hook ", "mem ", "session ", "sync "}

// ActionOf reads a command line of ours; false for what is a sentence.
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

// wordsOf are the words of a command line, of which quotes hold some together.
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
