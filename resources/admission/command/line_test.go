package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// target is a file that a redirection writes, and the folder in which it is named.
type target struct {
	name, dir string
	unknown   bool
}

// relative is a folder from /repo on.
func relative(dir string) string {
	if rest, ok := strings.CutPrefix(dir+"/", "/repo/"); ok {
		return strings.TrimSuffix(rest, "/")
	}
	return dir
}

func TestReadFindsWrites(t *testing.T) {
	for _, tc := range []struct {
		name, line string
		want       []target
	}{
		{"plain", "echo hi > a.txt", []target{{name: "a.txt"}}},
		{"no space, append, clobber, both", "a >b; a >>c; a >|d; a &>e; a &>>f; a <>g", []target{{name: "b"}, {name: "c"}, {name: "d"}, {name: "e"}, {name: "f"}, {name: "g"}}},
		{"descriptors are no files", "make 2>&1 >&2 2>&-", nil},
		{"numbered", "make 2>err.log 1>out.log", []target{{name: "err.log"}, {name: "out.log"}}},
		{"csh form", "make >&all.log", []target{{name: "all.log"}}},
		{"input is no write", "cat < in.txt <<< word", nil},
		{"in front", "> a echo hi", []target{{name: "a"}}},
		{"quotes", `echo > 'a b' ; echo > "c d"; echo > e\ f; echo > g"h"'i'`, []target{{name: "a b"}, {name: "c d"}, {name: "e f"}, {name: "ghi"}}},
		{"quoted sign is none", `echo "a > b" 'c > d' e\>f`, nil},
		{"comparison is none", `[[ a > b ]] && (( 1 > 2 ))`, nil},
		{"arithmetic is none", `echo $((1 > 2)) $(( (3) > 4 ))`, nil},
		{"comment is none", "ls # > a\necho > b", []target{{name: "b"}}},
		{"here-document body is none", "cat <<EOF\na > b\nEOF\ncat <<-'X' > c\n\td > e\n\tX\necho > f", []target{{name: "c"}, {name: "f"}}},
		{"in a pipe, a group, a subshell", "a | b > c; { a; } > d; (a > e) > f", []target{{name: "c"}, {name: "d"}, {name: "e"}, {name: "f"}}},
		{"in substitutions", "echo $(a > b) `c > d` \"$(e > f)\" <(g > h)", []target{{name: "b"}, {name: "d"}, {name: "f"}, {name: "h"}}},
		{"in loops and conditions", "for i in 1 2; do echo > a; done > b; if x; then y > c; fi; while :; do z > d; done", []target{{name: "a"}, {name: "b"}, {name: "c"}, {name: "d"}}},
		{"in a case", "case $x in a|b) echo > c;; (d) echo > e; esac; echo > f", []target{{name: "c"}, {name: "e"}, {name: "f"}}},
		{"in a function", "f() { echo > a; }; function g { echo > b; }", []target{{name: "a"}, {name: "b"}}},
		{"unknown words", "echo > $x > a$y > *.txt > {a,b} > ~user/x", []target{{name: "*.txt"}, {name: "{a,b}"}, {name: "/home/user/x"}}},
		{"home", `echo > ~/a; echo > $HOME/b; echo > "${HOME}/c"; echo > "$HOME"/d; echo > "~/e"`, []target{{name: "/home/me/a"}, {name: "/home/me/b"}, {name: "/home/me/c"}, {name: "/home/me/d"}, {name: "~/e"}}},
		{"after cd", "cd src && echo > a; echo > b; cd /tmp; echo > c", []target{{name: "a", dir: "src"}, {name: "b", dir: "src"}, {name: "c", dir: "/tmp"}}},
		{"cd in a subshell ends there", "(cd src; echo > a); echo > b", []target{{name: "a", dir: "src"}, {name: "b"}}},
		{"cd to who knows where", "cd $x; echo > a; echo > /b", []target{{name: "/b"}, {name: "a", unknown: true}}},
		{"line goes on", "echo \\\n> a", []target{{name: "a"}}},
		{"process substitution is no write of its own", "a > >(tee b)", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []target
			for _, f := range readAt(tc.line).Files {
				if f.By == "" || strings.HasPrefix(f.By, ">") && f.Word.Literal {
					got = append(got, target{f.Word.Text, relative(f.Dir), f.DirUnknown})
				}
			}
			assert.Equal(t, tc.want, got)
		})
	}
}

func TestParseTellsWhatAnExitCodeProves(t *testing.T) {
	for _, tc := range []struct {
		line             string
		success, failure bool // of "go test"
	}{
		{"go test", true, true},
		{"FOO=1 go test 2>&1", true, true},
		{"cd x && go test && go vet", true, false},
		{"go build; go test", true, true},
		{"go test; true", false, false},
		{"go test || true", false, true},
		{"true || go test", false, true},
		{"go test | tee log", false, false},
		{"cat x | go test", true, true},
		{"! go test", false, false},
		{"go test &", false, false},
		{"coproc go test", false, false},
		{"coproc T { go test; }", false, false},
		{"(cd x; go test)", true, true},
		{"echo $(go test)", false, false},
		{"if go test; then :; fi", false, false},
		{"for i in 1; do go test; done", false, false},
		{"time go test", true, true},
	} {
		t.Run(tc.line, func(t *testing.T) {
			got, ok := Parse(tc.line)
			assert.True(t, ok)
			for _, c := range got.Commands {
				if len(c.Words) > 1 && c.Words[1] == "test" {
					assert.Equal(t, tc.success, c.OnSuccess, "success")
					assert.Equal(t, tc.failure, c.OnFailure, "failure")
					return
				}
			}
			t.Errorf("go test was not found in %v", got.Commands)
		})
	}
}

func TestGovernance(t *testing.T) {
	for line, want := range map[string]bool{
		"idumb start x":                            true,
		"cd . && idumb next | head -3":             true,
		"idumb start x && echo ok":                 true,
		"/usr/local/bin/idumb complete x":          true,
		`idumb fail x --reason "needs > 1 day; y"`: true,
		"echo hi":                  false,
		"./idumb start x":          false,
		"idumb next | sh":          false,
		"idumb next > src/a":       false,
		"idumb start $(touch x)":   false,
		"PATH=. idumb start x":     false,
		"idumb start x; rm -r src": false,
		"idumb start 'x":           false,
		"":                         false,
	} {
		t.Run(line, func(t *testing.T) {
			parsed, _ := Parse(line)
			assert.Equal(t, want, parsed.Governance())
		})
	}
}

func TestParseRefusesWhatItCannotRead(t *testing.T) {
	for _, line := range []string{"echo 'a", `echo "a`, "echo $(a", "(a", "a )", "{ a", "a &&", "echo ${a", "case x in", "[[ a"} {
		t.Run(line, func(t *testing.T) {
			got, ok := Parse(line)
			assert.False(t, ok)
			assert.True(t, got.Dynamic)
		})
	}
}
