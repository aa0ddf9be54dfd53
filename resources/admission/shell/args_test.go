package shell

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestParseTellsOfEveryWord(t *testing.T) {
	for line, want := range map[string][]Word{
		`rm a 'b c'`:                   {{Text: "rm", Literal: true, Pattern: "rm"}, {Text: "a", Literal: true, Pattern: "a"}, {Text: "b c", Literal: true, Pattern: "b c"}},
		`rm a*.[ch] {d}`:               {{Text: "rm", Literal: true, Pattern: "rm"}, {Text: "a.ch]", Pattern: "a*.[ch]"}, {Text: "d}", Pattern: "{d}"}},
		`rm 'a*'?`:                     {{Text: "rm", Literal: true, Pattern: "rm"}, {Text: "a*", Pattern: `a\*?`}},
		`rm $x/.claude`:                {{Text: "rm", Literal: true, Pattern: "rm"}, {Text: "/.claude"}},
		"rm `x`y $(z)":                 {{Text: "rm", Literal: true, Pattern: "rm"}, {Text: "y"}, {}},
		`rm ~/a* ~u/b`:                 {{Text: "rm", Literal: true, Pattern: "rm"}, {Text: "a", Home: true, Pattern: "a*"}, {Text: "u/b"}},
		`x=a; rm $x/b "${x}c" ${x:-d}`: {{Text: "rm", Literal: true, Pattern: "rm"}, {Text: "a/b", Literal: true, Pattern: "a/b"}, {Text: "ac", Literal: true, Pattern: "ac"}, {}},
		`x=a*; rm "$x"`:                {{Text: "rm", Literal: true, Pattern: "rm"}, {Pattern: "a*"}},
		"x=$(y); rm $x":                {{Text: "rm", Literal: true, Pattern: "rm"}, {}},
		"for x in a b; do rm $x; done": {{Text: "rm", Literal: true, Pattern: "rm"}, {Pattern: "{a,b}"}},
		`rm "$HOME/a b"`:               {{Text: "rm", Literal: true, Pattern: "rm"}, {Text: "a b", Home: true, Pattern: "a b"}},
	} {
		t.Run(line, func(t *testing.T) {
			got, ok := Parse(line)
			assert.True(t, ok)
			assert.Equal(t, want, got.Commands[len(got.Commands)-1].Args)
		})
	}
}

func TestParseTellsWhatACommandReads(t *testing.T) {
	for line, want := range map[string]string{
		"sh <<EOF\nrm a\n\nb\nEOF\n":        "rm a\n\nb\n",
		"sh <<-'X'\n\trm a\n\tX\necho":      "\trm a\n",
		"sh <<< 'rm a'":                     "rm a",
		"sh <<A <<B\na\nA\nb\nB\n":          "b\n",
		"sh <<EOF\nrm a":                    "rm a",
		"sh < file":                         "",
		"(cd x && sh <<EOF\nrm a\nEOF\n)":   "rm a\n",
		"sh <<EOF > out && echo\nrm a\nEOF": "rm a\n",
	} {
		t.Run(line, func(t *testing.T) {
			got, _ := Parse(line)
			for _, c := range got.Commands {
				if c.Words[0] == "sh" {
					assert.Equal(t, want, c.Input)
				}
			}
		})
	}
}

func TestParseTellsWhereACommandRuns(t *testing.T) {
	got, _ := Parse("rm a; cd x && rm b; (cd y; rm c); cd $z; rm d")
	var dirs []string
	for _, c := range got.Commands {
		if c.Words[0] == "rm" {
			dirs = append(dirs, c.Dir)
			assert.Equal(t, c.Args[1].Text == "d", c.DirUnknown)
		}
	}
	assert.Equal(t, []string{"", "x", "x/y", "x"}, dirs)
	got, _ = Parse("A=1; B='2 3' make; export C=4")
	assert.Equal(t, []string{"A=1", "B=2 3"}, got.Assigns)
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
	got, ok := Parse(line + "; rm $a")
	assert.True(t, ok)
	assert.Less(t, len(got.Commands[0].Args[1].Pattern), 4*maxValue)
}
