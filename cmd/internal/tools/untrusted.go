package tools

import (
	"bytes"
	"encoding/json"
	"strings"
)

// What an answer says instead in a repository that the person does not trust: texts of
// its files reach no model.
const (
	untrustedNote = "The user has not trusted this repository's .idumb: only names are shown. Ask the user to read it and run `idumb trust`."
	leftOut       = "(not shown)"
)

// withheld is an answer with names, numbers and times, and no sentences. The output of a
// command is the command's own, and stays.
func (c *call) withheld(a answer) answer {
	if c.gate.Trusted() || c.tool.name == shellName {
		return a
	}
	plain := answer{{"trust", untrustedNote}}
	for _, f := range a {
		data, err := json.Marshal(f.value)
		if err != nil {
			continue
		}
		var value any
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		if d.Decode(&value) == nil {
			plain = plain.with(f.name, namesIn(value))
		}
	}
	return plain
}

// withheldRefusal is why a tool did not do what it was called for, without what files
// say. What was tried is in the arguments of the call, which the agent knows.
func (c *call) withheldRefusal() error {
	return refusal(c.tool.name+" "+c.action.name+" was not carried out.", untrustedNote,
		"Ask the user to run `idumb trust`, then repeat the call; `idumb get tasks -o name` lists what there is.", "idumb trust --dry-run")
}

// namesIn leaves out every text that is more than a name.
func namesIn(value any) any {
	switch v := value.(type) {
	case string:
		if !isName(v) {
			return leftOut
		}
	case []any:
		for i := range v {
			v[i] = namesIn(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = namesIn(v[key])
		}
	}
	return value
}

// isName reports whether a text is a name, a state, a digest or a time: it has no spaces,
// and can say little.
func isName(s string) bool {
	const longest = 100
	return len(s) <= longest && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-._/:TZ") == ""
}
