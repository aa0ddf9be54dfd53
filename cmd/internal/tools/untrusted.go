package tools

import (
	"bytes"
	"encoding/json"
	"strings"
)

// These texts replace the contents of a repository that the user does not trust. No text from its
// files is sent to a model.
const (
	untrustedNote = "The user has not trusted this repository's .idumb: only names are shown. Ask the user to read it and run `idumb trust`."
	notShown      = "(not shown)"
)

// redacted returns an answer with only names, numbers and times. The output of a command is kept,
// because it does not come from .idumb.
func (c *call) redacted(a answer) answer {
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
			plain = plain.add(f.name, namesIn(value))
		}
	}
	return plain
}

// redactedRefusal returns a refusal without texts from files. The agent knows what
// it tried from the arguments of its call.
func (c *call) redactedRefusal() error {
	return refusal(c.tool.name+" "+c.action.name+" was not carried out.", untrustedNote,
		"Ask the user to run `idumb trust`, then repeat the call; `idumb get tasks -o name` lists the tasks.", "idumb trust --dry-run")
}

// namesIn replaces every text that is not a name.
func namesIn(value any) any {
	switch v := value.(type) {
	case string:
		if !isName(v) {
			return notShown
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

// isName reports whether a text is a name, a state, a digest or a time. Such a text is short and
// has no spaces, so it cannot contain instructions.
func isName(s string) bool {
	const longest = 100
	return len(s) <= longest && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-._/:TZ") == ""
}
