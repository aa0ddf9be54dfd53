package main

import (
	"math/rand/v2"
	"strings"
)

// files is what calls may write, by sort, and what command does the same.
var files = [...]target{
	{"src/a.go", "code", ""}, {"src/deep/er/b.go", "code", ""}, {"docs/x.md", "code", ""}, {"tests/a_test.go", "code", ""}, {"Makefile", "code", ""}, {"src/.idumb.go", "code", ""},
	{".idumb/tasks/new.json", "plan", "idumb create task new"}, {".idumb/mems/m.json", "plan", "idumb create mem m"}, {".idumb/trajectory.json", "plan", "idumb edit trajectory"},
	{".idumb/config.json", "governed", ""}, {".idumb/roles/solo.json", "governed", ""}, {".IDUMB/tasks/new.json", "governed", ""}, {".idumb/tasks/x.txt", "governed", ""}, {".idumb/sessions/s1.json", "governed", ""},
	{".git/hooks/pre-commit", "governed", ""}, {".claude/settings.json", "governed", ""}, {"src/.mcp.json", "governed", ""}, {"opencode.json", "governed", ""},
	{"../elsewhere", "outside", ""}, {"/tmp/scratch.txt", "outside", ""},
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
	{words: "ls src"}, {words: "git status"}, {words: "git log --oneline"}, {words: "cat README.md"}, {words: "go test ./..."}, {words: "git push origin feature"}, {words: "echo hi"},
	{"idumb next", "look"}, {"idumb get tasks", "look"}, {"idumb describe task t1", "look"}, {"idumb fail t1 --reason x", "look"},
	{"idumb start t2", "work"}, {"idumb create task n --plan p --expect x", "work"}, {"idumb create mem m --content x", "work"}, {"idumb create delegation d", "work"},
	{"idumb patch config config -p x", "govern"}, {"idumb hook uninstall claude", "govern"}, {"idumb trust", "govern"}, {"idumb create role mine", "govern"},
}

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
		c.commands = append(c.commands, cmd)
		text := cmd.words
		if cmd.idumb == "" && r.IntN(3) == 0 {
			f := files[r.IntN(len(files))]
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
