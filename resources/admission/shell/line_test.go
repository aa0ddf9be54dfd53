package shell

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestParseFindsWrites(t *testing.T) {
	for _, tc := range []struct {
		name, line string
		want       []Target
	}{
		{"plain", "echo hi > a.txt", []Target{{Path: "a.txt"}}},
		{"no space, append, clobber, both", "a >b; a >>c; a >|d; a &>e; a &>>f; a <>g", []Target{{Path: "b"}, {Path: "c"}, {Path: "d"}, {Path: "e"}, {Path: "f"}, {Path: "g"}}},
		{"descriptors are no files", "make 2>&1 >&2 2>&-", nil},
		{"numbered", "make 2>err.log 1>out.log", []Target{{Path: "err.log"}, {Path: "out.log"}}},
		{"csh form", "make >&all.log", []Target{{Path: "all.log"}}},
		{"input is no write", "cat < in.txt <<< word", nil},
		{"in front", "> a echo hi", []Target{{Path: "a"}}},
		{"quotes", `echo > 'a b' ; echo > "c d"; echo > e\ f; echo > g"h"'i'`, []Target{{Path: "a b"}, {Path: "c d"}, {Path: "e f"}, {Path: "ghi"}}},
		{"quoted sign is none", `echo "a > b" 'c > d' e\>f`, nil},
		{"comparison is none", `[[ a > b ]] && (( 1 > 2 ))`, nil},
		{"arithmetic is none", `echo $((1 > 2)) $(( (3) > 4 ))`, nil},
		{"comment is none", "ls # > a\necho > b", []Target{{Path: "b"}}},
		{"here-document body is none", "cat <<EOF\na > b\nEOF\ncat <<-'X' > c\n\td > e\n\tX\necho > f", []Target{{Path: "c"}, {Path: "f"}}},
		{"in a pipe, a group, a subshell", "a | b > c; { a; } > d; (a > e) > f", []Target{{Path: "c"}, {Path: "d"}, {Path: "f"}, {Path: "e"}}},
		{"in substitutions", "echo $(a > b) `c > d` \"$(e > f)\" <(g > h)", []Target{{Path: "b"}, {Path: "d"}, {Path: "f"}, {Path: "h"}}},
		{"in loops and conditions", "for i in 1 2; do echo > a; done > b; if x; then y > c; fi; while :; do z > d; done", []Target{{Path: "a"}, {Path: "b"}, {Path: "c"}, {Path: "d"}}},
		{"in a case", "case $x in a|b) echo > c;; (d) echo > e; esac; echo > f", []Target{{Path: "c"}, {Path: "e"}, {Path: "f"}}},
		{"in a function", "f() { echo > a; }; function g { echo > b; }", []Target{{Path: "a"}, {Path: "b"}}},
		{"unknown words", "echo > $x > a$y > *.txt > {a,b} > ~user/x", nil},
		{"home", `echo > ~/a; echo > $HOME/b; echo > "${HOME}/c"; echo > "$HOME"/d; echo > "~/e"`, []Target{{Path: "a", Home: true}, {Path: "b", Home: true}, {Path: "c", Home: true}, {Path: "~/e"}}},
		{"after cd", "cd src && echo > a; echo > b; cd /tmp; echo > c", []Target{{Path: "a", Dir: "src"}, {Path: "b", Dir: "src"}, {Path: "c", Dir: "/tmp"}}},
		{"cd in a subshell ends there", "(cd src; echo > a); echo > b", []Target{{Path: "a", Dir: "src"}, {Path: "b"}}},
		{"cd to who knows where", "cd $x; echo > a; echo > /b", []Target{{Path: "a", Unknown: true}, {Path: "/b"}}},
		{"line goes on", "echo \\\n> a", []Target{{Path: "a"}}},
		{"process substitution is no write of its own", "a > >(tee b)", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, _ := Parse(tc.line)
			assert.Equal(t, tc.want, got.Writes)
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
