package main

import (
	"encoding/json"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// printed runs the commands of idumb in what the last denial, on stdout, said to do
// instead, exactly as they stand there. Its arguments have to stand in one of them, so
// that a script says which step it is about; "! printed" wants that none is printed.
func printed(ts *testscript.TestScript, neg bool, args []string) {
	commands := printedIn(ts.ReadFile("stdout"))
	if neg == (len(commands) > 0) {
		ts.Fatalf("printed: %q", commands)
	}
	all := strings.Join(commands, "\n")
	for _, want := range args {
		if !strings.Contains(all, want) {
			ts.Fatalf("%q is not in what was printed: %q", want, commands)
		}
	}
	for _, command := range commands {
		ts.Logf("printed: %s", command)
		words := shellWords(command)
		ts.Check(ts.Exec(words[0], words[1:]...))
	}
}

// printedIn lists the commands, in their order.
func printedIn(answer string) (commands []string) {
	var host struct {
		Hook struct {
			Reason string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal([]byte(answer), &host) == nil {
		answer = host.Hook.Reason
	}
	lower := strings.Replace(answer, "use instead: ", "USE INSTEAD: ", 1)
	_, instead, found := strings.Cut(lower, "USE INSTEAD: ")
	if !found {
		return nil
	}
	instead, _, _ = strings.Cut(instead, "\n")
	for i, part := range strings.Split(instead, "`") {
		if i%2 == 1 && strings.HasPrefix(part, "idumb ") {
			commands = append(commands, part)
		}
	}
	return commands
}

// shellWords splits a command at blanks outside of double quotes.
func shellWords(command string) (words []string) {
	quoted, word, some := false, strings.Builder{}, false
	for _, r := range command + " " {
		switch {
		case r == '"':
			quoted, some = !quoted, true
		case r == ' ' && !quoted:
			if some {
				words = append(words, word.String())
			}
			word.Reset()
			some = false
		default:
			word.WriteRune(r)
			some = true
		}
	}
	return words
}
