package command

import "strings"

// uploaders are commands that take files to the network as operands, with the words
// that make them do so; "" for any.
var uploaders = [...]struct{ name, words string }{
	{"gh", "gist create|release upload"}, {"glab", "snippet create"}, {"aws", "s3 cp|s3 mv|s3 sync|s3api put-object"}, {"gsutil", "cp|mv|rsync"}, {"gcloud", "storage cp|compute scp"}, {"az", "storage blob upload"},
	{"rclone", "copy|copyto|sync|move"}, {"azcopy", "copy|cp"}, {"mc", "cp|mirror"}, {"s3cmd", "put|sync"}, {"croc", "send"}, {"wormhole", "send"}, {"magic-wormhole", "send"}, {"transfer", ""}, {"mail", ""}, {"mutt", ""}, {"sendmail", ""}, {"kubectl", "cp"}, {"docker", "cp"}, {"hf", "upload"}, {"huggingface-cli", "upload"}, {"ipfs", "add"}, {"pastebinit", ""},
}

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
	for _, u := range uploaders {
		if u.name != c.name || u.words != "" && !verbIn(u.words, c.with("")) {
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
