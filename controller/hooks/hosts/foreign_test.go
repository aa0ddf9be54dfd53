package hosts

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/admission"
)

// TestForeignTools: tools of ten servers that people use, and of none that is known, are judged by
// what they are given, in the words of two hosts.
func TestForeignTools(t *testing.T) {
	const no, write, shell = admission.Other, admission.Write, admission.Shell
	for _, tc := range []struct {
		server, tool, args string
		action             admission.Action
		command            string
		paths              []string
	}{
		{"filesystem", "write_file", `{"path":"a/b.txt","content":"x"}`, write, "", []string{"a/b.txt"}},
		{"filesystem", "move_file", `{"source":"a","destination":"../b"}`, write, "", []string{"a", "../b"}},
		{"filesystem", "read_text_file", `{"path":"/etc/passwd"}`, no, "", nil},
		{"desktop-commander", "start_process", `{"command":"rm -rf src","timeout_ms":1}`, shell, "rm -rf src", nil},
		{"desktop-commander", "interact_with_process", `{"pid":1,"input":"git push -f"}`, shell, "git push -f", nil},
		{"desktop-commander", "edit_block", `{"file_path":"/x/a","old_string":"","new_string":""}`, write, "", []string{"/x/a"}},
		{"serena", "execute_shell_command", `{"command":"git push --force"}`, shell, "git push --force", nil},
		{"serena", "replace_symbol_body", `{"relative_path":"src/a.py","body":"x"}`, write, "", []string{"src/a.py"}},
		{"serena", "find_symbol", `{"name_path":"A","relative_path":"src"}`, no, "", nil},
		{"jetbrains", "execute_terminal_command", `{"command":"rm -rf /"}`, shell, "rm -rf /", nil},
		{"jetbrains", "create_new_file", `{"pathInProject":".idumb/x.json","text":""}`, write, "", []string{".idumb/x.json"}},
		{"postgres", "query", `{"sql":"DROP TABLE users"}`, shell, "psql -c 'DROP TABLE users'", nil},
		{"sqlite", "write_query", `{"query":"delete from t where a='x'"}`, shell, `sqlite3 db 'delete from t where a='\''x'\'''`, nil},
		{"git", "git_checkout", `{"repo_path":"/r","files":["a","b"]}`, shell, "git -C '/r' checkout -- 'a' 'b'", nil},
		{"git", "git_reset", `{"repo_path":"/r","mode":"hard"}`, shell, "git -C '/r' reset '--hard'", nil},
		{"git", "git_reset", `{"repo_path":"/r"}`, shell, "git -C '/r' reset", nil},
		{"git", "git_checkout", `{"repo_path":"/r","branch_name":"a; {repo_path}"}`, shell, "git -C '/r' checkout 'a; {repo_path}'", nil},
		{"git", "git_add", `{"repo_path":"/r","files":["a","b"]}`, shell, "git -C '/r' add -- 'a' 'b'", nil},
		{"git", "git_status", `{"repo_path":"/r"}`, no, "", nil},
		{"github", "create_or_update_file", `{"path":".idumb/config.json","content":"x"}`, no, "", nil},
		{"github", "delete_file", `{"path":"a"}`, shell, "gh api -X DELETE 'a'", nil},
		{"playwright", "browser_evaluate", `{"function":"() => 1"}`, shell, "node -e '() => 1'", nil},
		{"playwright", "browser_pdf_save", `{"filename":"a.pdf"}`, write, "", []string{"a.pdf"}},
		{"playwright", "browser_navigate", `{"url":"http://x"}`, no, "", nil},
		{"shell", "shell_execute", `{"command":["rm","-rf","a b"]}`, shell, "'rm' '-rf' 'a b'", nil},
		{"shell", "shell_execute", `{"command":["bash"],"stdin":"git push -f"}`, shell, "'bash' <<< 'git push -f'", nil},
		{"jetbrains", "execute_tool", `{"command":"execute_terminal_command --command 'git push -f'"}`, shell, "execute_terminal_command --command 'git push -f'", nil},
		{"nobody", "do_it", `{"cmd":"git push -f"}`, shell, "git push -f", nil},
		{"nobody", "save", `{"uri":"file:///etc/x"}`, write, "", []string{"/etc/x"}},
		{"nobody", "get_thing", `{"path":"a"}`, no, "", nil},
		{"nobody", "search_docs", `{"query":"drop table of contents"}`, no, "", nil},
		{"nobody", "run_sql", `{"query":"DROP TABLE t"}`, shell, "psql -c 'DROP TABLE t'", nil},
	} {
		args, err := ReadObject([]byte(tc.args))
		require.NoError(t, err, tc.args)
		for _, host := range []struct {
			box  toolbox
			name string
		}{{claude.tools, "mcp__" + tc.server + "__" + tc.tool}, {opencodeTools, tc.server + "_" + tc.tool}} {
			e := Event{}
			host.box.describe(&e, host.name, args)
			assert.Equal(t, tc.action, e.Action, host.name)
			assert.Equal(t, tc.command, e.Command, host.name)
			assert.Equal(t, tc.paths, e.Paths, host.name)
			assert.Equal(t, tc.command != "", e.OutcomeUnknown, host.name)
		}
	}
}

// TestForeignToolsThatNameNothing: what cannot be told is not let through as nothing.
func TestForeignToolsThatNameNothing(t *testing.T) {
	for tool, args := range map[string]string{"mcp__shell__shell_execute": `{"command":1}`, "mcp__filesystem__write_file": `{"path":{}}`} {
		object, err := ReadObject([]byte(args))
		require.NoError(t, err)
		e := Event{}
		claude.tools.describe(&e, tool, object)
		assert.NotEmpty(t, e.UnreadReason, tool)
	}
}

// TestGuessAnyDepth: a tool that no table knows is judged by its arguments, however deep they are.
func TestGuessAnyDepth(t *testing.T) {
	for input, want := range map[string]Event{
		`{"files":[{"path":".idumb/config.json"}]}`:           {Action: admission.Write, Paths: []string{".idumb/config.json"}},
		`{"files":{".idumb/config.json":"x","b/c":{"to":1}}}`: {Action: admission.Write, Paths: []string{".idumb/config.json", "b/c"}},
		`{"edits":{"list":[{"deep":{"file_path":"a.go"}}]}}`:  {Action: admission.Write, Paths: []string{"a.go"}},
		`{"out_dir":"src"}`:                                                   {Action: admission.Write, Paths: []string{"src"}},
		`{"executable":"rm","args":["-rf","src"]}`:                            {Action: admission.Shell, Command: "'rm' '-rf' 'src'"},
		`{"run":{"program":"rm","arguments":["src"]}}`:                        {Action: admission.Shell, Command: "'rm' 'src'"},
		`{"argv":["rm","-rf","src"]}`:                                         {Action: admission.Shell, Command: "'rm' '-rf' 'src'"},
		`{"commands":["rm -rf src"]}`:                                         {Action: admission.Shell, Command: "rm -rf src\n'rm -rf src'"},
		`{"commands":[{"command":"git","args":["push"]}]}`:                    {Action: admission.Shell, Command: "git 'push'"},
		`{"commands":[["rm","src"]]}`:                                         {Action: admission.Shell, Command: "'rm' 'src'"},
		`{"request":{"method":"GET","path":"/api"}}`:                          {Action: admission.Other},
		`{"title":"a","labels":["b"]}`:                                        {Action: admission.Other},
		`{"steps":[{"run":{"shell":"rm -rf src"}}]}`:                          {Action: admission.Shell, Command: "rm -rf src"},
		`{"shell":"zsh"}`:                                                     {Action: admission.Other},
		`{"root":"/repo","rel":".idumb/config.json"}`:                         {Action: admission.Write, Paths: []string{"/repo/.idumb/config.json"}},
		`{"where":".claude","leaf":"settings.json"}`:                          {Action: admission.Write, Paths: []string{".claude/settings.json"}},
		`{"items":[{"base":"/repo/.claude","called":"settings.local.json"}]}`: {Action: admission.Write, Paths: []string{"/repo/.claude/settings.local.json"}},
		`{"anything":".git/config"}`:                                          {Action: admission.Write, Paths: []string{".git/config"}},
		`{"input":"{\"path\":\".idumb/config.json\"}"}`:                       {Action: admission.Write, Paths: []string{".idumb/config.json"}},
		`{"input":" {\"command\":\"rm -rf src\"}"}`:                           {Action: admission.Shell, Command: "rm -rf src"},
		`{"patch":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}`:      {Action: admission.Shell, Command: "apply_patch '*** Begin Patch\n*** Delete File: a\n*** End Patch'"},
		`{"diff":"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"}`:                  {Action: admission.Shell, Command: "git apply <<'END_OF_PATCH'\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nEND_OF_PATCH"},
		`{"body":"{not json}"}`:                                               {Action: admission.Other},
		`{"root":"/repo","rel":"src/a.go"}`:                                   {Action: admission.Other},
		`{"title":"x","body":"delete .idumb/config.json"}`:                    {Action: admission.Other},
		`{"owner":"x","repo":"y","task":".idumb/tasks/t.json"}`:               {Action: admission.Other},
	} {
		for _, tool := range []string{"mcp__srv__apply", "BrandNewTool"} {
			args, err := ReadObject([]byte(input))
			require.NoError(t, err)
			var e Event
			toolbox{server: "mcp__"}.describe(&e, tool, args)
			assert.Equal(t, want.Action, e.Action, input)
			assert.Equal(t, want.Paths, e.Paths, input)
			assert.Equal(t, want.Command, e.Command, input)
		}
	}
	var e Event
	args, _ := ReadObject([]byte(strings.Repeat(`{"a":`, 40) + `1` + strings.Repeat(`}`, 40)))
	toolbox{server: "mcp__"}.describe(&e, "mcp__srv__apply", args)
	assert.NotEmpty(t, e.UnreadReason, "what is deeper than is read is not passed unseen")
}

// TestGuessByWords: the words of a tool's name and of its arguments tell which files it changes.
func TestGuessByWords(t *testing.T) {
	for call, want := range map[string][]string{
		`mcp__x__outline_of {"path":"a.go","line":3}`:                                                     nil,
		`mcp__x__validate_patch {"file_path":"a.go","patch":"--- a/a.go\n+++ b/a.go\n"}`:                  nil,
		`mcp__x__lint {"files":["a.go"]}`:                                                                 nil,
		`mcp__x__lint {"files":["a.go"],"fix":true}`:                                                      {"a.go"},
		`mcp__x__edit {"file":"a.go","dry_run":true}`:                                                     nil,
		`mcp__x__edit {"file":".idumb/config.json","dry_run":true}`:                                       {".idumb/config.json"},
		`mcp__x__amanda {"target_file":"a.go","code_edit":"x"}`:                                           {"a.go"},
		`mcp__x__copy_file {"source":"a.go","destination":"b.go"}`:                                        {"b.go"},
		`mcp__x__move_file {"source":"a.go","destination":"b.go"}`:                                        {"b.go", "a.go"},
		`mcp__x__get_chart {"path":"a.csv","output_path":"b.png"}`:                                        {"b.png"},
		`mcp__files__remove {"items":["a.go"]}`:                                                           {"a.go"},
		`mcp__relations__remove {"items":["a.go"]}`:                                                       nil,
		`mcp__x__write_files {"root":"/r","files":[{"name":"a.go","body":"x"}]}`:                          {"/r/a.go"},
		`mcp__x__download_images {"localPath":"img","nodes":[{"fileName":"a.png"}],"fileKey":"k"}`:        {"img", "img/a.png"},
		`mcp__x__push_files {"project_id":"3","files":[{"file_path":"a.go","content":"x"}]}`:              nil,
		`mcp__x__update_file {"owner":"o","repo":"r","path":"/r/src/a.go","content":"x"}`:                 {"/r/src/a.go"},
		`mcp__x__call_tool {"tool":"read_file","arguments":{"path":"a.go"}}`:                              nil,
		`mcp__x__call_tool {"tool":"edit_file","arguments":{"path":"a.go"}}`:                              {"a.go"},
		`mcp__x__batch {"calls":[{"name":"stat","args":{"path":"a"}},{"name":"rm","args":{"path":"b"}}]}`: {"b"},
		`StrReplaceEditor {"command":"view","path":"a.go"}`:                                               nil,
		`StrReplaceEditor {"command":"create","path":"a.go"}`:                                             {"a.go"},
		`mcp__x__patch {"file":"a.json","ops":[{"op":"replace","path":"/b","value":1}]}`:                  {"a.json"},
		`mcp__x__set_breakpoint {"file":"a.go","line":3}`:                                                 nil,
		`mcp__x__upload_file {"file_path":"a.go","folder_id":"3"}`:                                        nil,
	} {
		tool, input, _ := strings.Cut(call, " ")
		args, err := ReadObject([]byte(input))
		require.NoError(t, err, call)
		e := Event{Cwd: "/r"}
		claude.tools.describe(&e, tool, args)
		assert.ElementsMatch(t, want, e.Paths, call)
		assert.Empty(t, e.Command, call)
		assert.Equal(t, len(want) > 0, e.Action == admission.Write, call)
	}
	for _, tool := range []string{"mcp__kitty__send_input", "send_input"} { // a tool of Codex by that name reads no files
		args, _ := ReadObject([]byte(`{"input":"rm -rf src\n"}`))
		e := Event{}
		codex.tools.describe(&e, tool, args)
		assert.Equal(t, tool != "send_input", e.Action == admission.Shell, tool)
	}
}

// TestGitTools: a tool that is named after a command of git, or after what it discards, is judged as the command, with
// its switches as options.
func TestGitTools(t *testing.T) {
	for call, want := range map[string]string{
		`mcp__git__git_clean {"force":true,"directories":true,"dryRun":false}`:       "git clean '-d' '--force'",
		`mcp__git__git_clean {"path":"/r","force":true,"ignored":true}`:              "git -C '/r' clean '--force' '-x'",
		`mcp__git__git_reset {"hard":true,"commit":"HEAD~1"}`:                        "git reset '--hard' 'HEAD~1'",
		`mcp__x__git_reset {"mode":"hard"}`:                                          "git reset '--hard'",
		`mcp__x__git_reset {"mode":"--hard","target":"main"}`:                        "git reset '--hard' 'main'",
		`mcp__x__gitResetHard {}`:                                                    "git reset '--hard'",
		`mcp__x__hard_reset {"ref":"HEAD~2"}`:                                        "git reset '--hard' 'HEAD~2'",
		`mcp__x__git_push {"force":true,"remote":"origin","branch":"main"}`:          "git push '--force' 'origin' 'main'",
		`mcp__x__git_push {"branch":"main","forceWithLease":true}`:                   "git push '--force-with-lease' origin 'main'",
		`mcp__x__git_push {"branch":"+main"}`:                                        "git push origin '+main'",
		`mcp__x__force_push {"branch":"main"}`:                                       "git push '--force' origin 'main'",
		`mcp__x__delete_branch {"branch":"old","force":true}`:                        "git branch '--delete' '--force' 'old'",
		`mcp__x__git_branch {"operation":"delete","branchName":"main","force":true}`: "git branch '--force' '--delete' 'main'",
		`mcp__x__git_branch {"action":"list"}`:                                       "git branch",
		`mcp__x__git_checkout {"branch":"old","discard":true}`:                       "git checkout '--force' 'old'",
		`mcp__x__git_checkout {"path":"src/a.go"}`:                                   "git checkout -- 'src/a.go'",
		`mcp__x__git_checkout {"branch":"new","createBranch":true}`:                  "git checkout '-b' 'new'",
		`mcp__x__git_switch {"branch":"old","discardChanges":true}`:                  "git switch '--discard-changes' 'old'",
		`mcp__x__git_stash {"mode":"drop","stashRef":"stash@{0}"}`:                   "git stash 'drop' 'stash@{0}'",
		`mcp__x__git_stash_clear {}`:                                                 "git stash 'clear'",
		`mcp__x__git_tag {"mode":"delete","tagName":"v1"}`:                           "git tag '--delete' 'v1'",
		`mcp__x__git_worktree {"mode":"remove","worktreePath":"../w","force":true}`:  "git worktree '--force' 'remove' '../w'",
		`mcp__x__git_commit {"message":"a b","noVerify":true}`:                       "git commit -m 'a b' '--no-verify'",
		`mcp__x__discard_changes {}`:                                                 "git restore -- .",
		`mcp__x__discard_changes {"files":["a"]}`:                                    "git restore -- 'a'",
		`mcp__x__git {"args":["reset","--hard"]}`:                                    "git 'reset' '--hard'",
		`mcp__x__git {"command":"reset --hard"}`:                                     "git reset --hard",
		`mcp__x__git {"command":"git push","args":["-f"]}`:                           "git push '-f'",
		`mcp__gitlab__delete_branch {"project_id":"3","branch":"x"}`:                 "git push '--delete' origin 'x'",
		`mcp__x__git_cherry_pick {"commits":["a","b"]}`:                              "git cherry-pick 'a' 'b'",
		`mcp__x__git_log {"max_count":3,"path":"/r"}`:                                "",
		`mcp__x__git_status {"repo_path":"/r"}`:                                      "",
		`mcp__tracker__delete_tag {"issue":3}`:                                       "",
		`mcp__x__remove_label {"name":"a"}`:                                          "",
		`mcp__db__reset_password {"user":"a"}`:                                       "",
		`mcp__x__merge_branch {"branch":"a"}`:                                        "",
	} {
		tool, input, _ := strings.Cut(call, " ")
		args, err := ReadObject([]byte(input))
		require.NoError(t, err, call)
		e := Event{}
		claude.tools.describe(&e, tool, args)
		assert.Equal(t, want, e.Command, call)
		assert.Equal(t, want != "", e.Action == admission.Shell, call)
	}
}
