package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readAt reads a line in the folder /repo of somebody whose home is /home/me.
func readAt(line string) Reading {
	return Read(line, Options{Dir: "/repo", Root: "/repo", Home: "/home/me"})
}

func TestReadTellsOfEveryWord(t *testing.T) {
	rm := Word{Text: "rm", Literal: true}
	for line, want := range map[string][]Word{
		`rm a 'b c'`:                    {rm, {Text: "a", Literal: true}, {Text: "b c", Literal: true}},
		`rm a*.[ch] {d}`:                {rm, {Text: "a*.[ch]", Pattern: "a*.[ch]"}, {Text: "{d}", Literal: true}},
		`rm 'a*'?`:                      {rm, {Text: "a*?", Pattern: `a\*?`}},
		`rm $x/.claude`:                 {rm, {Text: "/.claude"}},
		"rm `x`y $(z)":                  {rm, {Text: "y"}, {}},
		`rm ~/a* ~u/b`:                  {rm, {Text: "/home/me/a*", Pattern: "/home/me/a*"}, {Text: "/home/u/b", Literal: true}},
		`x=a; rm $x/b "${x}c" ${x:-d}`:  {rm, {Text: "a/b", Literal: true}, {Text: "ac", Literal: true}, {Text: "a", Literal: true}},
		`x=a*; rm $x`:                   {rm, {Text: "a*", Pattern: "a*"}},
		`x=a*; rm "$x"`:                 {rm, {Text: "a*", Literal: true}},
		"x=$(y); rm $x":                 {rm, {}},
		"for x in a b; do rm $x; done":  {rm, {Text: "a", Literal: true}, {Text: "b", Literal: true}},
		`for x in a*; do rm "$x"; done`: {rm, {Text: "a*", Pattern: "a*"}},
		`rm "$HOME/a b"`:                {rm, {Text: "/home/me/a b", Literal: true}},
		`rm {a,b}.go`:                   {rm, {Text: "a.go", Literal: true}, {Text: "b.go", Literal: true}},
	} {
		t.Run(line, func(t *testing.T) {
			got := readAt(line)
			assert.Equal(t, want, got.Runs[len(got.Runs)-1].Args)
		})
	}
}

// TestReadTellsWhatACommandReads: what a shell reads as its script runs.
func TestReadTellsWhatACommandReads(t *testing.T) {
	for line, want := range map[string]string{
		"sh <<EOF\nrm a\n\nrm b\nEOF\n":       "rm a,rm b",
		"sh <<-'X'\n\trm a\n\tX\necho":        "rm a",
		"sh <<< 'rm a'":                       "rm a",
		"sh <<A <<B\nrm a\nA\nrm b\nB\n":      "rm b",
		"sh <<EOF\nrm a":                      "rm a",
		"sh < file":                           "",
		"(cd x && sh <<EOF\nrm a\nEOF\n)":     "rm a",
		"sh <<EOF > out && echo\nrm a\nEOF":   "rm a",
		"echo 'rm a' | sudo sh":               "rm a",
		"sh -c 'rm a'; eval rm b; exec rm c":  "rm a,rm b,rm c",
		"echo a | xargs rm; env A=1 rm b":     "rm a,rm b",
		"echo ${ rm a; }b":                    "rm a",
		"find . -name x -exec rm -f y {} \\;": "rm -f y {}",
	} {
		t.Run(line, func(t *testing.T) {
			var got []string
			for _, r := range readAt(line).Runs {
				if r.Name() == "rm" {
					got = append(got, strings.Join(r.Words, " "))
				}
			}
			assert.Equal(t, want, strings.Join(got, ","))
		})
	}
}

func TestReadTellsWhereACommandRuns(t *testing.T) {
	var dirs []string
	for _, r := range readAt("rm a; cd x && rm b; (cd y; rm c); cd $z; rm d").Runs {
		if r.Name() == "rm" {
			dirs = append(dirs, r.Dir)
			assert.Equal(t, r.Args[1].Text == "d", r.DirUnknown)
		}
	}
	assert.Equal(t, []string{"/repo", "/repo/x", "/repo/x/y", ""}, dirs)
}

// TestReadTellsWhatIsSet: variables, for one command and for all that come, in files that
// the line writes, and the setting of git that decides which hooks run.
func TestReadTellsWhatIsSet(t *testing.T) {
	for line, want := range map[string]Setting{
		"A=1; B='2 3' make; export C=4":                {"A", "1", "A=1"},
		"B='2 3' make":                                 {"B", "2 3", "B=2 3"},
		"export C=4":                                   {"C", "4", "export C=4"},
		`export "D"="5"`:                               {"D", "5", "export D=5"},
		"sudo -u me E=6 make":                          {"E", "6", "sudo -u me E=6"},
		"echo 'export F=7' >> .envrc":                  {"F", "7", "echo export F=7"},
		"cat <<X | tee .env\nG=8\nX":                   {"G", "8", "tee .env"},
		"git -c Core.HooksPath=/x commit -m y":         {GitHooks, "/x", "git -c Core.HooksPath=/x commit -m y"},
		"x=core.hooksPath; git config --unset $x":      {GitHooks, "", "git config --unset core.hooksPath"},
		"git config --local core.hookspath /dev/null;": {GitHooks, "/dev/null", "git config --local core.hookspath /dev/null"},
	} {
		t.Run(line, func(t *testing.T) { assert.Contains(t, readAt(line).Sets, want) })
	}
}

// TestEvidenceIsWhatStandsThere: the words of a command that count as evidence hold no
// values of variables, which may be others when it runs.
func TestEvidenceIsWhatStandsThere(t *testing.T) {
	got, _ := Parse("x=test; go $x")
	c := got.Commands[len(got.Commands)-1]
	assert.Equal(t, []string{"go"}, c.Words)
	assert.False(t, c.Complete)
}

// TestValuesDoNotGrow: a value that doubles with each assignment is given up.
func TestValuesDoNotGrow(t *testing.T) {
	line := "a=0123456789"
	for range 60 {
		line += "; a=$a$a"
	}
	got := readAt(line + "; rm $a")
	assert.True(t, got.Truncated)
	require.NotEqual(t, Allow, got.Verdict.Verdict)
	for _, r := range got.Runs {
		assert.Less(t, len(r.Part), 2*maxShown)
	}
}

// TestControlCharactersHideNothing: a line that holds the bytes which stand for something
// unknown is interpreted all the same.
func TestControlCharactersHideNothing(t *testing.T) {
	for _, mark := range []string{unknown, fetched, private, listed} {
		got := readAt("echo " + mark + "; rm .claude/settings.json")
		require.Len(t, got.Files, 1, "%q", mark)
		assert.Equal(t, ".claude/settings.json", got.Files[0].Word.Text)
		assert.NotEqual(t, Allow, got.Verdict.Verdict)
	}
}
