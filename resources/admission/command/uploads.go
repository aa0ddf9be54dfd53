package command

import "strings"

// mutations judges GraphQL that deletes something on a host of repositories.
func (m *machine) mutations(c *invocation) {
	if c.name != "gh" && c.name != "glab" || !verbIn("api graphql", c.with("")) {
		return
	}
	if text := strings.ToLower(texts(c.args) + c.stdin); strings.Contains(text, "mutation") && (strings.Contains(text, "delete") || strings.Contains(text, "archive")) {
		m.object("remote-delete", c.part(), "")
	}
}

// uploads judges commands that send secrets to the network.
func (m *machine) uploads(c *invocation) {
	for _, r := range rows("sends", c.name) {
		if r.words != "" && !verbIn(r.words, c.with("")) {
			continue
		}
		for _, f := range c.args {
			if m.holdsSecret(f.text) {
				m.object("secret-upload", c.part(), "")
				return
			}
		}
		if m.readsSecret(c) {
			m.object("secret-upload", c.part(), "")
		}
	}
}
