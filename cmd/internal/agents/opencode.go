package agents

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// openCodeSchema is the schema that OpenCode adds to a settings file without one.
const openCodeSchema = "https://opencode.ai/config.json"

// openCodeTool is the prefix of iDumb's tool names.
const openCodeTool = "idumb_"

// openCodeSettings lists the files with a project's settings. Install creates the first one if none
// exists.
var openCodeSettings = [...]string{"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"}

// openCodeServer is an MCP server in the settings of OpenCode.
type openCodeServer struct {
	Type    string   `json:"type"`
	Command []string `json:"command"`
	Enabled bool     `json:"enabled"`
}

// openCodeAgent is an agent in the settings of OpenCode.
type openCodeAgent struct {
	Description string            `json:"description"`
	Mode        string            `json:"mode"`
	Permission  map[string]string `json:"permission,omitempty"`
	Prompt      string            `json:"prompt"`
}

// openCodeCommand is a command in the settings of OpenCode.
type openCodeCommand struct {
	Description string `json:"description"`
	Template    string `json:"template"`
}

// fetchRetries matches npm's setting for the number of retries.
var fetchRetries = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*fetch-retries\s*=`) })

// openCode returns the description of OpenCode for installation.
func openCode() Host {
	h := Host{
		Name: "opencode", Title: "OpenCode", Program: "opencode", Verified: "1.18.33",
		Shared: []string{".opencode", "opencode.json*"},
		Signs:  []string{".opencode", "opencode.json", "opencode.jsonc"},
		Limits: []string{
			"started with --pure, OpenCode loads no plugin, and so no gate",
			"opencode run takes its folder from the variable PWD: where PWD names another folder, no hook of this repository runs",
			"an OpenCode that was running before has to be started again to load the plugin",
		},
		files: openCodeFiles,
		test:  openCodeTest, testArgs: []string{"--stdio"},
	}
	if hint := openCodeOffline(); hint != "" {
		h.Limits = append(h.Limits, hint)
	}
	return h
}

// openCodeFiles returns the files of iDumb for OpenCode: plugin, settings, and npm's retries.
func openCodeFiles(root string, c Commands) []File {
	return []File{
		{".opencode/plugin/idumb.js", ownedFile{body: openCodePlugin(c), comment: "//"}},
		{openCodeSettingsIn(root), settings{comments: true, schema: openCodeSchema, members: openCodeEntries(root, c)}},
		// Any plugin makes OpenCode install @opencode-ai/plugin from npm and wait for it at every
		// start; offline, npm's retries take 72 seconds.
		{".opencode/.npmrc", block{body: "fetch-retries=0\n", clash: fetchRetries(), description: "fetch-retries"}},
	}
}

// notInPath is the line of the plugin that is replaced if the hook is not in PATH.
const notInPath = "const INSTALLED = []"

// openCodePlugin returns the plugin's text. The plugin looks for the hook in PATH, so that the file
// is the same for the whole team.
func openCodePlugin(c Commands) string {
	text := embedded("files/opencode/idumb.js")
	words := c.Hook.Words()
	if !filepath.IsAbs(words[0]) || c.Hook.Args[len(c.Hook.Args)-1] != "opencode" {
		return text
	}
	return strings.Replace(text, notInPath, "const INSTALLED = ["+quoted(words[:len(words)-1])+"]", 1)
}

// openCodeEntries returns the entries of the settings: MCP server, agents and commands.
func openCodeEntries(root string, c Commands) []entry {
	list := []entry{{
		path: []string{"mcp", "idumb"}, program: "idumb-mcp",
		value: openCodeServer{Type: "local", Command: c.MCP.Words(), Enabled: true},
	}}
	for _, p := range profiles(root, "opencode", openCodeTool) {
		agent := openCodeAgent{Description: p.description, Mode: p.mode, Prompt: p.body, Permission: map[string]string{}}
		if p.readOnly {
			agent.Permission["edit"] = "deny"
		}
		if p.leaf {
			agent.Permission["task"] = "deny"
		}
		list = append(list, entry{path: []string{"agent", "idumb-" + p.name}, value: agent})
	}
	for _, t := range textsIn("commands", "opencode", openCodeTool) {
		list = append(list, entry{path: []string{"command", "idumb:" + t.name}, value: openCodeCommand{t.description, t.body}})
	}
	return list
}

// openCodeSettingsIn returns the settings file of a repository: the file with iDumb's server,
// otherwise the first existing file, otherwise the file to create.
func openCodeSettingsIn(root string) string {
	first := ""
	for _, file := range openCodeSettings {
		text, err := readFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			continue
		}
		if d, err := parse(text, true); err == nil && d.valueAt([]any{"mcp", "idumb"}) != nil {
			return file
		}
		if first == "" {
			first = file
		}
	}
	if first == "" {
		return openCodeSettings[0]
	}
	return first
}

// openCodeOffline returns advice against OpenCode's wait for npm, empty if it is not needed.
// OpenCode installs @opencode-ai/plugin into each settings directory. With any plugin it waits for
// that at every start until it succeeded once. The user's directory is not iDumb's to write.
func openCodeOffline() string {
	config := userConfigDir("XDG_CONFIG_HOME", ".config")
	if config == "" {
		return ""
	}
	folder := filepath.Join(config, "opencode")
	npmrc := filepath.Join(folder, ".npmrc")
	text, _ := readFile(npmrc)
	_, err := os.Stat(filepath.Join(folder, "node_modules", "@opencode-ai", "plugin"))
	if err == nil || fetchRetries().Match(text) {
		return ""
	}
	return "until OpenCode has been started once with a network, each start without one waits 70 seconds for npm; the line fetch-retries=0 in " + npmrc + " ends that"
}
