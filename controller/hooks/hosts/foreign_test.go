package hosts

import (
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
		{"git", "git_checkout", `{"repo_path":"/r","branch_name":"a; {repo_path}"}`, shell, "git -C '/r' checkout 'a; {repo_path}'", nil},
		{"git", "git_add", `{"repo_path":"/r","files":["a","b"]}`, shell, "git -C '/r' add 'a' 'b'", nil},
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
			assert.Equal(t, tc.command != "", e.Unsettled, host.name)
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
		assert.NotEmpty(t, e.Unread, tool)
	}
}
