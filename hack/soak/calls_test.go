package soak

import (
	"math/rand/v2"
	"strings"
)

// readHead is the file that says which plan the work is about.
const readHead = ".idumb/trajectory.json"

// files is what calls may write, by sort, and what command does the same.
var files = [...]target{
	{file: "src/a.go", sort: "code"}, {file: "src/deep/er/b.go", sort: "code"}, {file: "docs/x.md", sort: "code"}, {file: "tests/a_test.go", sort: "code"}, {file: "Makefile", sort: "code"}, {file: "src/.idumb.go", sort: "code"},
	{file: ".idumb/tasks/new.json", sort: "plan", same: "idumb create task new"}, {file: ".idumb/mems/m.json", sort: "plan", same: "idumb create mem m"}, {file: readHead, sort: "plan", same: "idumb edit trajectory"},
	{file: ".idumb/config.json", sort: "governed"}, {file: ".idumb/roles/solo.json", sort: "governed"}, {file: ".IDUMB/tasks/new.json", sort: "governed"}, {file: ".idumb/tasks/x.txt", sort: "governed"}, {file: ".idumb/sessions/s1.json", sort: "governed"},
	{file: ".git/hooks/pre-commit", sort: "governed"}, {file: ".claude/settings.json", sort: "governed"}, {file: "src/.mcp.json", sort: "governed"}, {file: "opencode.json", sort: "governed"},
	{file: "../elsewhere", sort: "outside"}, {file: "/tmp/scratch.txt", sort: "outside"},
}

// tools are the tools that agents use, with the names that rules may give them.
var tools = [...]call{
	{tool: "Write", does: "write", names: []string{"write"}},
	{tool: "Edit", does: "write", names: []string{"edit"}},
	{tool: "MultiEdit", does: "write", names: []string{"edit", "multiedit"}},
	{tool: "NotebookEdit", does: "write", names: []string{"edit", "notebookedit"}},
	{tool: "mcp__fs__write_file", does: "write"},
	{tool: "Read", does: "read", names: []string{"read"}},
	{tool: "Grep", does: "read", names: []string{"grep"}},
	{tool: "Glob", does: "read"},
	{tool: "WebFetch", does: "other", names: []string{"webfetch"}},
	{tool: "mcp__github__create_issue", does: "other"},
	{tool: "TodoWrite", does: "ask"},
	{tool: "AskUserQuestion", does: "ask"},
	{tool: "mcp__idumb__govern_task", does: "own"},
	{tool: "Agent", does: "start"},
	{tool: "Bash", does: "shell", names: []string{"bash", "shell"}},
}

// commands are what shells are given. None of them is one that the shell gate asks about.
var commands = [...]command{
	{words: "ls src", reads: true}, {words: "git status", reads: true}, {words: "git log --oneline", reads: true}, {words: "cat README.md", reads: true}, {words: "go test ./..."}, {words: "git push origin feature"}, {words: "echo hi", reads: true},
	{words: "idumb next", idumb: "look"}, {words: "idumb get tasks", idumb: "look"}, {words: "idumb describe task t1", idumb: "look"}, {words: "idumb fail t1 --reason x", idumb: "look"},
	{words: "idumb start t2", idumb: "work"}, {words: "idumb create task n --plan p --expect x", idumb: "work"}, {words: "idumb create mem m --content x", idumb: "work"}, {words: "idumb create delegation d", idumb: "work"},
	{words: "idumb patch config config -p x", idumb: "govern"}, {words: "idumb hook uninstall claude", idumb: "govern"}, {words: "idumb trust", idumb: "govern"}, {words: "idumb session close s1", idumb: "govern"}, {words: "idumb research x", idumb: "govern"}, {words: "idumb create role mine", idumb: "govern"},
}

// additions add a package, which decisions may avoid.
var additions = [...]command{{words: "npm install moment", adds: "moment"}, {words: "npm install dayjs", adds: "dayjs"}, {words: "pnpm add -D moment@2", adds: "moment"}}

// randomCall makes a call, and the arguments with which a client would send it.
func randomCall(r *rand.Rand, root string) (call, map[string]any) {
	c := tools[r.IntN(len(tools))]
	if r.IntN(3) == 0 {
		c = tools[r.IntN(5)] // writes decide most
	}
	switch c.does {
	case "write":
		f := files[r.IntN(len(files))]
		if r.IntN(2) == 0 {
			f = files[r.IntN(6)]
		}
		c.targets = []target{f}
		argument := "file_path"
		switch c.tool {
		case "NotebookEdit":
			argument = "notebook_path"
		case "mcp__fs__write_file":
			argument = "path"
		}
		return c, map[string]any{argument: spelt(r, root, f.file), "content": "x"}
	case "read":
		return c, map[string]any{"file_path": spelt(r, root, files[r.IntN(len(files))].file), "pattern": "x"}
	case "start":
		c.names, c.starts = []string{"agent", "task"}, agents[r.IntN(len(agents))]
		return c, map[string]any{"subagent_type": c.starts, "prompt": "do it"}
	case "shell":
		line := randomLine(r, root, &c)
		return c, map[string]any{"command": line}
	}
	return c, map[string]any{"action": "status"}
}

// randomLine makes a command line of one or two commands, perhaps with a redirection.
func randomLine(r *rand.Rand, root string, c *call) string {
	var parts []string
	for range 1 + r.IntN(2) {
		cmd := commands[r.IntN(len(commands))]
		if r.IntN(4) == 0 {
			cmd = additions[r.IntN(len(additions))]
		}
		c.commands = append(c.commands, cmd)
		text := cmd.words
		if cmd.idumb == "" && r.IntN(3) == 0 {
			f := files[r.IntN(len(files))]
			f.told = begins(cmd.words, "echo")
			c.targets = append(c.targets, f)
			text += pick(r, " > ", " >> ", " 2>") + spelt(r, root, f.file)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, pick(r, "; ", " && ", " || ", "\n"))
}

// spelt is a file in one of the ways in which agents write it.
func spelt(r *rand.Rand, root, file string) string {
	if strings.HasPrefix(file, "/") {
		return file
	}
	return pick(r, file, root+"/"+file, "./"+file, "src/../"+file, "none/../"+file, root+"//"+file, root+"/src/./../"+file)
}
